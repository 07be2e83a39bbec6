// How the page behaves: figures are drawn when they come into view, units and theme change without
// loading anything, tables of numbers are made when they are opened, and all is drawn for printing.
"use strict";
(() => {
    const root = document.documentElement;
    const figures = new Map(JSON.parse(document.getElementById("figures").textContent)
        .map(figure => [`figure-${figure.name}`, figure]));
    const drawn = new Set(), near = new Set(), stale = new Set();
    let printing = false;

    // Asked once, and late: the first answer of a browser may take long.
    let webGL;
    function hasWebGL() {
        if (webGL === undefined) {
            try {
                const context = document.createElement("canvas").getContext("webgl");
                webGL = !!context;
                context?.getExtension("WEBGL_lose_context")?.loseContext();
            } catch {
                webGL = false;
            }
        }
        return webGL;
    }

    // Plotly measures texts by reading canvases back, of which browsers warn unless they are told.
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, options) {
        return getContext.call(this, kind, kind === "2d" ? { willReadFrequently: true, ...options } : options);
    };

    const settings = {
        displayModeBar: false, displaylogo: false, scrollZoom: false, showTips: false,
        // It warns where margins and an equal scale move each other for a while.
        logging: 0,
    };
    const paperWidth = 660; // CSS pixels that fit on A4 and letter

    // The library is only read when the first figure is drawn, so that texts and tables are there
    // before it is.
    function needLibrary() {
        if (window.Plotly)
            return;
        const script = document.createElement("script"), text = document.getElementById("plotly");
        script.nonce = text.nonce;
        script.textContent = text.textContent;
        text.remove();
        document.head.append(script);
        Plotly.setPlotConfig({ logging: 0, notifyOnLogging: 0 });
    }

    function plotOf(element) {
        return element.querySelector(".plot");
    }

    // A line under a figure that is drawn flat.
    function tellFlat(element, isFlat) {
        let line = element.querySelector(".flat");
        if (!isFlat) {
            line?.remove();
            return;
        }
        if (!line) {
            line = document.createElement("p");
            line.className = "flat";
            plotOf(element).after(line);
        }
        line.textContent = printing ? "On paper it is drawn from the side and from the top."
            : "Drawn from the side and from the top: this browser has no WebGL.";
    }

    function draw(element) {
        const figure = figures.get(element.id);
        const plot = plotOf(element);
        const width = printing ? paperWidth : Math.floor(plot.clientWidth);
        if (!figure || width === 0)
            return;
        needLibrary();
        stale.delete(element);
        const isFlat = figure.space && (printing || !hasWebGL());
        const made = Draw.figure(figure, width, isFlat);
        if (figure.space && plot.dataset.flat !== String(isFlat))
            Plotly.purge(plot);
        plot.dataset.flat = String(isFlat);
        tellFlat(element, isFlat);
        plot.style.minHeight = "";
        Plotly.react(plot, made.data, made.layout, settings);
        // Where a metre is as long along both axes ticks change after room was made for them.
        if (figure.equal && !figure.space)
            Plotly.redraw(plot);
        if (!drawn.has(element))
            addTools(element);
        drawn.add(element);
        element.classList.add("drawn");
    }

    // Browsers keep few WebGL pictures at a time. Its place stays as high as it was.
    function leave(element) {
        const plot = plotOf(element);
        if (!figures.get(element.id)?.space || !drawn.has(element) || printing)
            return;
        plot.style.minHeight = `${plot.clientHeight}px`;
        Plotly.purge(plot);
        drawn.delete(element);
        stale.delete(element);
        element.classList.remove("drawn");
    }

    // All that is drawn is drawn again: at once what is in view, the rest when there is time.
    const whenIdle = window.requestIdleCallback ?? (act => setTimeout(act, 50));
    let isWaiting = false;
    function drawStale() {
        const [element] = stale;
        isWaiting = false;
        if (element === undefined)
            return;
        stale.delete(element);
        if (!printing)
            draw(element);
        waitForStale();
    }
    function waitForStale() {
        if (isWaiting || stale.size === 0)
            return;
        isWaiting = true;
        whenIdle(drawStale);
    }
    function redraw() {
        for (const element of [...drawn])
            if (near.has(element) && !element.hidden)
                draw(element);
            else
                stale.add(element);
        waitForStale();
    }

    // What the pointer does, for the keyboard.
    function addTools(element) {
        const tools = element.querySelector(".tools"), plot = plotOf(element);
        const figure = figures.get(element.id);
        if (tools.childElementCount > 0)
            return;
        const add = (text, label, act) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = text;
            button.setAttribute("aria-label", `${label}: ${figure.title}`);
            button.title = label;
            button.addEventListener("click", act);
            tools.append(button);
        };
        if (figure.space && hasWebGL()) {
            add("⟲", "Turn left", () => turn(plot, -Math.PI / 8));
            add("⟳", "Turn right", () => turn(plot, Math.PI / 8));
            add("+", "Nearer", () => approach(plot, 0.8));
            add("−", "Further", () => approach(plot, 1.25));
        } else {
            add("+", "Zoom in", () => zoom(plot, 0.7));
            add("−", "Zoom out", () => zoom(plot, 1 / 0.7));
        }
        add("Reset", "Reset the view", () => { Plotly.purge(plot); draw(element); });
        const format = figure.space ? "png" : "svg";
        add(format.toUpperCase(), `${format.toUpperCase()} picture`, () => Plotly.downloadImage(plot, {
            format, filename: figure.name, width: plot.clientWidth, height: plot.clientHeight,
        }));
    }
    function turn(plot, angle) {
        const eye = plot._fullLayout.scene.camera.eye;
        const c = Math.cos(angle), s = Math.sin(angle);
        Plotly.relayout(plot, { "scene.camera.eye": { x: c * eye.x - s * eye.y, y: s * eye.x + c * eye.y, z: eye.z } });
    }
    function approach(plot, factor) {
        const eye = plot._fullLayout.scene.camera.eye;
        Plotly.relayout(plot, { "scene.camera.eye": { x: factor * eye.x, y: factor * eye.y, z: factor * eye.z } });
    }
    function zoom(plot, factor) {
        const change = {};
        for (const key of Object.keys(plot._fullLayout).filter(k => /^[xy]axis\d*$/.test(k))) {
            const [a, b] = plot._fullLayout[key].range.map(Number);
            const middle = (a + b) / 2, half = factor * (b - a) / 2;
            change[`${key}.range`] = [middle - half, middle + half];
        }
        Plotly.relayout(plot, change);
    }

    // The numbers of a figure, a row a point.
    function buildTable(details) {
        const figure = figures.get(details.closest("figure").id);
        if (!figure)
            return;
        details.querySelector(".scroll")?.remove();
        const room = document.createElement("div");
        room.className = "scroll";
        room.tabIndex = 0;
        room.setAttribute("role", "region");
        const of = details.closest("article").id.match(/\d+$/);
        room.setAttribute("aria-label", `Numbers: ${figure.title}${of ? ` (result ${of[0]})` : ""}`);
        const table = document.createElement("table");
        table.createCaption().textContent = figure.title;
        for (const series of Draw.shown(figure))
            series.mark === "cells" ? addCells(table, figure, series) : addPoints(table, figure, series);
        room.append(table);
        details.append(room);
    }
    function headings(table, texts) {
        const body = table.createTBody(), row = body.insertRow();
        for (const text of texts) {
            const cell = document.createElement("th");
            cell.scope = "col";
            cell.textContent = text;
            row.append(cell);
        }
        return body;
    }
    function addRow(body, name, texts) {
        const row = body.insertRow(), head = document.createElement("th");
        head.scope = "row";
        head.textContent = name;
        head.dir = "auto";
        row.append(head);
        for (const text of texts)
            row.insertCell().textContent = text;
    }
    function addPoints(table, figure, series) {
        const columns = ["x", "y", "z"].filter(c => series[c]);
        const titles = [series.name ?? "series", ...columns.map(c => Draw.axisTitle(figure[c]))];
        if (series.low)
            titles.push("from", "to");
        const body = headings(table, titles);
        const name = (value, axis) => axis.names ? Draw.amount(value, axis) : Draw.number(value);
        series.x.forEach((_, i) => {
            const cells = columns.map(c => name(series[c][i], figure[c]));
            if (series.low)
                cells.push(Draw.number(series.low[i]), Draw.number(series.high[i]));
            addRow(body, series.labels?.[i] || String(i + 1), cells);
        });
    }
    function addCells(table, figure, series) {
        const name = (value, axis) => axis.names ? Draw.amount(value, axis) : Draw.number(value);
        const body = headings(table, [Draw.axisTitle(figure.z) || "", ...series.x.map(v => name(v, figure.x))]);
        series.cells.forEach((row, i) => addRow(body, name(series.y[i], figure.y), row.map(Draw.number)));
    }

    // Draws a figure a while before it is seen.
    const watch = new IntersectionObserver(entries => {
        for (const entry of entries) {
            if (entry.isIntersecting) {
                near.add(entry.target);
                if (!drawn.has(entry.target) || stale.has(entry.target))
                    draw(entry.target);
            } else {
                near.delete(entry.target);
                leave(entry.target);
            }
        }
    }, { rootMargin: "600px" });

    // All choosers of an article say the same.
    function choose(select) {
        const article = select.closest("article");
        for (const other of article.querySelectorAll("select[data-chooser]"))
            other.value = select.value;
        for (const element of article.querySelectorAll("figure")) {
            const flight = Number(element.dataset.flight);
            if (flight > 0)
                element.hidden = flight !== Number(select.value);
        }
    }

    function setUnits(name) {
        root.dataset.units = name;
        Draw.setUnits(name);
        redraw();
        for (const details of document.querySelectorAll("details.numbers[open]"))
            buildTable(details);
    }

    const darkest = matchMedia("(prefers-color-scheme: dark)");
    function isDark() {
        return (root.dataset.theme ?? (darkest.matches ? "dark" : "light")) === "dark";
    }
    function nameTheme() {
        const button = document.getElementById("theme");
        button.textContent = isDark() ? "Light" : "Dark";
        button.setAttribute("aria-label", `Show it ${isDark() ? "light" : "dark"}`);
    }

    let themeBefore;
    function beforePrint() {
        if (printing)
            return;
        printing = true;
        themeBefore = root.dataset.theme;
        root.dataset.theme = "light";
        for (const element of document.querySelectorAll("figure"))
            if (!element.hidden)
                draw(element);
        for (const details of document.querySelectorAll("details.printed:not([open])")) {
            details.open = true;
            details.dataset.closed = "";
        }
    }
    function afterPrint() {
        if (!printing)
            return;
        printing = false;
        if (themeBefore === undefined)
            delete root.dataset.theme;
        else
            root.dataset.theme = themeBefore;
        for (const details of document.querySelectorAll("details[data-closed]")) {
            details.open = false;
            delete details.dataset.closed;
        }
        redraw();
    }

    Draw.begin(JSON.parse(document.getElementById("page-units").textContent), root.dataset.units);
    const units = document.getElementById("units");
    units.value = root.dataset.units;
    units.addEventListener("change", () => setUnits(units.value));
    document.getElementById("theme").addEventListener("click", () => {
        root.dataset.theme = isDark() ? "light" : "dark";
        nameTheme();
        redraw();
    });
    darkest.addEventListener("change", () => { nameTheme(); redraw(); });
    nameTheme();
    for (const select of document.querySelectorAll("select[data-chooser]")) {
        select.addEventListener("change", () => choose(select));
        choose(select);
    }
    for (const details of document.querySelectorAll("details.numbers"))
        details.addEventListener("toggle", () => { if (details.open) buildTable(details); });
    for (const element of figures.keys()) {
        const found = document.getElementById(element);
        if (found)
            watch.observe(found);
    }
    let width = innerWidth, later = 0;
    addEventListener("resize", () => {
        if (innerWidth === width || printing)
            return;
        width = innerWidth;
        clearTimeout(later);
        later = setTimeout(redraw, 150);
    });
    addEventListener("beforeprint", beforePrint);
    addEventListener("afterprint", afterPrint);
    root.dataset.ready = "";
})();
