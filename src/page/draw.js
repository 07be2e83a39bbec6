// What Plotly is told of a figure: traces and layout, in the units and colours that are shown.
// Numbers in the figures are SI; NaN is null.
"use strict";
const Draw = (() => {
    // What tells a series apart beside its colour. In 3-D fewer symbols exist.
    const roles = {
        "pinn": { dash: "solid", width: 5, symbol: "circle", size: 11 },
        "direct": { dash: "dash", width: 2, symbol: "square", size: 6 },
        "points": { dash: "solid", width: 2, symbol: "circle", size: 8 },
        "held-out": { dash: "solid", width: 2, symbol: "circle-open", size: 9 },
        "outlier": { dash: "solid", width: 2, symbol: "x", size: 10 },
        "release": { dash: "solid", width: 2, symbol: "triangle-up", flat: "diamond", size: 12 },
        "apex": { dash: "solid", width: 2, symbol: "diamond", size: 12 },
        "target": { dash: "dashdot", width: 3, symbol: "star-square-open", flat: "square-open", size: 12 },
        "expected": { dash: "dot", width: 2, symbol: "line-ew-open", flat: "cross", size: 8 },
        "arm": { dash: "solid", width: 6, symbol: "hexagon", flat: "circle", size: 10 },
        "other": { width: 2, size: 8 },
    };
    const dashes = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];
    const symbols = ["circle", "square", "diamond", "triangle-up", "cross", "x", "star"];
    const flatSymbols = ["circle", "square", "diamond", "cross", "x"];
    const nOthers = 7;

    let units = {}, shownUnits = 0;
    const probe = document.createElement("span");

    // A colour of the style sheet as the theme has it.
    function colour(name, alpha) {
        probe.style.color = `var(--${name})`;
        const parts = getComputedStyle(probe).color.match(/[\d.]+/g) ?? ["0", "0", "0"];
        return `rgba(${parts.slice(0, 3).join(",")},${alpha ?? 1})`;
    }

    // A name that leaves room for what it is the name of; the whole one stands in hovers and tables.
    // Its end stays, which often tells it from others.
    function brief(text, length) {
        const all = [...String(text)], end = Math.floor(0.65 * length);
        return plain(all.length > length
            ? all.slice(0, length - 1 - end).join("").trimEnd() + "…" + all.slice(-end).join("") : text);
    }

    // Plotly reads a little HTML in its texts; what users wrote is none.
    function plain(text) {
        return String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
    }

    function unitOf(axis) {
        const row = units[axis.unit];
        return row ? row[shownUnits] : [axis.unit, 1, 0];
    }
    function unitText(axis) {
        const name = unitOf(axis)[0];
        const known = { "1": "", deg: "°", degC: "°C", degF: "°F" };
        return known[name] ?? name.replace(/\^2(?!\d)/g, "²").replace(/\^3(?!\d)/g, "³");
    }
    function convert(values, axis) {
        const [, slope, offset] = unitOf(axis);
        if (!values || (slope === 1 && offset === 0))
            return values;
        return values.map(v => v === null ? null : slope * v + offset);
    }
    function number(value) {
        if (value === null || value === undefined)
            return "–";
        return String(Number(value.toPrecision(5))).replace("-", "−");
    }
    function amount(value, axis) {
        if (axis.names && Number.isInteger(value))
            return axis.names[value] ?? number(value);
        const unit = unitText(axis);
        return number(value) + (unit === "" ? "" : unit === "°" ? "°" : " " + unit);
    }
    function axisTitle(axis) {
        const unit = unitText(axis);
        return axis.label + (unit === "" ? "" : axis.label === "" ? unit : ` (${unit})`);
    }

    // The figure with its numbers in the units that are shown.
    function shown(figure) {
        return figure.series.map(s => ({
            ...s,
            x: convert(s.x, figure.x),
            y: convert(s.y, figure.y),
            z: convert(s.z, figure.z),
            low: convert(s.low, s.level ? figure.x : figure.y),
            high: convert(s.high, s.level ? figure.x : figure.y),
            cells: s.cells?.map(row => convert(row, figure.z)),
        }));
    }

    // Many points are small ones.
    function sizeOf(l, series) {
        const n = series.x.length;
        return (l.size ?? 8) * (n > 300 ? 0.45 : n > 40 ? 0.65 : 1);
    }

    // Dash, width, symbol and colour of a series, the k-th of its role.
    function look(series, k) {
        const role = roles[series.role] ?? roles.other;
        if (series.role !== "other")
            return { ...role, colour: alpha => colour(`role-${series.role}`, alpha) };
        return {
            ...role, dash: dashes[Math.floor(k / nOthers) % dashes.length],
            symbol: symbols[k % symbols.length], flat: flatSymbols[k % flatSymbols.length],
            colour: alpha => colour(`role-other-${k % nOthers}`, alpha),
        };
    }

    function hover(figure, series) {
        const ends = series.low && series.high;
        return series.x.map((x, i) => {
            const lines = [];
            if (series.name)
                lines.push(`<b>${plain(series.name)}</b>`);
            lines.push(plain(`${figure.x.label || "x"} ${amount(x, figure.x)}`));
            if (series.y)
                lines.push(plain(`${figure.y.label || "y"} ${amount(series.y[i], figure.y)}`));
            if (series.z)
                lines.push(plain(`${figure.z.label || "z"} ${amount(series.z[i], figure.z)}`));
            if (ends) {
                const axis = series.level ? figure.x : figure.y;
                lines.push(plain(`${number(series.low[i])} to ${amount(series.high[i], axis)}`));
            }
            if (series.labels && series.labels[i])
                lines.push(plain(series.labels[i]));
            return lines.join("<br>");
        });
    }

    const hoverBox = { hovertemplate: "%{hovertext}<extra></extra>" };

    // A band is one outline a stretch without gaps; what is under the pointer are its edges.
    function band(figure, series, l) {
        const x = [], y = [];
        let first = 0;
        const n = series.x.length;
        for (let i = 0; i <= n; i++) {
            if (i < n && series.low[i] !== null && series.high[i] !== null && series.x[i] !== null)
                continue;
            if (i > first + 1) {
                const part = [...Array(i - first).keys()].map(k => first + k);
                for (const k of part) { x.push(series.x[k]); y.push(series.high[k]); }
                for (const k of part.reverse()) { x.push(series.x[k]); y.push(series.low[k]); }
                x.push(null);
                y.push(null);
            }
            first = i + 1;
        }
        return [{
            type: "scatter", mode: "lines", x, y, fill: "toself", fillcolor: l.colour(0.22),
            line: { width: 0.5, color: l.colour(0.7) }, hoverinfo: "skip",
        }];
    }

    function intervals(figure, series, l) {
        const middle = series.level ? series.x : series.y;
        const bars = {
            type: "data", symmetric: false, color: l.colour(), thickness: 2, width: 5,
            array: middle.map((v, i) => v === null || series.high[i] === null ? 0 : series.high[i] - v),
            arrayminus: middle.map((v, i) => v === null || series.low[i] === null ? 0 : v - series.low[i]),
        };
        return [{
            type: "scatter", mode: "markers", x: series.x, y: series.y, ...hoverBox,
            marker: { color: l.colour(), symbol: l.symbol, size: l.size ?? 8 },
            [series.level ? "error_x" : "error_y"]: bars, hovertext: hover(figure, series),
        }];
    }

    // Bars are outlines too: the library has none of its own.
    function bars(figure, series, l) {
        const x = [], y = [], sorted = series.x.filter(v => v !== null).sort((a, b) => a - b);
        let width = Infinity;
        for (let i = 1; i < sorted.length; i++)
            if (sorted[i] > sorted[i - 1])
                width = Math.min(width, sorted[i] - sorted[i - 1]);
        if (!isFinite(width))
            width = figure.x.names ? 0.8 : 1;
        const half = 0.5 * (figure.x.names ? 0.7 : 0.98) * width;
        series.x.forEach((v, i) => {
            if (v === null || series.y[i] === null)
                return;
            x.push(v - half, v - half, v + half, v + half, null);
            y.push(0, series.y[i], series.y[i], 0, null);
        });
        return [{
            type: "scatter", mode: "lines", x, y, fill: "toself", fillcolor: l.colour(0.55),
            line: { width: 1, color: l.colour() }, hoverinfo: "skip",
        }, {
            type: "scatter", mode: "markers", x: series.x, y: series.y, showlegend: false, ...hoverBox,
            marker: { color: l.colour(), opacity: 0, size: 12 }, hovertext: hover(figure, series),
        }];
    }

    function mix(a, b, share) {
        const p = a.match(/[\d.]+/g).map(Number), q = b.match(/[\d.]+/g).map(Number);
        return `rgb(${[0, 1, 2].map(i => Math.round(p[i] + share * (q[i] - p[i]))).join(",")})`;
    }

    // From low over nothing to high where there are two signs, else from nothing to low.
    function scale(least, most) {
        const low = colour("cell-low"), none = colour("cell-none"), high = colour("cell-high");
        if (least < 0)
            return [[0, low], [0.5, none], [1, high]];
        return [[0, none], [1, low]];
    }
    function onScale(stops, share) {
        for (let i = 1; i < stops.length; i++)
            if (share <= stops[i][0])
                return mix(stops[i - 1][1], stops[i][1],
                    (share - stops[i - 1][0]) / (stops[i][0] - stops[i - 1][0]));
        return stops[stops.length - 1][1];
    }

    // Half the width of each column about its middle.
    function halves(values) {
        return values.map((v, i) => {
            const gap = values.length < 2 ? 1
                : i === 0 ? values[1] - v : i === values.length - 1 ? v - values[i - 1]
                    : Math.min(values[i + 1] - v, v - values[i - 1]);
            return 0.5 * Math.abs(gap);
        });
    }

    // Cells are rectangles; among names (a correlation) squares as large as what they stand for.
    function cells(figure, series) {
        const all = series.cells.flat().filter(v => v !== null);
        const least = Math.min(0, ...all), most = Math.max(0, ...all);
        const isNamed = figure.x.names && figure.y.names;
        const size = isNamed && least >= -1 && most <= 1 ? 1 : Math.max(-least, most) || 1;
        const range = least < 0 ? [-size, size] : [0, size];
        const stops = scale(least, most), shapes = [], x = [], y = [], z = [], text = [];
        const dx = halves(series.x), dy = halves(series.y);
        series.cells.forEach((row, i) => row.forEach((v, j) => {
            if (v === null)
                return;
            // Cells of a field overlap a little, so that no ground shows between them.
            const share = isNamed ? 0.94 * Math.sqrt(Math.min(1, Math.abs(v) / size)) : 1.02;
            shapes.push({
                type: "rect", layer: "between", line: { width: 0 },
                x0: series.x[j] - share * dx[j], x1: series.x[j] + share * dx[j],
                y0: series.y[i] - share * dy[i], y1: series.y[i] + share * dy[i],
                fillcolor: onScale(stops, (v - range[0]) / (range[1] - range[0])),
            });
            x.push(series.x[j]);
            y.push(series.y[i]);
            z.push(v);
            text.push(plain(`${figure.x.label} ${amount(series.x[j], figure.x)}`) + "<br>" +
                plain(`${figure.y.label} ${amount(series.y[i], figure.y)}`) + "<br><b>" +
                plain(`${figure.z.label} ${amount(v, figure.z)}`) + "</b>");
        }));
        return {
            shapes,
            traces: [{
                type: "scatter", mode: "markers", x, y, showlegend: false, ...hoverBox,
                hovertext: text, marker: {
                    color: z, cmin: range[0], cmax: range[1], colorscale: stops, opacity: 0, size: 14,
                    showscale: true, colorbar: {
                        title: { text: plain(axisTitle(figure.z)), side: "right" }, thickness: 12,
                        tickfont: { color: colour("ink") }, outlinewidth: 0,
                    },
                },
            }],
        };
    }

    function lineOrPoints(figure, series, l) {
        const isLine = series.mark === "line";
        // A single point is no line.
        const mode = isLine && series.x.length > 1 ? "lines" : "markers";
        return [{
            type: "scatter", mode, x: series.x, y: series.y, connectgaps: false, ...hoverBox,
            line: { color: l.colour(), dash: l.dash, width: l.width },
            marker: { color: l.colour(), symbol: l.symbol, size: sizeOf(l, series), line: { width: 1.5, color: l.colour() } },
            hovertext: hover(figure, series),
        }];
    }

    function inSpace(figure, series, l) {
        const isLine = series.mark === "line";
        return [{
            type: "scatter3d", mode: isLine ? "lines" : "markers", x: series.x, y: series.y, z: series.z,
            connectgaps: false, ...hoverBox, hovertext: hover(figure, series),
            line: { color: l.colour(), dash: l.dash, width: l.width + 2 },
            marker: { color: l.colour(), symbol: l.flat ?? l.symbol, size: sizeOf(l, series) / 2 },
        }];
    }

    // Traces of a figure, and the rectangles of its cells.
    function traces(figure) {
        const makers = { band, intervals, bars, line: lineOrPoints, points: lineOrPoints };
        const all = [], shapes = [], names = new Set();
        let nOther = 0;
        for (const series of shown(figure)) {
            // A band has the look of what comes over it.
            const isNext = series.role === "other" && series.mark !== "band";
            const l = look(series, series.role !== "other" ? 0 : isNext ? nOther++ : nOther);
            let made;
            if (series.mark === "cells") {
                const c = cells(figure, series);
                shapes.push(...c.shapes);
                made = c.traces;
            } else {
                made = (figure.space ? inSpace : makers[series.mark])(figure, series, l);
            }
            made.forEach((trace, i) => {
                trace.name = brief(series.name ?? "", 32);
                trace.showlegend = trace.showlegend !== false && i === 0 && !!series.name &&
                    !names.has(series.name + series.mark);
                if (series.name)
                    trace.legendgroup = plain(series.name);
            });
            names.add(series.name + series.mark);
            all.push(...made);
        }
        return { traces: all, shapes };
    }

    // Long titles go on in a second line.
    function broken(text, length) {
        const lines = [""];
        for (const word of text.split(" ")) {
            const last = lines[lines.length - 1];
            if (last !== "" && [...last].length + word.length >= length)
                lines.push(word);
            else
                lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
        }
        return lines.map(plain).join("<br>");
    }

    function axisLayout(axis, extra) {
        const made = {
            title: { text: broken(axisTitle(axis), 28), standoff: 8 }, gridcolor: colour("grid"),
            zerolinecolor: colour("line"), linecolor: colour("soft"), tickcolor: colour("soft"),
            showline: true, ticks: "outside", automargin: true, exponentformat: "power", ...extra,
        };
        if (axis.log)
            made.type = "log";
        if (axis.names)
            Object.assign(made, {
                tickmode: "array", tickvals: axis.names.map((_, i) => i),
                ticktext: axis.names.map(name => brief(name, innerWidth < 500 ? 11 : 16)), range: [-0.6, axis.names.length - 0.4],
            });
        return made;
    }

    // height: of the axes; the legend stands above them.
    function common(figure, width, height, traces) {
        const top = legendHeight(width, traces);
        return {
            width, height: height + top, margin: { l: 8, r: 8, t: 8 + top, b: 8 }, showlegend: true,
            paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
            font: { family: getComputedStyle(document.body).fontFamily, size: 13, color: colour("ink") },
            legend: {
                orientation: "h", xref: "container", x: 0, xanchor: "left", yref: "container", y: 1,
                yanchor: "top", font: { size: 12 }, itemsizing: figure.space ? "constant" : "trace",
            },
            hovermode: "closest", uirevision: shownUnits,
            hoverlabel: {
                bgcolor: colour("surface"), bordercolor: colour("soft"), align: "left",
                font: { color: colour("ink"), size: 13 },
            },
            dragmode: matchMedia("(pointer: coarse)").matches ? false : "zoom",
        };
    }

    // What the legend takes above the axes: one line, or columns as wide as its widest entry.
    function legendHeight(width, traces) {
        const entries = traces.filter(t => t.showlegend).map(t => 48 + 7 * t.name.length);
        if (entries.length === 0)
            return 0;
        const inOne = entries.reduce((a, b) => a + b, 0) <= width - 16;
        const columns = Math.max(1, Math.floor((width - 16) / Math.max(...entries)));
        return 12 + 19 * (inOne ? 1 : Math.ceil(entries.length / columns));
    }

    // How high the axes are: where a metre is as long along both axes, what the numbers need.
    function heightOf(figure, width, made) {
        if (figure.space)
            return Math.max(320, Math.min(560, 0.75 * width));
        const named = figure.y.names ? 110 + 30 * figure.y.names.length : 0;
        if (made.shapes.length > 0 && figure.x.names)
            return Math.min(Math.max(280, 0.9 * width), named + 60, 720);
        if (named)
            return Math.max(220, named);
        if (figure.equal) {
            const span = key => {
                const all = made.traces.flatMap(t => t[key] ?? []).filter(v => v !== null);
                return Math.max(...all) - Math.min(...all);
            };
            const ratio = span("y") / span("x");
            if (isFinite(ratio))
                return Math.max(240, Math.min(560, 110 + ratio * 0.9 * (width - 70)));
        }
        return Math.max(260, Math.min(380, 0.62 * width));
    }

    // Seen a little from above and from before the flight, from as far as the box is deep.
    function cameraOf(ratio) {
        const far = Math.max(0.9, 0.72 + 0.48 * ratio.y) * Math.max(1, ratio.z / ratio.x);
        return { eye: { x: 0.55 * far, y: -1.45 * far, z: 0.6 * far }, center: { x: 0, y: 0, z: -0.12 * far } };
    }

    // Lengths keep their proportions, but that none is shown shorter than a share of the longest: a
    // fifth where a metre is to be as long along all axes, else more.
    function scene(figure, made) {
        const keys = ["x", "y", "z"], ranges = {}, ratio = {};
        for (const key of keys) {
            const all = made.traces.flatMap(t => t[key] ?? []).filter(v => v !== null);
            ranges[key] = [Math.min(...all), Math.max(...all)];
        }
        const longest = Math.max(...keys.map(k => ranges[k][1] - ranges[k][0])) || 1;
        const isOfLengths = figure.x.unit === figure.y.unit && figure.y.unit === figure.z.unit;
        for (const key of keys) {
            const middle = (ranges[key][0] + ranges[key][1]) / 2;
            const extent = ranges[key][1] - ranges[key][0];
            const span = figure.equal ? Math.max(extent, 0.2 * longest) : extent || 1;
            ranges[key] = [middle - 0.54 * span, middle + 0.54 * span];
            ratio[key] = figure.equal ? 1.5 * span / longest
                : isOfLengths ? 1.5 * Math.max(extent / longest, 0.4) : 1;
        }
        const axis = key => ({
            ...axisLayout(figure[key]), showbackground: false, automargin: undefined,
            range: figure[key].names ? undefined : ranges[key],
        });
        return {
            xaxis: axis("x"), yaxis: axis("y"), zaxis: axis("z"), aspectmode: "manual",
            aspectratio: ratio, dragmode: "turntable", camera: cameraOf(ratio), uirevision: shownUnits,
        };
    }

    function layout(figure, width, made) {
        const l = common(figure, width, heightOf(figure, width, made), made.traces);
        if (figure.space) {
            l.scene = scene(figure, made);
            return l;
        }
        l.xaxis = axisLayout(figure.x);
        l.yaxis = axisLayout(figure.y, figure.equal ? { scaleanchor: "x", scaleratio: 1 } : {});
        if (made.shapes.length > 0) {
            l.shapes = made.shapes;
            l.xaxis.showgrid = l.yaxis.showgrid = l.xaxis.zeroline = l.yaxis.zeroline = false;
            l.xaxis.constrain = l.yaxis.constrain = "domain";
            if (figure.x.names && figure.y.names)
                Object.assign(l.yaxis, { scaleanchor: "x", scaleratio: 1 });
        }
        return l;
    }

    // From the side and from the top, under each other, of a figure in space.
    function flat(figure, width) {
        const side = { ...figure, space: false, y: figure.z, series: figure.series.map(s => ({ ...s, y: s.z, z: null })) };
        const top = { ...figure, space: false, series: figure.series.map(s => ({ ...s, z: null })) };
        const a = traces(side), b = traces(top);
        for (const trace of b.traces)
            Object.assign(trace, { xaxis: "x2", yaxis: "y2", showlegend: false });
        const l = common(figure, width, Math.max(400, Math.min(500, width)), a.traces);
        const equal = n => figure.equal ? { scaleanchor: n, scaleratio: 1 } : {};
        l.xaxis = axisLayout(figure.x, { anchor: "y" });
        l.yaxis = axisLayout(figure.z, { ...equal("x"), domain: [0.56, 1] });
        l.xaxis2 = axisLayout(figure.x, { anchor: "y2" });
        l.yaxis2 = axisLayout(figure.y, { ...equal("x2"), domain: [0, 0.4], anchor: "x2" });
        return { data: [...a.traces, ...b.traces], layout: l };
    }

    return {
        begin(table, name) {
            units = table;
            probe.hidden = true;
            document.body.append(probe);
            this.setUnits(name);
        },
        setUnits(name) { shownUnits = ["si", "metric", "imperial"].indexOf(name); },
        // What Plotly is given for a figure of this width; is_flat: without a third dimension.
        figure(figure, width, isFlat) {
            if (figure.space && isFlat)
                return flat(figure, width);
            const made = traces(figure);
            return { data: made.traces, layout: layout(figure, width, made) };
        },
        shown, axisTitle, number, amount,
    };
})();
