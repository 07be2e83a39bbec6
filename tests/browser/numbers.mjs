// Numbers of figures, of CSV files and of texts, compared.
import assert from 'node:assert/strict';

// Nine digits stand on a page.
export function near(found, expected, what, relative = 6e-9) {
    assert.ok(Math.abs(found - expected) <= relative * Math.max(Math.abs(expected), 1e-300) ||
        found === expected, `${what}: ${found} instead of ${expected}`);
}

export function finite(values) {
    return (values ?? []).filter((v) => v !== null && Number.isFinite(v));
}

export function least(values) {
    return values.reduce((a, b) => Math.min(a, b), Infinity);
}

export function most(values) {
    return values.reduce((a, b) => Math.max(a, b), -Infinity);
}

// As many numbers, and from where to where they go.
export function sameExtent(found, expected, what) {
    const a = finite(found);
    const b = finite(expected);
    assert.equal(a.length, b.length, `${what}: how many numbers`);
    if (b.length === 0) return;
    near(least(a), least(b), `${what}: the least`);
    near(most(a), most(b), `${what}: the greatest`);
}

// All numbers of a text.
export function numbersIn(text) {
    return (text.replaceAll('−', '-').match(/-?\d+(\.\d+)?(e[-+]?\d+)?/gi) ?? []).map(Number);
}

// Rows of a CSV file by their headings; what is quoted may hold commas and line breaks.
export function readCsv(text) {
    const rows = [];
    let row = [];
    for (const [, quoted, plain, end] of text.matchAll(
        /(?:"((?:[^"]|"")*)"|([^",\n\r]*))(,|\r?\n|$)/g)) {
        row.push(quoted !== undefined ? quoted.replaceAll('""', '"') : plain);
        if (end === ',') continue;
        if (row.length > 1 || row[0] !== '') rows.push(row);
        row = [];
    }
    const lines = rows.filter((cells) => !cells[0].startsWith('#'));
    const names = lines.shift() ?? [];
    return lines.map((cells) => Object.fromEntries(cells.map((cell, i) => [names[i], cell])));
}
