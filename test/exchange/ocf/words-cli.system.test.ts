// What `ocf import` and `ocf validate` say to a person, and what they say of a file that is no package.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { runCommand } from "../../kit/command.ts";

import { Small } from "./fixture.ts";

setDefaultTimeout(120_000);

const base = mkdtempSync(join(tmpdir(), "captable-words-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

function put(name: string, content: string | Uint8Array): string {
  const path = join(base, name);
  writeFileSync(path, content);
  return path;
}

const dataDir = join(base, "data");
async function lines(...args: string[]): Promise<readonly [status: number, lines: readonly string[]]> {
  const { status, stdout } = await runCommand(["ocf", ...args]);
  return [status, stdout.trimEnd().split("\n")];
}
const importing = (...args: string[]) => lines("import", "--dry-run", "--data-dir", dataDir, ...args);

beforeAll(async () => {
  expect(
    (await runCommand(["org", "create", "--name", "Lindenhof Instruments, Inc.", "--data-dir", dataDir])).status,
  ).toBe(0);
});

/** A package with several things to say: two holders that are not there, unreadable files, and a refused object. */
function faulty(): string {
  const small = new Small();
  for (const id of ["t01", "t03"]) Object.assign(small.get(id), { stakeholder_id: "unknown" });
  for (const name of ["a.doc", "b.doc", "c.doc"]) small.raw.set(name, Buffer.from("letter"));
  small.add("stakeholders", { object_type: "STAKEHOLDER", id: "new", name: {}, stakeholder_type: "INDIVIDUAL" });
  return put("faulty.zip", small.zip());
}

/** The package, with a word on how its preferred class votes: nothing is left to say of it then. */
function votesSaid(small: Small): Small {
  Object.assign(small.get("seed"), { comments: ['captable:{"votesBasis":"AS_CONVERTED"}'] });
  return small;
}

describe("ocf import", () => {
  test("says all in one line where there is nothing to say, and in one more what a dry run makes of it", async () => {
    const [status, said] = await importing(put("sound.zip", votesSaid(new Small()).zip()));
    expect([status, said.length]).toEqual([0, 2]);
    expect(said[1]).toMatch(/^Cap table: fully diluted 0 now, [1-9]\d* after; outstanding 0 now, [1-9]\d* after$/);
    expect(said[0]).toMatch(/^Would import [1-9]\d* stakeholders, [^;]*[1-9]\d* issuances, [^;]*$/);
    expect(said[0]).not.toMatch(/\b1 [a-z ]*s\b(?<!1 set of vesting terms)/);
  });

  test("then one line for each kind, with its count and the first place", async () => {
    const [status, said] = await importing(faulty());
    const [head = "", ...kinds] = said;
    const { warnings, errors } = JSON.parse(
      (await runCommand(["ocf", "import", faulty(), "--dry-run", "--json", "--data-dir", dataDir])).stdout,
    );
    const codes = new Set(warnings.map(({ code }: { code: string }) => code));
    expect(status).toBe(1);
    expect(head).toEndWith(`; refused ${errors.length}; ${warnings.length} warnings of ${codes.size} kinds`);
    expect(kinds.filter((line) => line.startsWith("warning: ")).length).toBe(codes.size);
    expect(said.filter((line) => line.startsWith("warning: ignored-file: 3, the first: a.doc: "))).toHaveLength(1);
    expect(kinds.at(-1)).toBe("(--all lists each of them)");
  });

  test("whose company it is comes first, however often there is something else", async () => {
    const small = votesSaid(new Small());
    for (const issuer of [small.manifest.issuer, small.file("issuer.json")]) {
      Object.assign(issuer as object, { legal_name: "Otherco, Inc." });
    }
    for (const name of ["a.doc", "b.doc", "c.doc"]) small.raw.set(name, Buffer.from("letter"));
    const [, said] = await importing(put("other-name.zip", small.zip()));
    const kinds = said.map((line) => line.split(":").slice(0, 2).join(":"));
    expect(kinds.slice(1)).toEqual([
      ...["warning: other-name", "warning: ignored-file"],
      ...[expect.stringMatching(/^Cap table: /), "(--all lists each of them)"],
    ]);
  });

  test("begins no company with a package without anything in it", async () => {
    for (const [name, content] of [
      ["text.zip", "hello"],
      ["other.zip", zipSync({ "readme.txt": Buffer.from("x") })],
    ] as const) {
      const nowhere = join(base, `none-of-${name}`);
      const ended = await runCommand(["ocf", "import", put(name, content), "--data-dir", nowhere]);
      expect([ended.status, ended.stdout, existsSync(nowhere)]).toEqual([1, "", false]);
      expect(ended.stderr).toContain("nothing was made");
    }
  });

  test("gives shares without a holder a line of their own", async () => {
    const [, said] = await importing(faulty());
    expect(said[1]).toMatch(
      /^2 securities have no holder, the first in transactions\S* entry \d+, TX_\w+_ISSUANCE t01, /,
    );
    const small = new Small();
    Object.assign(small.get("t01"), { stakeholder_id: "unknown" });
    const [, alone] = await lines("validate", put("alone.zip", small.zip()));
    expect(alone[1]).toMatch(/^1 security has no holder, in transactions/);
  });

  test("lists everything with --all", async () => {
    const [, said] = await importing(faulty(), "--all");
    expect(said.filter((line) => line.endsWith("[ignored-file]"))).toHaveLength(3);
    expect(said).not.toContain("(--all lists each of them)");
  });
});

describe("ocf validate", () => {
  test("says all in one line, then one for each kind; everything with --all", async () => {
    const [status, said] = await lines("validate", faulty());
    expect([status, said[0]]).toEqual([
      1,
      expect.stringMatching(/^[1-9]\d* problems? of \d+ kinds? and [1-9]\d* warnings of \d+ kinds? in \d+ objects$/),
    ]);
    expect(said.filter((line) => line.includes("ignored-file"))).toHaveLength(1);
    const [, all] = await lines("validate", faulty(), "--all");
    expect(all[0]).toBe(said[0] ?? "");
    expect(all.filter((line) => line.endsWith("[ignored-file]"))).toHaveLength(3);
  });

  test("says with none that there are none", async () => {
    const [status, said] = await lines("validate", put("sound.zip", new Small().zip()));
    expect([status, said]).toEqual([0, [expect.stringMatching(/^0 problems and 0 warnings in \d+ objects$/)]]);
  });
});

describe("a file that is no package is named for what it is, and makes nothing:", () => {
  const xlsx = zipSync({ "[Content_Types].xml": new Uint8Array(1), "xl/workbook.xml": new Uint8Array(1) });
  const ods = zipSync({ "META-INF/manifest.xml": new Uint8Array(1), "content.xml": new Uint8Array(1) });
  test.each([
    ["holders.csv", "Name,Shares\nAda,100\n", "a CSV file"],
    ["holders.txt", "Name;Shares\r\nJos\u00e9;100\r\n", "a CSV file"],
    ["table.xlsx", xlsx, "a workbook"],
    ["table.ods", ods, "a workbook"],
    ["old.xls", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1), "a workbook"],
    ["agreement.pdf", "%PDF-1.7\n", "a PDF"],
    ["stakeholders.json", ' \n{"file_type": "OCF_STAKEHOLDERS_FILE", "items": []}', "one JSON file"],
    ["bom.json", "\ufeff[]", "one JSON file"],
  ] as const)("%s", async (name, content, what) => {
    const path = put(name, content);
    const folder = join(base, `none-${name}`);
    for (const command of [
      ["validate", path],
      ["import", path, "--data-dir", folder],
    ]) {
      const ended = await runCommand(["ocf", ...command]);
      expect([ended.status, ended.stdout]).toEqual([2, ""]);
      expect(ended.stderr).toStartWith(`captable: ${path} is ${what}: an Open Cap Format package is a zip or a folder`);
    }
    expect(existsSync(folder)).toBe(false);
  });

  test.each([
    ["broken.zip", "PK this is no archive"],
    ["empty.zip", ""],
    ["prose.txt", "Dear Ada, here is\nthe cap table.\n"],
  ])("but not %s, which is told as a broken package", async (name, content) => {
    const [status, said] = await lines("validate", put(name, content));
    expect([status, said.join("\n")]).toEqual([1, expect.stringContaining("[broken-zip]")]);
  });
});
