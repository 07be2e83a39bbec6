// Pictures of pages on a desk, on a phone and on paper, for a person to look at.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { draw, shownFigures } from './browser.mjs';
import { isSlow, test } from './suite.mjs';

const SCREENS = [{ width: 1280, height: 900 }, { width: 390, height: 844 }];

async function picture(page, stem, screen, shots) {
    await page.setViewportSize(screen);
    for (const figure of await shownFigures(page)) await draw(page, figure.name);
    await page.evaluate(() => scrollTo(0, 0));
    const path = join(shots, `${stem}-${screen.width}.png`);
    await page.screenshot({ path, fullPage: true });
    assert.ok(statSync(path).size > 10000, path);
}

export async function takePictures(pages, shots) {
    const pictured = [['throw', 'light']];
    if (isSlow) pictured.push(['space', 'dark'], ['aim', 'light'], ['several', 'light']);
    for (const [stem, colorScheme] of pictured)
        await test(`test_page_${stem}_is_pictured_on_desk_phone_and_paper`, async () => {
            const page = await pages.get(stem);
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
            await page.evaluate(() => {
                for (const details of document.querySelectorAll('details')) details.open = false;
            });
            for (const screen of [...SCREENS].reverse()) await picture(page, stem, screen, shots);
            const paper = join(shots, `${stem}.pdf`);
            await page.pdf({ path: paper, format: 'A4' });
            assert.ok(statSync(paper).size > 10000, paper);
            assert.deepEqual(page.seen, { said: [], asked: [], dialogs: [] });
        });
}
