// Names as nobody should give them: markup, scripts, quotes, text from right to left, emoji.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { draw, place, shownFigures } from './browser.mjs';
import { test } from './suite.mjs';

export async function testNames(pages, folder) {
    const { name } = JSON.parse(readFileSync(join(folder, 'hostile.json'), 'utf8'));
    // What turns the direction of text is shown by its number, all else as it is.
    const withoutTurns = (text) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
    const page = await pages.get('hostile');
    const figures = await shownFigures(page);
    for (const figure of figures) await draw(page, figure.name);

    await test('test_page_names_that_would_run_are_text', async () => {
        const text = await page.innerText('main');
        for (const part of ['<script>ran()</script>', '"quoted"', "'</title></script><!--", '🏀',
            'שלום', '\\ %s'])
            assert.ok(withoutTurns(name).includes(part), `the name holds ${part}`);
        for (const part of withoutTurns(name).split(/evil/))
            assert.ok((await page.innerText('h1')).includes(part.trim()), `h1 lacks ${part}`);
        assert.ok((await page.title()).includes('<script>ran()</script>'), 'the title');
        for (const part of ['<img src=x onerror=ran()>', '$(touch ran)`touch ran`%d🏀.csv',
            '</script><i>&lt;🏀.time_offset'])
            assert.ok(text.includes(part), `the page lacks ${part}`);
        assert.ok(!text.includes('\u202e'), 'nothing turns the direction of what follows');
    });

    await test('test_page_names_that_would_run_do_not', async () => {
        // Whatever ran would have called this, or failed by it, which the page's errors tell.
        assert.equal(await page.evaluate(() => typeof globalThis.ran), 'undefined');
        const strange = await page.evaluate(() => [...document.querySelectorAll(
            'main img, main script, main i, main b > script, [onerror], title ~ img')].length);
        assert.equal(strange, 0, 'elements that names made');
        assert.deepEqual(page.seen, { said: [], asked: [], dialogs: [] });
    });

    await test('test_page_names_that_would_run_are_text_in_figures', async () => {
        const drawn = await page.evaluate(() =>
            [...document.querySelectorAll('.plot text')].map((e) => e.textContent).join('\n'));
        const shown = figures.filter((figure) => !figure.space).flatMap((figure) =>
            [...figure.series.map((one) => one.name), ...(figure.x.names ?? []),
                ...(figure.y.names ?? [])]);
        // Long ones are broken into lines, or lose their middle.
        for (const text of shown.filter((name) => name?.includes('<')))
            assert.ok(drawn.includes(text.slice(0, 5)) && drawn.includes(text.slice(-7)),
                `no figure shows ${text}`);
        const figure = figures.find((one) => one.name === 'flight-side');
        const points = figure.series.find((one) => one.labels && one.x.length > 1);
        await draw(page, figure.name);
        await page.mouse.move(...await place(page, figure.name, points.x[3], points.y[3]));
        const told = page.locator(`#figure-${figure.name} .hoverlayer .hovertext`).first();
        await told.waitFor();
        assert.match(await told.textContent(), /<img src=x onerror=ran\(\)>.*🏀\.csv:\d+/);
    });
    await pages.close('hostile');
}
