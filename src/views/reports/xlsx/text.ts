// Text inside a workbook: what XML forbids is written as Excel writes it, and what a spreadsheet would compute is marked.

/** The most UTF-16 units that a cell takes. */
const UNITS_MAX = 32_767;

/** Characters that a spreadsheet reads as the start of a formula when a user edits the cell. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are among what begins one
const FORMULA = /^[=+\-@\t\r\n\u0000\uff1d\uff0b\uff0d\uff20]/;

/** Whether a text would run as a formula when a user edits its cell, or opens it as CSV. */
export function beginsFormula(text: string): boolean {
  return FORMULA.test(text);
}

/** Whether a text is too long for a cell. */
export function isCut(text: string): boolean {
  return text.length > UNITS_MAX;
}

/** The text as far as a cell takes it. */
function cut(text: string): string {
  if (!isCut(text)) return text;
  const kept = text.slice(0, UNITS_MAX - 1);
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

/** What XML 1.0 cannot say, and what looks like Excel's way of saying it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what cannot be said
const UNSAYABLE = /[\u0000-\u0008\u000b\u000c\r\u000e-\u001f\ufffe\uffff]|_(?=x[0-9a-f]{4}_)/gi;
const MARKUP = /[&<>"]/g;
const MARKUP_INSIDE = /[&<>]/g;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function hexed(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
}

/** What most texts are: nothing to escape, and no half of a surrogate pair. */
const PLAIN = /^[ !#-%'-;=?-^`-\ud7ff]*$/;
/** The same inside an element, where quotes stand as they are: JSON is full of them. */
const PLAIN_INSIDE = /^[ -%'-;=?-^`-\ud7ff]*$/;

/** A text for an attribute, or an element. */
export function xmlText(text: string): string {
  if (PLAIN.test(text)) return cut(text);
  return escaped(text, MARKUP);
}

/** What of a text a reader of XML may take for layout. */
const LAYOUT = /^\s|\s$|\s\s|[\t\n\r]/;

/** The element of a cell's text. */
export function textElement(text: string): string {
  const space = LAYOUT.test(text) ? ' xml:space="preserve"' : "";
  return `<t${space}>${PLAIN_INSIDE.test(text) ? cut(text) : escaped(text, MARKUP_INSIDE)}</t>`;
}

function escaped(text: string, markup: RegExp): string {
  return cut(text.toWellFormed())
    .replace(UNSAYABLE, hexed)
    .replace(markup, (sign) => ENTITIES[sign] ?? sign);
}

/** A text in a header or footer, where `&` begins a code. */
export function footerText(text: string): string {
  return text.replaceAll("&", "&&");
}
