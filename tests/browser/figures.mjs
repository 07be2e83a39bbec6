// Figures as they are drawn, beside the numbers that they are drawn from.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { draw, launch, open, shownFigures } from './browser.mjs';
import { finite, least, most, near, numbersIn, readCsv, sameExtent } from './numbers.mjs';
import { test } from './suite.mjs';

// The traces that stand for a series, taken from the front of those that are left.
function checkSeries(series, traces, what) {
    const trace = traces.shift();
    assert.ok(trace, `${what} is not drawn`);
    assert.notEqual(trace.visible, false, `${what} is hidden`);
    if (series.mark === 'cells') {
        sameExtent(trace.color, series.cells.flat(), `${what}, cells`);
        return;
    }
    if (series.mark === 'band') {
        const both = series.low.map((low, i) => [low, series.high[i]]).filter((pair, i) =>
            series.x[i] !== null && pair[0] !== null && pair[1] !== null).flat();
        near(least(finite(trace.y)), least(both), `${what}, the least of the band`);
        near(most(finite(trace.y)), most(both), `${what}, the greatest of the band`);
        return;
    }
    // Bars are outlines, and behind them what is told of them.
    const points = series.mark === 'bars' ? traces.shift() : trace;
    sameExtent(points.x, series.x, `${what}, x`);
    sameExtent(points.y, series.y, `${what}, y`);
    if (series.z) sameExtent(points.z, series.z, `${what}, z`);
    if (series.mark === 'intervals') {
        const middle = series.level ? series.x : series.y;
        const known = middle.map((m, i) => [m, series.low[i], series.high[i]]);
        sameExtent(trace.error.array.filter((_, i) => known[i].every((v) => v !== null)),
            known.filter((row) => row.every((v) => v !== null)).map(([m, , high]) => high - m),
            `${what}, upper ends`);
    }
}

// Each figure of a page that is shown is drawn as its numbers say.
async function checkDrawn(page, stem) {
    const figures = await shownFigures(page);
    assert.ok(figures.length > 0, `${stem} has figures`);
    for (const figure of figures) {
        const { traces } = await draw(page, figure.name);
        const left = [...traces];
        figure.series.forEach((series, i) =>
            checkSeries(series, left, `${stem}: ${figure.name}, ${series.name ?? i}`));
        assert.equal(left.length, 0, `${stem}: ${figure.name} has more than its series`);
    }
    assert.deepEqual(page.seen, { said: [], asked: [], dialogs: [] }, stem);
}

// The files of `arcfit report --csv` hold the same numbers as the page.
function checkCsv(figures, folder) {
    for (const figure of figures) {
        const path = join(folder, `${figure.name}.csv`);
        assert.ok(existsSync(path), path);
        const rows = readCsv(readFileSync(path, 'utf8'));
        assert.ok(rows.length > 0, `${path} has rows`);
        const column = (start) => Object.keys(rows[0]).find((name) =>
            name === start || name.startsWith(`${start}_`));
        for (const key of ['x', 'y', 'z']) {
            const ours = figure.series.filter((s) => s.mark !== 'cells')
                .flatMap((s) => s[key] ?? []);
            const name = column(key);
            if (ours.length === 0 || figure[key].names?.length > 0 ||
                figure.series.some((s) => s.mark === 'cells')) continue;
            assert.ok(name, `${path} lacks ${key}`);
            sameExtent(rows.filter((row) => row[name] !== '').map((row) => Number(row[name])),
                ours, `${path}, ${key}`);
        }
    }
}

// Words of a figure have the extremes of what it shows, as far as words go: to half a per cent.
function checkWords(figure, words) {
    const numbers = numbersIn(words);
    for (const series of figure.series) {
        const values = finite(series.mark === 'cells' ? series.cells.flat()
            : figure.y.names ? series.x : series.y);
        for (const value of values.length > 0 ? [least(values), most(values)] : [])
            assert.ok(numbers.some((n) => Math.abs(n - value) <= 0.005 * Math.abs(value) + 1e-12),
                `${figure.name}: ${value} of ${series.name} is not told in: ${words}`);
    }
}

