// Draws `docs/cap-table.svg`, the README's picture: what `captable cap-table` shows at the end of docs/first-hour.md, as a
// terminal shows it. `bun .ci/picture.ts` draws it anew.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const [CHARACTER_WIDTH, LINE_HEIGHT, MARGIN] = [7.8, 19, 18];
const MARKS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** The cap table that a founder's first hour ends with. Throws where the document shows none. */
export function lastTable(): string {
  const hour = readFileSync(join(ROOT, "docs/first-hour.md"), "utf8");
  const found = /^HOLDER [\s\S]*?^Total .*$/m.exec(hour);
  if (found === null) throw new Error("docs/first-hour.md shows no cap table");
  return found[0];
}

/** A terminal that shows this text, and the command that printed it. */
export function pictureOf(text: string): string {
  const lines = ["$ captable cap-table", "", ...text.split("\n")];
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * CHARACTER_WIDTH + 2 * MARGIN);
  const height = lines.length * LINE_HEIGHT + 2 * MARGIN;
  const rows = lines.map((line, i) => {
    const shown = line.replace(/[&<>]/g, (mark) => MARKS[mark] ?? mark);
    return `<text x="${MARGIN}" y="${MARGIN + 14 + i * LINE_HEIGHT}" xml:space="preserve">${shown}</text>\n`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n` +
    `<title>captable cap-table in a terminal</title>\n` +
    `<rect width="100%" height="100%" rx="8" fill="#10151c"/>\n` +
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" fill="#e6edf3">\n${rows.join("")}</g>\n</svg>\n`
  );
}

if (import.meta.main) writeFileSync(join(ROOT, "docs/cap-table.svg"), pictureOf(lastTable()));
