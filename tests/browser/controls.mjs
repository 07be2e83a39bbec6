// How a page answers mouse and keyboard.
import assert from 'node:assert/strict';
import { draw, place, shownFigures } from './browser.mjs';
import { finite, least, most, near } from './numbers.mjs';
import { test } from './suite.mjs';

const M_PER_FT = 0.3048;

function middle(page, name) {
    return page.evaluate((id) => {
        const box = document.getElementById(id).querySelector('.plot').getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    }, `figure-${name}`);
}

async function drag(page, [x, y], [dx, dy]) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let i = 1; i <= 5; i++) await page.mouse.move(x + dx * i / 5, y + dy * i / 5);
    await page.mouse.up();
}

// Presses Tab until what is asked for has the focus.
async function tabTo(page, selector) {
    for (let i = 0; i < 200; i++) {
        await page.keyboard.press('Tab');
        if (await page.evaluate((s) => document.activeElement?.matches(s), selector)) return;
    }
    assert.fail(`Tab does not reach ${selector}`);
}

async function testMouse(page, space) {
    await test('test_page_pointer_over_a_point_tells_its_numbers_with_units', async () => {
        const { traces } = await draw(page, 'flight-side');
        const points = traces.find((t) => t.mode === 'markers' && t.x.length > 1);
        await page.mouse.move(...await place(page, 'flight-side', points.x[2], points.y[2]));
        const told = page.locator('#figure-flight-side .hoverlayer .hovertext').first();
        await told.waitFor();
        const words = await told.textContent();
        assert.match(words, /forward [\d.]+\sm/, words);
        assert.ok(words.includes(String(Number(points.y[2].toPrecision(5)))), words);
    });

    await test('test_page_drag_over_a_figure_shows_that_part_of_it', async () => {
        const before = await draw(page, 'flight-side');
        const [a, b] = before.x.range;
        const at = await place(page, 'flight-side', a + 0.3 * (b - a),
            (before.y.range[0] + before.y.range[1]) / 2);
        await drag(page, at, [200, 60]);
        const after = await draw(page, 'flight-side');
        assert.ok(after.x.range[1] - after.x.range[0] < 0.8 * (b - a), String(after.x.range));
        await page.click('#figure-flight-side .tools button:has-text("Reset")');
        const last = await draw(page, 'flight-side');
        near(last.x.range[0], a, 'all is shown again', 1e-6);
    });

    await test('test_page_drag_turns_a_figure_in_space', async () => {
        const figure = (await shownFigures(space)).find((f) => f.space);
        assert.ok(figure, 'there is a figure in space');
        const before = await draw(space, figure.name);
        await drag(space, await middle(space, figure.name), [150, 40]);
        await space.waitForTimeout(200);
        const dragged = await draw(space, figure.name);
        assert.notDeepEqual(dragged.camera, before.camera);
        await space.click(`#figure-${figure.name} .tools button[title="Turn left"]`);
        const turned = await draw(space, figure.name);
        assert.notDeepEqual(turned.camera, dragged.camera);
    });
}

// Figures, words and tables in the units that are chosen.
async function testUnits(page) {
    await test('test_page_units_change_numbers_and_titles_alike', async () => {
        const before = await draw(page, 'flight-side');
        await page.selectOption('#units', 'imperial');
        const after = await draw(page, 'flight-side');
        assert.match(before.x.title, /\(m\)$/);
        assert.match(after.x.title, /\(ft\)$/);
        before.traces.forEach((trace, i) => {
            for (const key of ['x', 'y']) {
                const [old, now] = [finite(trace[key]), finite(after.traces[i][key])];
                assert.equal(now.length, old.length);
                near(M_PER_FT * least(now), least(old), `${trace.name}, ${key}`, 1e-8);
                near(M_PER_FT * most(now), most(old), `${trace.name}, ${key}`, 1e-8);
            }
        });
        // Captions are sentences that were made once, and accelerations have one unit.
        const text = await page.evaluate(() => [...document.querySelectorAll('.headline, .facts, ' +
            '#numbers')].map((part) => part.innerText).join('\n'));
        assert.match(text, /\d\s(mi\/h|mph)/);
        assert.equal(/^.*\d\sm(\/s)?(?![/\w^²]).*$/m.exec(text)?.[0], undefined, 'in metres');
        await page.selectOption('#units', 'metric');
        assert.match(await page.innerText('.facts'), /\d\s?(°|deg)/);
        await page.selectOption('#units', 'si');
        const last = await draw(page, 'flight-side');
        assert.deepEqual(last.traces, before.traces);
    });
}

async function testKeyboard(page) {
    await test('test_page_keyboard_alone_reaches_all_that_can_be_used', async () => {
        await page.evaluate(() => {
            document.activeElement?.blur();
            scrollTo(0, 0);
        });
        await page.reload();
        await page.waitForSelector('html[data-ready]');
        await page.keyboard.press('Tab');
        assert.match(await page.evaluate(() => document.activeElement.textContent), /Skip/);
        await tabTo(page, '#units');
        await page.keyboard.press('ArrowDown');
        assert.equal(await page.evaluate(() => document.documentElement.dataset.units), 'metric');
        await page.keyboard.press('ArrowUp');
        assert.equal(await page.evaluate(() => document.documentElement.dataset.units), 'si');
        await tabTo(page, '#theme');
        await page.keyboard.press('Enter');
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
        await page.keyboard.press('Enter');
        await tabTo(page, '#figure-flight-side .tools button[title="Zoom in"]');
        const before = await draw(page, 'flight-side');
        await page.keyboard.press('Enter');
        const after = await draw(page, 'flight-side');
        assert.ok(after.x.range[1] < before.x.range[1], 'Enter zooms in');
        await tabTo(page, '#figure-flight-side details.numbers > summary');
        await page.keyboard.press('Enter');
        await page.waitForSelector('#figure-flight-side details.numbers table');
        const left = await page.evaluate(() => [...document.querySelectorAll(
            'button, select, summary, a[href]')].filter((e) => e.tabIndex < 0).length);
        assert.equal(left, 0, 'nothing that can be used is left out of the order');
    });
}

export async function testControls(pages) {
    const page = await pages.get('throw');
    const space = await pages.get('space');
    await testMouse(page, space);
    await testUnits(page);
    await testKeyboard(page);
    await test('test_page_that_is_used_asks_and_says_nothing', () => {
        for (const { seen } of [page, space])
            assert.deepEqual(seen, { said: [], asked: [], dialogs: [] });
    });
}