export async function testFigures(pages, folder) {
    for (const stem of ['throw', 'space', 'aim', 'several'])
        await test(`test_page_${stem}_draws_its_numbers_without_a_request_or_a_word`, async () => {
            await checkDrawn(await pages.get(stem), stem);
        });

    await test('test_page_shows_residuals_before_numbers', async () => {
        const ids = await (await pages.get('throw')).evaluate(() =>
            [...document.querySelectorAll('section')].map((section) => section.id));
        const expected = ['flight', 'residual-figures', 'numbers', 'fit', 'uncertainty', 'methods',
            'physics', 'training', 'text', 'origin'];
        assert.deepEqual(ids.filter((id) => expected.includes(id)), expected);
    });

    await test('test_page_titles_of_axes_keep_off_their_ticks_on_a_phone', async () => {
        const page = await open(pages.browser, join(folder, 'throw.html'),
            { viewport: { width: 390, height: 844 } });
        await draw(page, 'flight-side');
        const gap = await page.evaluate(() => {
            const plot = document.querySelector('#figure-flight-side .plot');
            const left = [...plot.querySelectorAll('.ytick text')].map((text) =>
                text.getBoundingClientRect().left);
            return Math.min(...left) - plot.querySelector('.ytitle').getBoundingClientRect().right;
        });
        assert.ok(gap > 0, `${gap} px between them`);
        await page.context().close();
    });

    await test('test_page_points_are_those_of_the_capture', async () => {
        const capture = join(process.env.ARCFIT_TOP, 'data', 'free-throw-6.csv');
        const rows = readCsv(readFileSync(capture, 'utf8'));
        const { traces } = await draw((await pages.get('throw')), 'flight-side');
        const points = traces.find((trace) => trace.mode === 'markers' && trace.x.length > 1);
        sameExtent(points.x, rows.map((row) => Number(row.x_m)), 'x of the points');
        sameExtent(points.y, rows.map((row) => Number(row.y_m)), 'y of the points');
        const thousand = await draw((await pages.get('thousand')), 'flight-side');
        assert.ok(thousand.traces.some((trace) => trace.x.length === 1000), 'all thousand points');
    });

    await test('test_page_flight_ends_where_the_fit_says', async () => {
        const fits = JSON.parse(readFileSync(join(folder, 'throw.json'), 'utf8')).fits;
        const { traces } = await draw((await pages.get('throw')), 'flight-side');
        for (const fit of fits) {
            const path = fit.trajectory.position_m;
            const trace = traces.find((t) => t.mode === 'lines' &&
                t.name.toLowerCase().includes(fit.method));
            near(least(finite(trace.x)), least(path.map((p) => p[0])), `${fit.method}, from`);
            near(most(finite(trace.x)), most(path.map((p) => p[0])), `${fit.method}, to`);
            near(most(finite(trace.y)), most(path.map((p) => p[1])), `${fit.method}, height`);
        }
    });

    await test('test_page_words_hold_the_numbers_of_each_figure', async () => {
        for (const stem of ['throw', 'space', 'aim']) {
            for (const figure of await shownFigures((await pages.get(stem)))) {
                const words = await (await pages.get(stem)).evaluate((id) => {
                    const all = document.getElementById(id);
                    return (all.querySelector('.in-si') ?? all).textContent;
                }, `words-${figure.name}`);
                checkWords(figure, words);
            }
        }
    });

    await test('test_page_numbers_of_a_figure_are_listed_when_asked_for', async () => {
        for (const figure of await shownFigures((await pages.get('throw')))) {
            const rows = await (await pages.get('throw')).evaluate((id) => {
                const details = document.getElementById(id).querySelector('details.numbers');
                const before = details.querySelectorAll('table').length;
                details.open = true;
                return new Promise((resolve) => setTimeout(() =>
                    resolve([before, details.querySelectorAll('tbody tr').length]), 50));
            }, `figure-${figure.name}`);
            const n = figure.series.reduce((sum, s) =>
                sum + 1 + (s.cells?.length ?? s.x.length), 0);
            assert.deepEqual(rows, [0, n], figure.name);
        }
    });

    await test('test_page_numbers_are_those_of_the_csv_files', async () => {
        for (const stem of ['throw', 'space', 'aim'])
            checkCsv(await shownFigures((await pages.get(stem))), join(folder, stem));
    });

    await test('test_page_of_a_hundred_flights_draws_the_one_that_is_chosen', async () => {
        const page = await pages.get('hundred');
        const before = (await shownFigures(page)).map((figure) => figure.flight);
        assert.deepEqual([...new Set(before)].filter((flight) => flight > 1), []);
        await page.selectOption('select[data-chooser]', '97');
        const chosen = (await shownFigures(page)).filter((figure) => figure.flight > 0);
        assert.ok(chosen.length > 0 && chosen.every((figure) => figure.flight === 97));
        await draw(page, chosen[0].name);
        assert.deepEqual(page.seen, { said: [], asked: [], dialogs: [] });
    });

    await test('test_page_without_webgl_is_drawn_flat', async () => {
        const other = await launch({ webgl: false });
        const page = await open(other, join(folder, 'space.html'));
        const figures = await shownFigures(page);
        const space = figures.filter((figure) => figure.space);
        assert.ok(space.length > 0, 'there is a figure in space');
        for (const figure of space) {
            const { traces } = await draw(page, figure.name);
            assert.ok(traces.every((trace) => trace.type === 'scatter'), figure.name);
            // From the side all series, then all of them from the top.
            figure.series.forEach((series, i) => {
                const what = `${figure.name}, ${series.name ?? i}`;
                sameExtent(traces[i].y, series.z, `${what} from the side`);
                sameExtent(traces[figure.series.length + i].y, series.y, `${what} from the top`);
            });
            const told = await page.textContent(`#figure-${figure.name} .flat`);
            assert.match(told, /WebGL/);
        }
        assert.deepEqual(page.seen, { said: [], asked: [], dialogs: [] });
        await other.close();
    });

    for (const stem of ['thousand', 'hundred']) await pages.close(stem);
}
