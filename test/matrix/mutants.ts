// Hostile bodies grown from a schema's own example: one to four places of it replaced by hostile values.
import type { SeriesRoute, WriteRoute } from "../../src/resources/route.ts";
import type { Pick } from "../kit/random.ts";

/** JSON texts: some of these no JSON.stringify would write. */
const NASTY: readonly string[] = [
  "null",
  "true",
  "0",
  "-1",
  "1e400",
  "1e-400",
  "1e309",
  "-1E999",
  "-0",
  "9007199254740993",
  "123456789012345678901234567890",
  "0.1",
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e\\u2066"',
  '"\\ufeff"',
  '"’; DROP TABLE stakeholders; --"',
  `"' OR 1=1 --"`,
  '"%_%"',
  '"../../etc/passwd"',
  '"<script>alert(1)</script>"',
  '"__proto__"',
  '"constructor"',
  '"NaN"',
  '"Infinity"',
  '"1e9"',
  '"-1"',
  '"00000000000000000000.1"',
  '"999999999999999.9999999999"',
  '"0000-01-01"',
  '"9999-12-31"',
  '"2024-02-30"',
  '"10000-01-01"',
  "[]",
  "[[]]",
  "[null]",
  "[{}]",
  "{}",
  '{"toString":1}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"length":1e9}',
  '{"then":"x"}',
  '{"toJSON":"x"}',
  '{"a":1,"a":2}',
  `"${"x".repeat(100_000)}"`,
  `"${"😀".repeat(5000)}"`,
  `"${"\\u0301".repeat(3000)}"`,
  `[${"1,".repeat(20_000)}1]`,
  `${"[".repeat(60)}${"]".repeat(60)}`,
  `${'{"a":'.repeat(60)}1${"}".repeat(60)}`,
  `${"[".repeat(500)}${"]".repeat(500)}`,
  `{${Array.from({ length: 2000 }, (_, i) => `"k${i}":${i}`).join(",")}}`,
];

const EXTRA_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "",
  "\u0000",
  "\ud800",
  "id",
];

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Placeholders stand where nasty texts go, so that they reach the wire as they are. */
const PLACEHOLDER = /"@@(\d+)@@"/g;

/** Any JSON value with some of its places replaced, as text; `names` are members that its objects may have. */
export function mutateJson(value: unknown, names: readonly string[], changes: number, pick: Pick): string {
  const copy = structuredClone(value) as Json;
  for (let left = changes; left > 0; left--) change(copy, names, pick);
  return written(copy);
}

/** The JSON text in which nasty texts stand as they are. */
function written(value: Json): string {
  return JSON.stringify(value).replace(PLACEHOLDER, (_, index: string) => NASTY[Number(index)] ?? "null");
}

/** One hostile body, as the text to send. */
export function mutate(route: WriteRoute | SeriesRoute, example: unknown, pick: Pick): string {
  const body = structuredClone(example ?? {}) as Json;
  const names = Object.keys(route.body?.properties ?? {});
  for (let changes = 1 + pick(4); changes > 0; changes--) change(body, names, pick);
  return damaged(written(body), names, pick);
}

/** The text, one in eight times no longer JSON, or JSON that says a thing twice. */
export function damaged(text: string, names: readonly string[], pick: Pick): string {
  const nasty = NASTY[pick(NASTY.length)] ?? "";
  switch (pick(64)) {
    case 0:
      return text.slice(0, pick(text.length));
    case 1:
      return `${text}${text}`;
    case 2:
      return nasty;
    case 3:
      return `\ufeff${text}`;
    case 4:
      return text.replace(/:[^,:]*,/, ":NaN,");
    case 5:
      return text.replace("{", `{${JSON.stringify(names[pick(names.length)] ?? "id")}:${nasty},`);
    case 6:
      return text.replace(/}$/, `,${JSON.stringify(names[pick(names.length)] ?? "id")}:${nasty}}`);
    case 7:
      return text.replaceAll('"', pick(2) === 0 ? "'" : "");
    default:
      return text;
  }
}

const NASTY_QUERY = [
  "",
  "%00",
  "%ff",
  "%ED%A0%80",
  "%25_%5C",
  "%",
  "'%20OR%201=1--",
  "x".repeat(600),
  "%F0%9F%98%80".repeat(201),
  "[]",
  "1e3",
  "-0",
  "99999999999999999999",
  "0000-00-00",
  "9999-12-31",
  "2026-06-15T09:00:00Z",
  "%C3%89",
  "__proto__",
  "+",
];
const EXTRA_PARAMETERS = ["__proto__", "constructor", "", "%00", "limit[]", "LIMIT", "colour"];

/** A query with some parameter's value replaced, repeated, or unheard of; as it goes behind the `?`. */
export function mutateQuery(query: URLSearchParams, names: readonly string[], pick: Pick): string {
  const known = names.length > 0 && pick(5) > 0 ? names : EXTRA_PARAMETERS;
  const name = known[pick(known.length)] ?? "";
  if (pick(4) > 0) query.delete(name);
  const nasty = `${name}=${NASTY_QUERY[pick(NASTY_QUERY.length)]}`;
  const rest = query.toString();
  return rest === "" ? nasty : `${rest}&${nasty}`;
}

function change(body: Json, names: readonly string[], pick: Pick): void {
  if (typeof body !== "object" || body === null) return;
  const nasty = `@@${pick(NASTY.length)}@@`;
  if (Array.isArray(body)) {
    const place = pick(body.length + 1);
    const inner = body[place];
    if (typeof inner === "object" && inner !== null && pick(2) === 0) change(inner, [], pick);
    else body[place] = nasty;
    return;
  }
  const known = names.length > 0 ? names : Object.keys(body);
  const isExtra = known.length === 0 || pick(8) === 0;
  const name = (isExtra ? EXTRA_NAMES[pick(EXTRA_NAMES.length)] : known[pick(known.length)]) ?? "";
  const inner = Object.hasOwn(body, name) ? body[name] : undefined;
  if (typeof inner === "object" && inner !== null && pick(2) === 0) change(inner, [], pick);
  else if (pick(6) === 0) delete body[name];
  // A plain assignment would set the prototype.
  else Object.defineProperty(body, name, { value: nasty, enumerable: true, configurable: true, writable: true });
}

/** Content types to send bodies with; mostly the right one. */
export const CONTENT_TYPES = [
  ...Array.from({ length: 20 }, () => "application/json"),
  "application/json; charset=utf-8",
  "application/json; charset=utf-16",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/plain",
  "application/octet-stream",
];
