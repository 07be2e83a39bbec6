// Whether a page can be read by who does not see it, or sees it on a phone, by axe-core's rules.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { draw, open, shownFigures } from './browser.mjs';
import { isSlow, test } from './suite.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

const IMPACTS = ['moderate', 'serious', 'critical'];

// What axe finds that is more than minor, in words. Between light and dark only colours change.
// A plot is one image with words beside it: its thousands of points are nothing to read.
async function violations(page, colorScheme) {
    await page.evaluate(axe);
    const found = await page.evaluate((rules) => axe.run({ exclude: ['.plot svg'] }, {
        resultTypes: ['violations'],
        ...(rules === null ? {} : { runOnly: { type: 'rule', values: rules } }),
    }), colorScheme === 'dark' ? ['color-contrast'] : null);
    return found.violations.filter((rule) => IMPACTS.includes(rule.impact))
        .map((rule) => `${rule.id}: ${rule.help}: ${rule.nodes.length} times, first ` +
            `${rule.nodes[0].html.slice(0, 200)} ${rule.nodes[0].failureSummary}`);
}

// Every figure of a page is drawn before it is judged, and what folds is open; of the tables of
// numbers, which are all alike, one.
async function judge(page, colorScheme, screen) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(screen);
    for (const figure of await shownFigures(page)) await draw(page, figure.name);
    await page.evaluate(() => {
        document.querySelector('details.numbers').open = true;
        for (const details of document.querySelectorAll('details:not(.numbers)'))
            details.open = true;
    });
    assert.deepEqual(await violations(page, colorScheme), []);
    const over = await page.evaluate(() =>
        document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(over <= 0, `${over} px wider than the screen`);
}

export async function testAccess(pages) {
    const views = [['throw', 'light', PHONE], ['aim', 'dark', DESK], ['space', 'light', DESK]];
    if (isSlow)
        views.push(['throw', 'light', DESK], ['throw', 'dark', PHONE], ['throw', 'dark', DESK],
            ['aim', 'light', PHONE], ['several', 'light', PHONE]);
    for (const [stem, colorScheme, screen] of views) {
        const name = `${stem}_${colorScheme}_${screen === DESK ? 'desk' : 'phone'}`;
        await test(`test_page_${name}_has_no_serious_violation`, async () =>
            judge(await pages.get(stem), colorScheme, screen));
    }

    await test('test_page_without_scripts_still_tells_its_numbers', async () => {
        const page = await open(pages.browser, join(pages.folder, 'throw.html'),
            { javaScriptEnabled: false });
        assert.match(await page.innerText('main'), /7\.39\d*\s±\s0\.018/);
        assert.match(await page.textContent('#words-flight-side'), /\d/);
        await page.context().close();
    });
}
