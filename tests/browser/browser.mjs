// Chromium without a window and without a network, and pages in it whose every word is kept.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const { chromium } = require('playwright-core');

// What the graphics driver says of a picture that is read back; no message of the page.
const OF_THE_DRIVER = /GL Driver Message|willReadFrequently|GroupMarkerNotSet/;

// Without WebGL as well, as on a machine whose driver has none.
export function launch({ webgl = true } = {}) {
    const args = webgl ? ['--enable-unsafe-swiftshader'] : ['--disable-gpu', '--disable-3d-apis'];
    // Chromium refuses to be run by root with its sandbox.
    if (process.getuid?.() === 0) args.push('--no-sandbox');
    return chromium.launch({ executablePath: process.env.ARCFIT_CHROMIUM, args });
}

// Opens a file. seen.said: its messages and errors; seen.asked: requests for anything but the file
// itself; seen.dialogs: those that it opened.
export async function open(browser, file, settings = {}) {
    const context = await browser.newContext({
        viewport: { width: 1280, height: 900 }, offline: true, reducedMotion: 'reduce',
        ...settings,
    });
    context.setDefaultTimeout(15000);
    const page = await context.newPage();
    const seen = { said: [], asked: [], dialogs: [] };
    const url = pathToFileURL(file).href;
    page.on('console', (message) => {
        if (!OF_THE_DRIVER.test(message.text())) seen.said.push(message.text());
    });
    page.on('pageerror', (error) => seen.said.push(String(error)));
    page.on('dialog', (dialog) => {
        seen.dialogs.push(dialog.message());
        dialog.dismiss();
    });
    page.on('request', (request) => {
        if (request.url() !== url && !/^(data|blob):/.test(request.url()))
            seen.asked.push(request.url());
    });
    await page.goto(url);
    return Object.assign(page, { seen });
}

// Each page of FOLDER is opened once, when it is first asked for.
export class Pages {
    constructor(browser, folder) {
        Object.assign(this, { browser, folder, opened: new Map() });
    }

    async get(stem) {
        if (!this.opened.has(stem))
            this.opened.set(stem, await open(this.browser, join(this.folder, `${stem}.html`)));
        return this.opened.get(stem);
    }

    async close(stem) {
        await this.opened.get(stem)?.context().close();
        this.opened.delete(stem);
    }
}

// The figures as the page holds them, in SI units: {name, group, series, x, y, z, ...}; those that
// are not hidden behind the choice of a flight.
export function shownFigures(page) {
    return page.evaluate(() => {
        globalThis.held ??= JSON.parse(document.getElementById('figures').textContent);
        return globalThis.held.filter((figure) =>
            document.getElementById(`figure-${figure.name}`)?.hidden === false);
    });
}

// Scrolls to a figure, which is drawn then at the latest, waits until it is, and gives what Plotly
// has of it.
export async function draw(page, name) {
    const id = `figure-${name}`;
    await page.evaluate((id) => document.getElementById(id).scrollIntoView({ block: 'center' }),
        id);
    await page.waitForFunction((id) => {
        const figure = document.getElementById(id);
        return figure.classList.contains('drawn') && figure.querySelector('.plot')._fullLayout;
    }, id);
    return page.evaluate((id) => {
        const plot = document.getElementById(id).querySelector('.plot');
        const list = (values) => values && Array.from(values, (v) => Number.isNaN(v) ? null : v);
        const layout = plot._fullLayout;
        const axis = (of) => of && { title: of.title.text, range: of.range, type: of.type };
        return {
            traces: plot._fullData.map((trace) => ({
                type: trace.type, mode: trace.mode, name: trace.name, visible: trace.visible,
                x: list(trace.x), y: list(trace.y), z: list(trace.z),
                color: Array.isArray(trace.marker?.color) ? list(trace.marker.color) : null,
                error: ['error_x', 'error_y'].filter((e) => trace[e]?.visible).map((e) =>
                    ({ array: list(trace[e].array), arrayminus: list(trace[e].arrayminus) }))[0],
            })),
            camera: layout.scene?.camera.eye,
            x: axis(layout.scene?.xaxis ?? layout.xaxis),
            y: axis(layout.scene?.yaxis ?? layout.yaxis),
            z: axis(layout.scene?.zaxis),
        };
    }, id);
}

// Where a plot's own coordinates are on the screen.
export function place(page, name, x, y) {
    return page.evaluate(([id, x, y]) => {
        const plot = document.getElementById(id).querySelector('.plot');
        const { xaxis, yaxis } = plot._fullLayout;
        const box = plot.getBoundingClientRect();
        return [box.left + xaxis._offset + xaxis.d2p(x), box.top + yaxis._offset + yaxis.d2p(y)];
    }, [`figure-${name}`, x, y]);
}
