// Parses JSON from a file's bytes, which may come from a stranger: wrong encodings and duplicate keys are reported in
// words. Pure.
import type { ValueMeter } from "./bounds.ts";
import type { Findings, Place } from "./finding.ts";
import { isObject } from "./json.ts";

/**
 * Reads JSON; what is wrong becomes a finding, and the value undefined. Of duplicate keys the last counts. Throws
 * `file-too-complex` beyond what `meter` allows.
 */
export function readJson(bytes: Uint8Array, place: Place, { findings, meter }: JsonReading): unknown {
  const members = meter.count(bytes);
  const text = decode(bytes, place, findings);
  if (text === null) return undefined;
  const value = parse(text, place, findings);
  if (value !== undefined && countMembers(value) < members) noteDuplicate(text, place, findings);
  return value;
}

/** The collector of faults, and the counter of values. */
export interface JsonReading {
  readonly findings: Findings;
  readonly meter: ValueMeter;
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
