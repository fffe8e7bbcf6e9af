// From a file's bytes to a JSON value, for files that anybody may have made: wrong encodings, wild nesting and
// duplicate keys are said in words, and nothing here throws. Pure.
import type { Findings, Place } from "./finding.ts";
import { isObject } from "./json.ts";

/** Levels of nesting that a file may have; as in a request body (DECISIONS section 4). */
const NESTING_MAX = 64;

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Reads JSON; what is wrong becomes a finding, and the value undefined. Of duplicate keys the last counts. */
export function readJson(bytes: Uint8Array, place: Place, findings: Findings): unknown {
  const scan = scanJson(bytes);
  if (scan.depth > NESTING_MAX) {
    const detail = `The file is nested deeper than ${NESTING_MAX} levels.`;
    findings.problem("too-deep", place, detail, "No OCF file is nested like that; export it again.");
    return undefined;
  }
  const text = decode(bytes, place, findings);
  if (text === null) return undefined;
  const value = parse(text, place, findings);
  if (value !== undefined && countMembers(value) < scan.colons) noteDuplicate(text, place, findings);
  return value;
}

/** The deepest nesting of brackets, and the number of colons, outside of texts. */
function scanJson(bytes: Uint8Array): { depth: number; colons: number } {
  let [depth, deepest, colons, inText] = [0, 0, 0, false];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) inText = !inText;
    else if (inText) i += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) deepest = Math.max(deepest, ++depth);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    else if (byte === COLON) colons++;
  }
  return { depth: deepest, colons };
}

function decode(bytes: Uint8Array, place: Place, findings: Findings): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.startsWith("\ufeff")) return text;
    const detail = "The file starts with a byte order mark, which some readers of JSON refuse.";
    findings.warning("byte-order-mark", place, detail, "Save it as UTF-8 without BOM.");
    return text.slice(1);
  } catch {
    const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const detail = `The file is not UTF-8 text${utf16 ? " but UTF-16" : ""}.`;
    findings.problem("not-utf8", place, detail, "Save it with the encoding UTF-8.");
    return null;
  }
}

function parse(text: string, place: Place, findings: Findings): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "";
    const detail = text.trim() === "" ? "The file is empty." : `The file is not JSON (${reason}).`;
    const fix =
      "Look for a missing comma, bracket or quotation mark, or a file that was cut short; or export it again.";
    findings.problem("not-json", place, detail, fix);
    return undefined;
  }
}

function countMembers(root: unknown): number {
  let count = 0;
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    if (!Array.isArray(value)) count += inner.length;
    for (const each of inner) if (each !== null && typeof each === "object") pending.push(each);
  }
  return count;
}

function noteDuplicate(text: string, place: Place, findings: Findings): void {
  const found = firstDuplicate(text);
  const where = found ? `, first ${found.key} in line ${found.line}` : "";
  const detail = `An object in the file has a field twice${where}; only the last one counts.`;
  findings.warning("duplicate-field", place, detail, "Remove the field that is not meant.");
}

/** The first key that its object has twice. `text` is valid JSON. */
function firstDuplicate(text: string): { key: string; line: number } | null {
  const open: (Set<string> | null)[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[[\]{}]|\n/g;
  let line = 1;
  for (const [token, colon] of text.matchAll(tokens)) {
    if (token === "\n") line++;
    else if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined) {
      const key = token.slice(0, -colon.length);
      const name = String(JSON.parse(key));
      const members = open.at(-1);
      if (members?.has(name)) return { key: key.slice(0, 60), line };
      members?.add(name);
    }
  }
  return null;
}
