import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { zipSync } from "fflate";
import { itemsOf, type OcfPackage, packageOf } from "../../../src/exchange/ocf/package.ts";
import { validatePackage } from "../../../src/exchange/ocf/validate.ts";
import { RELEASE } from "../../kit/release.ts";
import { SMALL, Small } from "./fixture.ts";
import { readPackage, readZip } from "./reading.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const codes = (ocf: OcfPackage) => ocf.findings.list.map((each) => `${each.severity} ${each.code} ${each.file}`);
const ids = (ocf: OcfPackage) => [...itemsOf(ocf)].map(({ value }) => (value as { id: string }).id);

/** The fixture as a zip with names changed by `rename`; its manifest names the files by `list`. */
async function renamed(rename: (name: string) => string, list: (name: string) => string): Promise<OcfPackage> {
  const small = new Small();
  small.zip(); // sets the checksums
  const text = JSON.stringify(small.manifest).replaceAll(/\.\/([a-z_]+\.json)/g, (_, name) => list(name));
  const files = [...small.files.keys()].map((name) => [rename(name), small.bytesOf(name)] as const);
  const entries = Object.fromEntries(files);
  entries[rename("ocf_manifest.json")] = bytes(text);
  return readZip(zipSync(entries));
}

const official = (name: string) =>
  name.replace(/(^|_)([a-z])/g, (_, _gap, letter) => letter.toUpperCase()).replace(".json", ".ocf.json");

describe("a package is read alike", () => {
  const expected = readPackage(SMALL).then(ids);

  test("from a folder, from a zip, and as parsed JSON", async () => {
    const small = new Small();
    expect((await expected).length).toBe(40);
    expect(ids(await readZip(small.zip()))).toEqual(await expected);
    const { "ocf_manifest.json": manifest, ...entityFiles } = Object.fromEntries(small.files);
    const parsed = packageOf(manifest, entityFiles);
    expect(ids(parsed)).toEqual(await expected);
    expect(parsed.findings.list).toEqual([]);
    expect(parsed.issuerFile?.issuer.id).toBe("issuer");
  });

  test("in the official layout, wrapped in a folder", async () => {
    const ocf = await renamed(
      (name) => `wrapped/in/${official(name)}`,
      (name) => `./${official(name)}`,
    );
    expect(ids(ocf)).toEqual(await expected);
    expect(codes(ocf).filter((each) => !each.includes("md5"))).toEqual([]);
    expect(ocf.manifestName).toBe("wrapped/in/OcfManifest.ocf.json");
  });

  test("where the manifest's names differ a little, with a warning", async () => {
    const ocf = await renamed(official, (name) => `./${name}`);
    expect(ids(ocf)).toEqual(await expected);
    expect(new Set(codes(ocf))).toEqual(new Set(["warning name-differs OcfManifest.ocf.json"]));
  });

  test("where the manifest lists other files altogether, by file_type, with warnings", async () => {
    const ocf = await renamed(
      (name) => `a-${name}`,
      (name) => `./b-${name}`,
    );
    expect(ids(ocf).sort()).toEqual((await expected).toSorted());
    expect(new Set(ocf.findings.list.map((each) => each.code))).toEqual(new Set(["missing-file", "unlisted-file"]));
  });

  test("with transactions in several files, in the manifest's order", async () => {
    const small = new Small();
    const { file_type, items } = small.file("transactions.json");
    if (!Array.isArray(items)) throw new Error("no transactions");
    small.files.delete("transactions.json");
    small.files.set("z.json", { file_type, items: items.slice(0, 10) });
    small.files.set("a.json", { file_type, items: items.slice(10) });
    const entry = (name: string) => ({ filepath: `./${name}`, md5: "" });
    small.manifest.transactions_files = [entry("z.json"), entry("a.json")];
    const ocf = await readZip(small.zip());
    expect(ids(ocf)).toEqual(await expected);
    expect(validatePackage(ocf).problems).toEqual([]);
  });

  test("where files do not say their file_type: by their names", () => {
    const stakeholders = { items: [{ object_type: "STAKEHOLDER", id: "x" }] };
    const ocf = packageOf(
      { ocf_version: "1.2.0" },
      { "Stakeholders.ocf.json": stakeholders, "odd.json": { items: [] } },
    );
    expect(ids(ocf)).toEqual(["x"]);
    expect(codes(ocf)).toEqual(["problem missing-field Stakeholders.ocf.json", "warning ignored-file odd.json"]);
  });
});

