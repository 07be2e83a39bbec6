// Pictures of pages on a desk, on a phone and on paper, for a person to look at.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { draw, open, shownFigures } from './browser.mjs';
import { test } from './suite.mjs';

const VIEWS = [
    ['1280', { viewport: { width: 1280, height: 900 } }],
    ['390', { viewport: { width: 390, height: 844 } }],
];

export async function takePictures(browser, folder, shots) {
    for (const [stem, colorScheme] of [['throw', 'light'], ['space', 'dark'], ['aim', 'light'],
        ['several', 'light']])
        await test(`test_page_${stem}_is_pictured_on_desk_phone_and_paper`, async () => {
            for (const [width, screen] of VIEWS) {
                const page = await open(browser, join(folder, `${stem}.html`),
                    { colorScheme, ...screen });
                for (const figure of await shownFigures(page)) await draw(page, figure.name);
                await page.evaluate(() => scrollTo(0, 0));
                const path = join(shots, `${stem}-${width}.png`);
                await page.screenshot({ path, fullPage: true });
                assert.ok(statSync(path).size > 10000, path);
                if (width === '1280') {
                    const paper = join(shots, `${stem}.pdf`);
                    await page.pdf({ path: paper, format: 'A4' });
                    assert.ok(statSync(paper).size > 10000, paper);
                }
                await page.context().close();
            }
        });
}
