// What can be told of a page without opening it: what it is drawn by, and how large it is.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from './suite.mjs';

const MOST_BYTES_A_NUMBER = 40;

// Numbers of all figures, as they stand in a page.
function countNumbers(html) {
    const start = html.indexOf('id="figures">') + 'id="figures">'.length;
    const figures = JSON.parse(html.slice(start, html.indexOf('</script>', start)));
    const arrays = ['x', 'y', 'z', 'low', 'high'];
    return figures.flatMap((figure) => figure.series).reduce((sum, series) =>
        sum + arrays.reduce((n, key) => n + (series[key]?.length ?? 0), 0) +
        (series.cells?.flat().length ?? 0), 0);
}

export async function testFiles(folder) {
    const library = readFileSync(process.env.ARCFIT_PLOTLY, 'utf8');
    const size = statSync(process.env.ARCFIT_PLOTLY).size;

    for (const stem of ['thousand', 'hundred'])
        await test(`test_page_of_${stem}_is_no_larger_than_its_numbers`, () => {
            const path = join(folder, `${stem}.html`);
            const n = countNumbers(readFileSync(path, 'utf8'));
            const beside = statSync(path).size - size;
            console.log(`    ${stem}: ${n} numbers in ${beside} bytes beside the library, ` +
                `${(beside / n).toFixed(1)} a number`);
            assert.ok(n >= 1000, `only ${n} numbers`);
            assert.ok(beside <= MOST_BYTES_A_NUMBER * n, `${beside / n} bytes a number`);
        });

    await test('test_page_library_stands_in_it_with_its_licence', () => {
        const html = readFileSync(join(folder, 'throw.html'), 'utf8');
        assert.ok(html.includes(library.slice(0, 200)), 'its head');
        assert.ok(html.includes('plotly.js') && html.includes('MIT'), 'its licence');
        assert.ok(html.includes('Permission is hereby granted'), 'the words of its licence');
    });

    await test('test_lock_files_name_a_checksum_and_no_host_of_each_package', () => {
        for (const place of ['src/page/npm', 'tests/browser']) {
            const at = join(process.env.ARCFIT_TOP, place);
            const lock = JSON.parse(readFileSync(join(at, 'package-lock.json'), 'utf8'));
            const wanted = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')).dependencies;
            for (const [name, version] of Object.entries(wanted)) {
                const row = lock.packages[`node_modules/${name}`];
                assert.match(version, /^\d+\.\d+\.\d+$/, name);
                assert.equal(row.version, version);
            }
            for (const [name, row] of Object.entries(lock.packages)) {
                assert.equal(row.resolved, undefined, `${name} names a host`);
                if (name !== '') assert.match(row.integrity, /^sha512-/, name);
            }
        }
    });
}
