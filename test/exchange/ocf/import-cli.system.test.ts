// `captable ocf import` and `captable ocf validate` as a person runs them: output, exit status, and what is kept.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { runCommand } from "../../kit/command.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { SMALL } from "./fixture.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function captable(...args: string[]) {
  const { status, stdout: out, stderr: err } = await runCommand(["ocf", ...args]);
  return { status, out, err };
}

const importing = (path: string, ...flags: string[]) =>
  captable("import", path, "--data-dir", server.dataDir, ...flags);
const stakeholderCount = async () => (await server.api("GET", "/cap-table/summary")).json.data.stakeholderCount;

/** A copy of the small package, its stakeholders changed. */
function changedPackage(name: string, change: (holder: Record<string, unknown>) => object): string {
  const folder = join(server.dataDir, name);
  mkdirSync(folder);
  for (const file of readdirSync(SMALL)) writeFileSync(join(folder, file), readFileSync(join(SMALL, file)));
  const path = join(folder, "stakeholders.json");
  const file = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...file, items: file.items.map(change) }));
  return folder;
}

describe("ocf import, while the server runs", () => {
  test("--dry-run says what would happen and keeps nothing", async () => {
    const before = readdirSync(server.dataDir).sort();
    const { status, out } = await importing(SMALL, "--dry-run");
    expect(status).toBe(0);
    expect(out).toMatch(/^Would import [1-9]\d* stakeholders, /);
    expect(await stakeholderCount()).toBe(0);
    expect(readdirSync(server.dataDir).sort()).toEqual(before);
  });

  test("takes the package in; the server shows it at once", async () => {
    const { status, out } = await importing(SMALL, "--json");
    expect(status).toBe(0);
    const report = JSON.parse(out);
    expect(report.imported.stakeholders).toBeGreaterThan(0);
    const votes = { code: "votes-basis-assumed", id: "seed" };
    expect(report).toMatchObject({ conflicts: [], warnings: [votes], errors: [] });
    expect(await stakeholderCount()).toBe(report.imported.stakeholders);
  });

  test("again says what was skipped", async () => {
    const { status, out } = await importing(SMALL);
    expect(status).toBe(0);
    expect(out).toMatch(/^Imported nothing; [1-9]\d* there already\n$/);
  });

  test("exits 1 where an object was refused, and the others are in", async () => {
    const path = changedPackage("nameless", (holder) =>
      holder.stakeholder_type === "INSTITUTION"
        ? { ...holder, id: "new", name: {} }
        : { ...holder, id: `${holder.id}-2` },
    );
    const before = await stakeholderCount();
    const { status, out } = await importing(path);
    expect(status).toBe(1);
    expect(out).toMatch(/^Imported [^\n]*; refused 1;/);
    expect(out).toMatch(/^refused: [^\n]*stakeholders\.json entry \d+, STAKEHOLDER .*, #\/name\/legal_name: /m);
    expect(await stakeholderCount()).toBeGreaterThan(before);
  });

  test("a wrong path is wrong usage", async () => {
    const { status, out, err } = await importing("./not-there.zip");
    expect([status, out]).toEqual([2, ""]);
    expect(err).toBe("captable: there is no file or folder ./not-there.zip\n");
  });

  test("an organization that is not there is refused", async () => {
    expect((await importing(SMALL, "--org", "unknown")).status).toBe(3);
  });

  test("a file that is no package is told as such", async () => {
    const path = join(server.dataDir, "broken.zip");
    writeFileSync(path, "PK this is no archive");
    const { status, out } = await importing(path);
    expect(status).toBe(1);
    expect(out).toMatch(/^Imported nothing; refused [12];/);
    expect(out).toContain("[broken-zip]");
  });
});

describe("ocf import of what holds no object", () => {
  const folder = (name: string) => {
    const path = join(server.dataDir, name);
    mkdirSync(path);
    return path;
  };
  const cases: readonly (readonly [what: string, make: () => string])[] = [
    ["an empty folder", () => folder("empty")],
    [
      "a folder of links",
      () => {
        const path = folder("links");
        for (const name of readdirSync(SMALL)) symlinkSync(join(SMALL, name), join(path, name));
        return path;
      },
    ],
    ["an empty zip", () => zipOf("empty.zip", {})],
    ["a zip in a zip", () => zipOf("outer.zip", { "inner.zip": zipSync({ "a.json": new Uint8Array(0) }) })],
  ];
  const zipOf = (name: string, files: Record<string, Uint8Array>) => {
    const path = join(server.dataDir, name);
    writeFileSync(path, zipSync(files));
    return path;
  };
  for (const [what, make] of cases) {
    test(`exits 1 and says so: ${what}`, async () => {
      const { status, out } = await importing(make());
      expect(status).toBe(1);
      expect(out).toMatch(/^Imported nothing; refused [12];/);
      expect(out).toContain("There is no object of OCF in the package.");
    });
  }
});

describe("ocf validate, without a database", () => {
  test("says 0 for a valid package", async () => {
    const { status, out } = await captable("validate", SMALL);
    expect(status).toBe(0);
    expect(out).toMatch(/^0 problems and 0 warnings in \d+ objects\n$/);
  });

  test("prints a line for each kind of problem, and exits 1", async () => {
    const path = changedPackage("typeless", ({ stakeholder_type, ...rest }) => rest);
    const { status, out } = await captable("validate", path);
    expect(status).toBe(1);
    expect(out).toContain("problem: missing-field: 3, the first: stakeholders.json entry 1, STAKEHOLDER");
    const { problems, objects } = JSON.parse((await captable("validate", path, "--json")).out);
    expect(problems[0]).toMatchObject({ severity: "warning", code: "md5-mismatch" });
    expect(objects).toBeGreaterThan(0);
  });
});

test("ocf import makes the data directory and the organization and names it, but for a dry run", async () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), "captable-first-")), "data");
  const first = (...flags: string[]) => captable("import", SMALL, "--data-dir", dataDir, ...flags);
  const organizations = async () => {
    const { stdout } = await runCommand(["org", "list", "--json", "--data-dir", dataDir]);
    return JSON.parse(stdout).items.map((each: { legalName: string }) => each.legalName);
  };
  expect((await first("--dry-run")).status).toBe(3);
  expect(existsSync(dataDir)).toBe(false);
  expect((await first()).status).toBe(0);
  const manifest = JSON.parse(readFileSync(join(SMALL, "ocf_manifest.json"), "utf8"));
  expect(await organizations()).toEqual([manifest.issuer.legal_name]);
});
