// Workbooks and packages that grow: a piece of a sound one is repeated, nested in itself or drawn out, as often as its seed says.
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import type { Random } from "../../kit/random.ts";

/** How a mutant is sent. */
export type Way = "workbook" | "archive" | "body";

const SIZE_MAX = 24 * 1024 ** 2;
/** A body up to this is read in a thread. */
const BODY_MAX = 1024 ** 2 - 1024;

/** A JSON package, file by file. */
type Files = Readonly<Record<string, string>>;

const PACKAGE: Files = {
  "ocf_manifest.json": JSON.stringify({
    file_type: "OCF_MANIFEST_FILE",
    ocf_version: "1.2.0",
    issuer: { id: "issuer", object_type: "ISSUER", legal_name: "Acme", formation_date: "2019-05-01" },
  }),
  "stakeholders.json": JSON.stringify({
    file_type: "OCF_STAKEHOLDERS_FILE",
    items: ["a", "b"].map((id) => ({ object_type: "STAKEHOLDER", id, name: { legal_name: id }, comments: ["x"] })),
  }),
  "transactions.json": JSON.stringify({
    file_type: "OCF_TRANSACTIONS_FILE",
    items: [{ object_type: "TX_STOCK_ISSUANCE", id: "t", security_id: "s", date: "2020-01-01", stakeholder_id: "a" }],
  }),
};

/** A piece of a text that begins and ends as a value or an element does. */
function pieceOf(text: string, random: Random): { readonly from: number; readonly to: number } {
  const pieces = [
    ...text.matchAll(/<[a-zA-Z]+[^<>]*\/>|<([a-zA-Z]+)[^<>]*>[^<>]*<\/\1>|\{[^{}]*\}|"[^"]*"|\[[^[\]]*\]/g),
  ];
  const piece = pieces[random.below(Math.max(1, pieces.length))];
  const from = piece?.index ?? 0;
  return { from, to: from + (piece?.[0].length ?? text.length) };
}

/** The text with one of its pieces grown. */
function grown(text: string, random: Random, sizeMax: number): string {
  const { from, to } = pieceOf(text, random);
  const piece = text.slice(from, to);
  const times = 1 + random.below(Math.max(1, Math.floor(sizeMax / Math.max(8, piece.length * 2)) >> random.below(12)));
  const isXml = piece.startsWith("<");
  const grow = [
    () => (isXml ? piece : `${piece},`).repeat(times) + piece,
    () => (isXml ? "<a>".repeat(times) + piece + "</a>".repeat(times) : "[".repeat(times) + piece + "]".repeat(times)),
    () => (isXml ? `<t>${"x".repeat(times)}</t>` : JSON.stringify("x".repeat(times))),
    () => (isXml ? piece.replace(/\/?>/, (end) => ` ${attributes(times)}${end}`) : `{${names(times)}}`),
  ][random.below(4)];
  return text.slice(0, from) + (grow?.() ?? piece) + text.slice(to);
}

function names(count: number): string {
  return Array.from({ length: Math.min(count, 500_000) }, (_, at) => `"m${at}":${at % 7}`).join(",");
}

function attributes(count: number): string {
  return Array.from({ length: Math.min(count, 20_000) }, (_, at) => `q${at}="1"`).join(" ");
}

/** A mutant: how it is sent, and its bytes. */
export function mutantOf(sound: Uint8Array, random: Random): { readonly way: Way; readonly bytes: Uint8Array } {
  const way: Way = random.below(4) > 0 ? "body" : random.below(2) === 0 ? "workbook" : "archive";
  const sizeMax = way === "body" ? BODY_MAX : SIZE_MAX;
  const files: Files =
    way === "workbook"
      ? Object.fromEntries(Object.entries(unzipSync(sound)).map(([name, bytes]) => [name, strFromU8(bytes)]))
      : PACKAGE;
  const all = Object.entries(files);
  const chosen = random.below(all.length);
  const made = all.map(([name, text], at) => [name, at === chosen ? grown(text, random, sizeMax) : text] as const);
  if (way !== "body")
    return { way, bytes: zipSync(Object.fromEntries(made.map(([n, t]) => [n, strToU8(t)])), { level: 1 }) };
  const [[, manifest = "{}"] = [], ...others] = made;
  const entities = others.map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return { way, bytes: strToU8(`{"manifest":${manifest},"entityFiles":{${entities.join(",")}}}`) };
}
