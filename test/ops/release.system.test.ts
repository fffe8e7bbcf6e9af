// A release is whole or none: executables, checksums, licences, and a bill of materials that names what is really in
// them, as bun.lock has it. One target is built here; `bun run release` builds all.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownTarget, type Target } from "../../.ci/build.ts";
import { refuseOtherShape, release } from "../../.ci/release.ts";
import { bundledKeys, readLock, sbomOf } from "../../.ci/sbom.ts";
import { VERSION } from "../../src/kernel/version.ts";
import { RELEASE } from "../kit/release.ts";

setDefaultTimeout(300_000);

const ROOT = join(import.meta.dir, "../..");
const base = mkdtempSync(join(tmpdir(), "captable-release-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const folder = join(base, "dist");
const executable = `captable-${ownTarget()}`;

interface Sbom {
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly metadata: { readonly component: { readonly "bom-ref": string; readonly version: string } };
  readonly components: readonly {
    readonly "bom-ref": string;
    readonly group?: string;
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
    readonly licenses: readonly object[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

describe("a release", () => {
  let sbom: Sbom;
  beforeAll(async () => {
    mkdirSync(folder);
    // Files of an older release, and foreign ones.
    for (const name of ["captable-darwin-arm64", "SHA256SUMS", "mine.txt"]) writeFileSync(join(folder, name), "old");
    await release(folder, [ownTarget()]);
    sbom = JSON.parse(readFileSync(join(folder, "captable.cdx.json"), "utf8"));
  });

  test("holds what it says, and nothing of an older one", () => {
    const made = [executable, "captable.cdx.json", "licenses.txt", "LICENSE", "SHA256SUMS"];
    expect(readdirSync(folder).sort()).toEqual([...made, "mine.txt"].sort());
    const check = () => Bun.spawnSync(["sha256sum", "--check", "--strict", "SHA256SUMS"], { cwd: folder });
    const told = check();
    expect([told.exitCode, told.stdout.toString().trim().split("\n").length]).toEqual([0, made.length - 1]);
    const text = readFileSync(join(folder, "LICENSE"), "utf8");
    writeFileSync(join(folder, "LICENSE"), `${text} `);
    expect(check().exitCode).toBe(1);
    writeFileSync(join(folder, "LICENSE"), text);
  });

  test("runs, and prints the licences that lie beside it", () => {
    const run = (word: string) => Bun.spawnSync([join(folder, executable), word]).stdout.toString();
    expect(run("version")).toStartWith(`captable ${VERSION} `);
    expect(run("licenses")).toBe(readFileSync(join(folder, "licenses.txt"), "utf8"));
  });

  test("has a bill of materials that hangs together: every reference is there, once, with its checksum and licence", () => {
    expect(sbom.specVersion).toBe("1.6");
    expect(sbom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(sbom.metadata.component.version).toBe(VERSION);
    const refs = sbom.components.map((component) => component["bom-ref"]);
    expect(refs).toEqual([...new Set(refs)]);
    const known = new Set([...refs, sbom.metadata.component["bom-ref"]]);
    expect(sbom.dependencies.map(({ ref }) => ref).sort()).toEqual([...known].sort());
    const reached = new Set(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn));
    expect([...reached].sort()).toEqual([...refs].sort());
    const locked = readFileSync(join(ROOT, "bun.lock"), "utf8");
    for (const { group, name, version, purl, hashes, licenses } of sbom.components) {
      expect([purl, licenses.length]).toEqual([purl, 1]);
      if (!purl.startsWith("pkg:npm/")) continue;
      const base64 = Buffer.from(hashes?.[0]?.content ?? "", "hex").toString("base64");
      expect([purl, base64.length, locked.includes(`"sha512-${base64}"`)]).toEqual([purl, 88, true]);
      expect(locked).toContain(`["${group === undefined ? "" : `${group}/`}${name}@${version}"`);
    }
  });

  test("names what is in it: what is imported, what is taken along, the runtime and the database engine", () => {
    const names = sbom.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    for (const name of ["viem", "elysia", "file-type", "supports-color", "swagger-ui-dist", "better-sqlite3"])
      expect(names).toContain(name);
    for (const name of ["@openzeppelin/contracts", "bun", "sqlite", "@noble/curves"]) expect(names).toContain(name);
    // Two of them, in two places.
    expect(sbom.components.filter(({ name }) => name === "curves").length).toBeGreaterThan(1);
    for (const name of ["typescript", "@biomejs/biome", "solc", "ajv"]) expect(names).not.toContain(name);
  });
});

describe("a bill of materials", () => {
  test("is the same for the same files", () => {
    const files = [
      "src/server/app.ts",
      "node_modules/viem/index.ts",
      "node_modules/viem/node_modules/@noble/curves/x.js",
    ];
    expect(bundledKeys(files)).toEqual(["@openzeppelin/contracts", "swagger-ui-dist", "viem", "viem/@noble/curves"]);
    expect(sbomOf(files)).toEqual(sbomOf([...files].reverse()));
  });

  test("is refused where bun.lock does not know what was bundled", () => {
    const { viem: _viem, ...packages } = readLock().packages;
    expect(() => sbomOf(["node_modules/viem/index.ts"], { ...readLock(), packages })).toThrow("bun.lock lacks");
  });
});

describe("no release", () => {
  test("is made of another machine's executable", () => {
    const file = join(base, "other");
    writeFileSync(file, "#!/bin/sh\n");
    expect(() => refuseOtherShape(ownTarget(), file)).toThrow("no executable of this target");
    expect(() => refuseOtherShape(ownTarget(), process.execPath)).not.toThrow();
    expect(() => refuseOtherShape("darwin-arm64", process.execPath)).toThrow();
    expect(() => refuseOtherShape("linux-x64-musl", process.execPath)).toThrow();
  });

  const isAlone = process.geteuid?.() === 0 && Bun.which("unshare") !== null;
  test.skipIf(!isAlone)("is left where a runtime cannot be fetched: it says which, and ends with status 1", () => {
    const [into, home] = [join(base, "none"), join(base, "home")];
    mkdirSync(into);
    writeFileSync(join(into, "SHA256SUMS"), "old");
    // A release run makes another executable before, which takes as long as all other tests of this file.
    const targets: readonly Target[] = [...(RELEASE ? (["linux-x64"] as const) : []), "linux-arm64"];
    const script = `import { release } from ${JSON.stringify(join(ROOT, ".ci/release.ts"))};
      await release(${JSON.stringify(into)}, ${JSON.stringify(targets)}).catch((error) => {
        process.stderr.write(error.message);
        process.exit(1);
      });`;
    const env = { PATH: process.env.PATH, HOME: home, BUN_INSTALL: home, BUN_INSTALL_CACHE_DIR: join(home, "cache") };
    const ended = Bun.spawnSync(["unshare", "--net", process.execPath, "-e", script], { env, cwd: base });
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr.toString()).toMatch(/no release was made: \d of \d .*\n(.*\n)* {2}linux-arm64: .*download/);
    expect(readdirSync(into)).toEqual([]);
  });
});
