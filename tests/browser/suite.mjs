// Verdicts and closing lines as cmocka prints them, so that scripts/check counts all tests alike.
const passed = [];
const failed = [];

// Names of tests that are run; the others are not there.
const wanted = new RegExp(process.argv[4] ?? '');

// Where time is no matter, more pages are looked at.
export const isSlow = Boolean(process.env.ARCFIT_SLOW);

// Runs one test; what it throws is why it failed.
export async function test(name, body) {
    if (!wanted.test(name)) return;
    console.log(`[ RUN      ] ${name}`);
    const start = performance.now();
    try {
        await body();
        passed.push(name);
        console.log(`[       OK ] ${name} (${(performance.now() - start).toFixed(0)} ms)`);
    } catch (error) {
        failed.push(name);
        console.log(String(error.stack ?? error).replace(/^/gm, '    '));
        console.log(`[  FAILED  ] ${name}`);
    }
}

// Prints the closing lines and ends the program.
export function finish() {
    console.log(`[==========] ${passed.length + failed.length} test(s) run.`);
    console.log(`[  PASSED  ] ${passed.length} test(s).`);
    if (failed.length > 0) {
        console.log(`[  FAILED  ] ${failed.length} test(s), listed below:`);
        for (const name of failed) console.log(`[  FAILED  ] ${name}`);
    }
    process.exit(failed.length > 0 ? 1 : 0);
}
