// Folders that the pages pack: what reads zips elsewhere, and the import, find every file as it was.
import { expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { Findings } from "../../src/exchange/ocf/finding.ts";
import { zipEntries } from "../../src/exchange/ocf/zip-read.ts";
import { packageOfFolder } from "../../src/web/pages/ocf/package.ts";
import { zipOf } from "../../src/web/pages/ocf/zip.ts";

const LIMITS = { bytesMax: 1e9, ratioMax: 1000, entriesMax: 1000, mayOverlap: false };
/** Nothing, a byte, names beyond ASCII, what packs well, and more than any piece of a stream, which does not. */
const CONTENTS: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  "Empty.ocf.json": new Uint8Array(0),
  "One.ocf.json": new Uint8Array([123]),
  "Größe/資本.ocf.json": new TextEncoder().encode('{"name":"Ümläut"}'),
  "Long.ocf.json": new Uint8Array(200_000).fill(32),
  "Random.ocf.json": Uint8Array.from({ length: 300_000 }, (_, at) => (at * at * 2654435761) >>> 13),
};

const packed = async () =>
  new Uint8Array(
    await (await zipOf(Object.entries(CONTENTS).map(([path, bytes]) => [path, new Blob([bytes])]))).arrayBuffer(),
  );

/** What the import reads of a zip, and what it finds wrong. */
async function imported(bytes: Uint8Array) {
  const findings = new Findings();
  const read: Record<string, Uint8Array | null> = {};
  for (const entry of zipEntries(bytes, findings, LIMITS)) read[entry.name] = await entry.read(findings);
  return { read, findings: findings.list.length };
}

test("a zip that is packed holds every file under its path", async () => {
  const bytes = await packed();
  expect(unzipSync(bytes)).toEqual(CONTENTS);
  expect(await imported(bytes)).toEqual({ read: CONTENTS, findings: 0 });
  expect(bytes.length).toBeLessThan(302_000);
});

test("a byte that changes in a file of it is found", async () => {
  const bytes = await packed();
  const at = bytes.length - 100_000;
  bytes[at] = 255 - (bytes[at] ?? 0);
  const { findings } = await imported(bytes);
  expect(findings).toBe(1);
});

test("of a folder the JSON files are packed, with their paths below it", async () => {
  const fileAt = (path: string) => {
    const file = new File(["{}"], path.split("/").at(-1) ?? "");
    return Object.assign(file, { webkitRelativePath: path });
  };
  const chosen = await packageOfFolder(["Deep/a/One.JSON", "Deep/Two.json", "Deep/notes.txt"].map(fileAt));
  expect([chosen?.name, chosen?.size]).toEqual(["Deep", 4]);
  const names = Object.keys(unzipSync(new Uint8Array((await chosen?.bytes?.arrayBuffer()) ?? new ArrayBuffer(0))));
  expect(names).toEqual(["a/One.JSON", "Two.json"]);
  expect(await packageOfFolder([fileAt("Deep/notes.txt")])).toBeNull();
  const many = Array.from({ length: 0x10000 }, () => fileAt("Deep/Two.json"));
  expect((await packageOfFolder(many))?.bytes).toBeNull();
});
