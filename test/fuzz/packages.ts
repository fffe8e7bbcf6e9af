// Hostile packages and archives, grown from the project's own small one.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { SMALL } from "../exchange/ocf/fixture.ts";
import type { Pick } from "../kit/random.ts";
import { damaged, mutateJson } from "../matrix/mutants.ts";

type Fields = Record<string, unknown>;

const FILES = readdirSync(SMALL).map((name) => ({
  name,
  content: JSON.parse(readFileSync(join(SMALL, name), "utf8")) as Fields,
}));
const MANIFEST = FILES.find(({ name }) => name === "ocf_manifest.json")?.content ?? {};
const ITEM_FILES = FILES.filter(({ content }) => Array.isArray(content.items));
const OBJECTS = ITEM_FILES.flatMap(({ content }) => content.items as Fields[]);
const NAMES = [...new Set(OBJECTS.flatMap((object) => Object.keys(object)))];
/** Every id that an object of the package has or names. */
const IDS = [...new Set(OBJECTS.flatMap(({ id, security_id }) => [id, security_id]).filter((id) => id !== undefined))];
const TYPES = [...new Set(OBJECTS.map(({ object_type }) => object_type))];

const DATES = ["2019-01-01", "2020-02-29", "2023-06-30", "2031-01-01", "9999-12-31", "2026-02-30", "2026-01-01T00:00Z"];
const NUMBERS = [
  "0",
  "-1",
  "+5",
  "1e3",
  "00012.50",
  "999999999999999",
  "1000000000000000",
  "0.00000000001",
  "1",
  "33.5",
];
const FILE_NAMES = [
  "../../etc/passwd",
  "..\\stakeholders.json",
  "/stakeholders.json",
  "C:/stakeholders.json",
  "__proto__",
  "constructor",
  "a/../b.json",
  "",
  ".json",
  "stakeholders.json/",
  "\u0000.json",
  `${"deep/".repeat(200)}x.json`,
  `${"x".repeat(5000)}.json`,
];

/** A name as long as `__proto__`, which the packer would not pack. */
const STAND_IN = "PROTOTYPE";

function one<T>(list: readonly T[], pick: Pick): T {
  return list[pick(list.length)] as T;
}

/** A package as texts by file name: some objects, in any order, some of them not as they should be. */
export function hostileFiles(pick: Pick): Map<string, string> {
  const files = new Map<string, string>();
  for (const { name, content } of ITEM_FILES) {
    const items = shuffled(content.items as Fields[], pick)
      .filter(() => pick(8) > 0)
      .flatMap((item) => hostileObjects(item, pick));
    const text = `{"file_type":${JSON.stringify(content.file_type)},"items":[${items.join(",")}]}`;
    files.set(
      pick(40) === 0 ? one(FILE_NAMES, pick) : name,
      pick(40) === 0 ? mutateJson(content, ["items"], 2, pick) : text,
    );
  }
  const manifest = pick(10) === 0 ? mutateJson(MANIFEST, Object.keys(MANIFEST), 2, pick) : JSON.stringify(MANIFEST);
  files.set("ocf_manifest.json", manifest);
  return files;
}

/** An object of a package, as it is or changed; now and then twice. */
function hostileObjects(item: Fields, pick: Pick): string[] {
  if (pick(3) > 0) return [JSON.stringify(item)];
  const changed = { ...item };
  for (let changes = pick(3); changes > 0; changes--) {
    const name = one(Object.keys(changed), pick);
    const value = changed[name];
    if (name === "object_type") changed[name] = one(TYPES, pick);
    else if (/^\d{4}-\d\d-\d\d/.test(String(value))) changed[name] = one(DATES, pick);
    else if (/^-?\d+(\.\d+)?$/.test(String(value))) changed[name] = one(NUMBERS, pick);
    else if (name === "id" || /_ids?$/.test(name))
      changed[name] = Array.isArray(value) ? [one(IDS, pick)] : one(IDS, pick);
    else if (pick(2) === 0) delete changed[name];
  }
  const text = mutateJson(changed, NAMES, pick(3), pick);
  return pick(12) === 0 ? [text, text] : [text];
}

function shuffled<T>(list: readonly T[], pick: Pick): T[] {
  const left = [...list];
  if (pick(3) > 0) return left;
  return list.map(() => left.splice(pick(left.length), 1)[0] as T);
}

/** The body of an import over the API. */
export function importBody(files: ReadonlyMap<string, string>, pick: Pick): string {
  const entities = [...files].filter(([name]) => name !== "ocf_manifest.json");
  const members = entities.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",");
  const text = `{"manifest":${files.get("ocf_manifest.json")},"entityFiles":{${members}}}`;
  return pick(20) === 0 ? damaged(text, ["manifest", "entityFiles"], pick) : text;
}

/** The package as a zip archive, some of whose files are no longer JSON. */
export function archiveOf(files: ReadonlyMap<string, string>, pick: Pick): Uint8Array {
  const entries: Record<string, Uint8Array> = {};
  for (const [name, text] of files) {
    const bytes = Buffer.from(pick(20) === 0 ? damaged(text, NAMES, pick) : text);
    if (pick(40) === 0 && bytes.length > 0) bytes[pick(bytes.length)] = pick(256);
    entries[name === "__proto__" ? STAND_IN : name] = bytes;
  }
  const archive = Buffer.from(zipSync(entries, { level: pick(2) === 0 ? 0 : 6 }));
  for (let at = archive.indexOf(STAND_IN); at >= 0; at = archive.indexOf(STAND_IN)) archive.write("__proto__", at);
  return archive;
}

/** A copy of an archive with some of its bytes changed, cut out or repeated: lengths, offsets, names and all. */
export function brokenArchive(archive: Uint8Array, pick: Pick): Uint8Array {
  let bytes = Buffer.from(archive);
  for (let changes = 1 + pick(6); changes > 0 && bytes.length > 0; changes--) {
    const at = pick(3) === 0 ? Math.max(0, bytes.length - 1 - pick(600)) : pick(bytes.length);
    switch (pick(6)) {
      case 0:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << pick(8));
        break;
      case 1:
        bytes.fill(pick(2) === 0 ? 0xff : 0, at, Math.min(at + 4, bytes.length));
        break;
      case 2:
        bytes = bytes.subarray(0, at);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + pick(64))]);
        break;
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(pick(bytes.length), bytes.length)]);
        break;
      default:
        bytes[at] = pick(256);
    }
  }
  return bytes;
}
