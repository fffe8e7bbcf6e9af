import { describe, expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { type FileType, fileKind } from "../../../src/exchange/ocf/file-types.ts";
import { isObject, type JsonObject } from "../../../src/exchange/ocf/json.ts";
import { validatePackage } from "../../../src/exchange/ocf/validate.ts";
import { itemFileChunks, manifestText } from "../../../src/exchange/ocf/write.ts";
import { type ZipFile, type ZipOptions, zipStream } from "../../../src/kernel/files/zip-write.ts";
import { SMALL } from "./fixture.ts";
import { readPackage, readZip } from "./reading.ts";

async function collect(files: Iterable<ZipFile>, options?: ZipOptions): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of zipStream(files, options)) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

/** The fixture's files for writing, its manifest last. */
async function smallFiles(): Promise<ZipFile[]> {
  const { files, manifest } = await readPackage(SMALL);
  const issuer = isObject(manifest?.issuer) ? manifest.issuer : {};
  const head = { issuer, asOf: "2024-06-30", generatedAt: "2024-07-01T08:00:00Z", comments: ["written again"] };
  const written = files.map(({ name, fileType, items }) => ({
    name,
    chunks: () => itemFileChunks(fileType, items.filter(isObject)),
  }));
  return [...written, { name: "ocf_manifest.json", chunks: (md5s) => [manifestText(head, files, md5s)] }];
}

function* manyItems(count: number, seen: { count: number }): Generator<JsonObject> {
  for (let i = 0; i < count; i++) {
    seen.count = i;
    yield { object_type: "VALUATION", id: `v-${i}`, note: "é😀".repeat(10) };
  }
}

const manyFile = (count: number, seen = { count: 0 }): ZipFile => ({
  name: "valuations.json",
  chunks: () => itemFileChunks("OCF_VALUATIONS_FILE", manyItems(count, seen)),
});

describe("a written package", () => {
  test("reads back as it was, with checksums that are right", async () => {
    const ocf = await readZip(await collect(await smallFiles()));
    expect(validatePackage(ocf).problems).toEqual([]);
    const original = await readPackage(SMALL);
    expect(ocf.files.map((file) => file.items)).toEqual(original.files.map((file) => file.items));
    expect(ocf.manifest?.comments).toEqual(["written again"]);
  });

  test("has the same bytes each time, at every level", async () => {
    for (const level of [1, 6] as const) {
      const options = { level, modifiedAt: "2026-01-15T14:30:00" };
      expect(await collect(await smallFiles(), options)).toEqual(await collect(await smallFiles(), options));
    }
  });

  test("lists what OCF requires as empty, and leaves out what it does not", () => {
    const head = { issuer: {}, asOf: "2024-06-30", generatedAt: "2024-07-01T08:00:00Z", comments: [] };
    const files: { name: string; fileType: FileType }[] = [{ name: "documents.json", fileType: "OCF_DOCUMENTS_FILE" }];
    const manifest = JSON.parse(manifestText(head, files, new Map([["documents.json", "0".repeat(32)]])));
    expect(manifest.valuations_files).toEqual([]);
    expect(manifest.documents_files).toEqual([{ filepath: "./documents.json", md5: "0".repeat(32) }]);
    expect("financings_files" in manifest || "comments" in manifest).toBe(false);
    expect(() => manifestText(head, files, new Map())).toThrow("before it was written");
  });

  test("is pulled: neither ahead of its reader nor at the event loop's expense", async () => {
    const seen = { count: 0 };
    const stream = zipStream([manyFile(200_000, seen)]);
    for (let i = 0; i < 3; i++) await stream.next();
    expect(seen.count).toBeLessThan(10_000);
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    for (let i = 0; i < 40; i++) await stream.next();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
    await stream.return(undefined);
  });

  test("closes what it reads from when its reader leaves", async () => {
    let closed = false;
    function* endless(): Generator<string> {
      try {
        for (;;) yield "x".repeat(1000);
      } finally {
        closed = true;
      }
    }
    const stream = zipStream([{ name: "a.json", chunks: endless }]);
    await stream.next();
    await stream.return(undefined);
    expect(closed).toBe(true);
  });

  test("splits no character where pieces meet, and keeps empty files", async () => {
    const halves = ["a".repeat(70_000), "\ud83d", "\ude00", ""];
    const split = ["b".repeat(65_535).concat("\ud83d"), "\ude00c"];
    const files = [halves, split, []].map((chunks, i) => ({ name: `${i}.json`, chunks: () => chunks }));
    const unpacked = unzipSync(await collect(files));
    const texts = ["0.json", "1.json", "2.json"].map((name) => new TextDecoder().decode(unpacked[name]));
    expect(texts).toEqual([halves.join(""), split.join(""), ""]);
  });

  test("of many items reads back whole", async () => {
    const unpacked = unzipSync(await collect([manyFile(50_000)]));
    const file = JSON.parse(new TextDecoder().decode(unpacked["valuations.json"]));
    expect(file.items.length).toBe(50_000);
    expect(file.items[49_999].note).toBe("é😀".repeat(10));
    expect(fileKind(file.file_type)?.exportKey).toBe("valuations");
  });

  test("does not take two files of one name", () => {
    const file = { name: "a.json", chunks: () => ["{}"] };
    expect(collect([file, file])).rejects.toThrow("two files");
  });
});
