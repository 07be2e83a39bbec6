// How long large pages take until they can be read (DOM ready) and until their first figure is
// drawn, the best of five.
//
//   node speed.mjs FOLDER
import { join } from 'node:path';
import { launch, open } from './browser.mjs';

const LIMITS_MS = { thousand: 2000, hundred: 5000 };
const folder = process.argv[2];
const browser = await launch();
let isSlow = false;
for (const [stem, limit] of Object.entries(LIMITS_MS)) {
    const ready = [];
    const drawn = [];
    for (let i = 0; i < 5; i++) {
        const page = await open(browser, join(folder, `${stem}.html`));
        await page.waitForSelector('figure.drawn');
        drawn.push(await page.evaluate(() => performance.now()));
        ready.push(await page.evaluate(() =>
            performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd));
        await page.context().close();
    }
    const best = Math.min(...ready);
    console.log(`${stem}: DOM ready after ${best.toFixed(0)} ms (asked: ${limit}), first figure ` +
        `after ${Math.min(...drawn).toFixed(0)} ms`);
    isSlow ||= best > limit;
}
await browser.close();
process.exit(isSlow ? 1 : 0);