describe("a hostile package ends in a finding, never in a crash:", () => {
  const withFile = async (name: string, content: Uint8Array) => {
    const small = new Small();
    small.raw.set(name, content);
    small.rehash = false;
    return readZip(small.zip());
  };
  const manifest = () => new Small().bytesOf("ocf_manifest.json");

  test("no zip at all, an empty one, one cut short", async () => {
    expect(codes(await readZip(bytes("PK\u0003\u0004 no zip")))).toEqual([
      "problem broken-zip null",
      "problem no-manifest null",
    ]);
    expect(codes(await readZip(new Uint8Array(0)))).toContain("problem broken-zip null");
    const whole = new Small().zip();
    expect(codes(await readZip(whole.subarray(0, whole.length - 30)))).toContain("problem broken-zip null");
    expect(codes(await readZip(whole.subarray(400)))).toContain("problem broken-zip null");
  });

  test("any byte of the archive changed", async () => {
    const whole = new Small().zip();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 20 }),
        async (changes) => {
          const broken = whole.slice();
          for (const [at, value] of changes) broken[at] = value;
          const ocf = await readZip(broken);
          validatePackage(ocf);
          for (const { name } of ocf.files) expect(name).not.toMatch(/^\/|\.\.\//);
        },
      ),
      { numRuns: RELEASE ? 150 : 8 },
    );
  });

  test("names that climb out, absolute ones, a drive's", async () => {
    for (const name of ["../evil.json", "a/../../evil.json", "/etc/evil.json", "C:\\evil.json", "..\\evil.json"]) {
      const ocf = await readZip(zipSync({ "ocf_manifest.json": manifest(), [name]: bytes("{}") }));
      expect(codes(ocf)).toContain(`problem unsafe-name ${name}`);
    }
    const listing = new Small();
    listing.manifest.valuations_files = [{ filepath: "../../etc/passwd", md5: "d41d8cd98f00b204e9800998ecf8427e" }];
    const ocf = await readZip(listing.zip());
    expect(ocf.findings.list.find((each) => each.code === "missing-file")?.detail).toContain("outside");
  });

  test("nesting beyond 32 levels, in any amount", async () => {
    for (const depth of [32, 100_000]) {
      const deep = bytes(`{"file_type":"OCF_VALUATIONS_FILE","items":${"[".repeat(depth)}${"]".repeat(depth)}}`);
      await expect(withFile("valuations.json", deep)).rejects.toThrow(
        "33 nested levels of JSON or more; 32 are allowed",
      );
    }
  });

  test("texts in other encodings, no JSON, nothing at all", async () => {
    const latin1 = Uint8Array.from(bytes('{"file_type":"OCF_VALUATIONS_FILE","items":[]}'));
    latin1[20] = 0xe9;
    expect(codes(await withFile("valuations.json", latin1))).toContain("problem not-utf8 valuations.json");
    const utf16 = new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]);
    expect(codes(await withFile("valuations.json", utf16))).toContain("problem not-utf8 valuations.json");
    for (const text of ['{"items": [', "", "<html>", '{"items": NaN}']) {
      expect(codes(await withFile("valuations.json", bytes(text)))).toContain("problem not-json valuations.json");
    }
  });

  test("a byte order mark and duplicate keys come in, with a warning", async () => {
    const text =
      '\ufeff{"file_type":"OCF_VALUATIONS_FILE",\n"items":[1],"items":[{"id":"first","a:b":":","id":"last"}]}';
    const ocf = await withFile("valuations.json", bytes(text));
    expect(ids(ocf)).toContain("last");
    expect(codes(ocf)).toContain("warning byte-order-mark valuations.json");
    const duplicate = ocf.findings.list.find((each) => each.code === "duplicate-field");
    expect(duplicate?.detail).toContain('"items" in line 2');
  });

  test("no manifest, two manifests, a manifest that is no object", async () => {
    expect(codes(await readZip(zipSync({ "a.json": bytes("{}") })))).toContain("problem no-manifest null");
    const two = await withFile("old/Manifest.ocf.json", manifest());
    expect(two.manifestName).toBe("ocf_manifest.json");
    expect(codes(two)).toContain("problem several-manifests old/Manifest.ocf.json");
    for (const odd of [null, [], "x", 3]) expect(codes(packageOf(odd, {}))).toContain("problem no-manifest null");
  });

  test("parsed JSON of any shape", async () => {
    await fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), (odd, files) => {
        const fileType = "OCF_TRANSACTIONS_FILE";
        const types = ["TX_STOCK_ISSUANCE", "TX_STOCK_TRANSFER", "VESTING_TERMS", "TX_STOCK_CLASS_SPLIT", "DOCUMENT"];
        const items = types.map((type) => ({ object_type: type, ...(typeof odd === "object" ? odd : {}) }));
        const ocf = packageOf(odd, { ...files, "transactions.json": { file_type: fileType, items: [...items, odd] } });
        expect(validatePackage(ocf).objects).toBeGreaterThanOrEqual(6);
      }),
      { numRuns: RELEASE ? 300 : 15 },
    );
  });

  test("splits without end", () => {
    const on = (type: string, i: number, members: object) => ({
      ...{ object_type: type, id: `${type}-${i}`, date: "2024-01-01", stock_class_id: "c", ...members },
    });
    const split_ratio = { numerator: "9".repeat(40), denominator: "1" };
    const items = [
      ...Array.from({ length: 200 }, (_, i) => on("TX_STOCK_ISSUANCE", i, { security_id: `s${i}`, quantity: "1" })),
      ...Array.from({ length: 2000 }, (_, i) => on("TX_STOCK_CLASS_SPLIT", i, { split_ratio })),
    ];
    const started = performance.now();
    const file = { file_type: "OCF_TRANSACTIONS_FILE", items };
    expect(validatePackage(packageOf({}, { "transactions.json": file })).objects).toBe(2200);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test("numbers of a million digits, ids that are names of built-ins", () => {
    const items = ["__proto__", "constructor", "toString"].map((id) => ({
      ...{ object_type: "TX_STOCK_ISSUANCE", id, date: "2024-01-01", security_id: id, stock_class_id: id },
      ...{ quantity: "9".repeat(1_000_000), constructor: { balance_security_id: id } },
    }));
    const file = { file_type: "OCF_TRANSACTIONS_FILE", items };
    const { problems } = validatePackage(packageOf({}, { "transactions.json": file }));
    expect(problems.length).toBeGreaterThan(3);
  });

  test("links in a folder, and files that are no part of OCF", async () => {
    const folder = mkdtempSync(join(tmpdir(), "captable-ocf-"));
    mkdirSync(join(folder, "documents"));
    writeFileSync(join(folder, "documents/plan.pdf"), "%PDF");
    writeFileSync(join(folder, ".DS_Store"), "x");
    writeFileSync(join(folder, "ocf_manifest.json"), manifest());
    symlinkSync("/etc/passwd", join(folder, "stakeholders.json"));
    const ocf = await readPackage(folder);
    rmSync(folder, { recursive: true });
    expect(codes(ocf)).toContain("warning link-ignored stakeholders.json");
    expect(codes(ocf)).toContain("warning ignored-file documents/plan.pdf");
    expect(codes(ocf).some((each) => each.includes("DS_Store"))).toBe(false);
  });

  test("files beside the package are no fault; a broken JSON file is", async () => {
    const broken = bytes('{"items": [');
    for (const name of ["README.txt", "LICENSE", "notes.md", "data.csv", "x.pdf"]) {
      const latin1 = Uint8Array.from([0x43, 0x61, 0x66, 0xe9]);
      for (const content of [bytes("Read me first"), bytes(""), broken, latin1]) {
        const said = codes(await withFile(name, content)).filter((each) => !each.includes("md5"));
        expect(said).toEqual([`warning ignored-file ${name}`]);
      }
    }
    for (const name of ["extra.json", "Extra.ocf.JSON"]) {
      expect(codes(await withFile(name, broken))).toContain(`problem not-json ${name}`);
    }
  });

  test("a file of objects is read whatever its name", async () => {
    const file = '\ufeff{"file_type":"OCF_STAKEHOLDERS_FILE","items":[{"id":"unnamed"}]}';
    const ocf = await withFile("STAKEHOLDERS", bytes(file));
    expect(ids(ocf)).toContain("unnamed");
    expect(codes(ocf)).toContain("warning byte-order-mark STAKEHOLDERS");
  });
});
