// A second opinion: our schemas must accept and refuse exactly what the official ones of OCF 1.2.0 do.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { checkShape, explain } from "../../../src/exchange/ocf/checks/check-shape.ts";
import { isObject, type JsonObject } from "../../../src/exchange/ocf/json.ts";
import { itemsOf } from "../../../src/exchange/ocf/package.ts";
import { Manifest } from "../../../src/exchange/ocf/schemas/manifest-schema.ts";
import { OBJECT_TYPES, objectType } from "../../../src/exchange/ocf/schemas/schema-registry.ts";
import { GENERATOR, MATERIAL } from "../../kit/ocf-material.ts";
import { seedCount } from "../../kit/proof.ts";
import { SMALL } from "./fixture.ts";
import { officialFaults, officialValidators } from "./official-schemas.ts";
import { readPackage, validatePath } from "./reading.ts";

/** How many objects are spoilt at random. */
const SPOILT = seedCount(100, 6000);

const packages = ["packages", "packages-derived"].flatMap((folder) =>
  existsSync(join(MATERIAL, folder))
    ? readdirSync(join(MATERIAL, folder)).map((name) => join(MATERIAL, folder, name))
    : [],
);

/** Generates a valid package of about `size` transactions. */
async function generate(folder: string, size: number, seed: string, layout: string): Promise<string> {
  const path = join(folder, `${size}-${seed}.zip`);
  const env = { ...process.env, NODE_PATH: join(import.meta.dir, "../../node_modules") };
  const child = Bun.spawn([process.execPath, GENERATOR, String(size), seed, path, `--layout=${layout}`], {
    env,
    stdout: "ignore",
  });
  expect(await child.exited).toBe(0);
  return path;
}

/** Whether we accept the object; undefined where we know no such type. */
function accepted(value: JsonObject): boolean | undefined {
  const type = objectType(value.object_type);
  return type ? checkShape(type, value).faults.length === 0 : undefined;
}

const STRANGE: readonly unknown[] = [
  ...["", "0", "-1.5", "1.", ".5", "1.0", "0.2", "1.00000000001", "US", "us", "USD", "A1B2", "TRUE", "2024-02-29"],
  ...["2023-02-29", "2024-02-30T00:00:00Z", "RSU", "OPTION", "CSAR", "CAP", "ACTUAL", "UNLIMITED", "a@b.co", "a@b"],
  ...["CUSTOM_CONVERSION", "RATIO_CONVERSION", "SAFE_CONVERSION", "PPS_BASED_CONVERSION", "WARRANT_CONVERSION_RIGHT"],
  ...["d41d8cd98f00b204e9800998ecf8427e", "+1 555 010 0199", "é", "\ud83d\ude00", "__proto__"],
  ...[null, true, false, 0, 1, -1, 1.5, 1e21, [], {}, [""], ["a", "a"], [null], [{}]],
];
const NAMES = [
  ...["id", "comments", "type", "balance_security_id", "exercise_price", "base_price", "path", "uri", "stock_class_id"],
  ...["stock_class_ids", "discount", "discount_amount", "discount_percentage", "valuation_amount", "emails", "portion"],
  ...["quantity", "remainder", "vestings", "toString", "constructor", "current_status", "conversion_mfn", "x"],
];

/** All objects and lists in `root`, itself included. */
function containers(root: object): object[] {
  const found: object[] = [root];
  for (const each of found)
    for (const inner of Object.values(each)) if (inner && typeof inner === "object") found.push(inner);
  return found;
}

/** Changes one member somewhere in `root`. */
function mutate(root: object, where: number, member: number, what: number, values: readonly unknown[]): void {
  const all = containers(root);
  const target: object = all[where % all.length] ?? root;
  const keys = Object.keys(target);
  const key = keys[member % Math.max(1, keys.length)] ?? "x";
  const value = structuredClone(values[what % values.length]);
  if (what % 4 === 0) Reflect.deleteProperty(target, key);
  else if (what % 4 === 1 && !Array.isArray(target)) Reflect.set(target, NAMES[member % NAMES.length] ?? "x", value);
  else if (Array.isArray(target) && what % 4 === 2) target.push(structuredClone(target[0] ?? value));
  else Reflect.set(target, key, value);
  if (Array.isArray(target)) target.splice(0, target.length, ...target.filter((each) => each !== undefined));
}

describe("the official schemas and ours", () => {
  const validators = officialValidators();
  const folder = mkdtempSync(join(tmpdir(), "captable-ocf-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

  test("know the same object types", () => {
    const ours = OBJECT_TYPES.filter((type) => type.released).map((type) => type.objectType);
    const theirs = [...validators.keys()].filter((name) => !name.startsWith("OCF_"));
    expect(ours.sort()).toEqual(theirs.sort());
  });

  test("agree on every object of every package", async () => {
    const generated = await Promise.all([generate(folder, 400, "one", "service"), generate(folder, 900, "two", "ocf")]);
    let compared = 0;
    for (const path of [SMALL, ...packages, ...generated]) {
      const ocf = await readPackage(path);
      const issuer = ocf.manifest?.issuer;
      for (const { value } of [...itemsOf(ocf), { value: issuer }]) {
        if (!isObject(value)) continue;
        const validate = validators.get(String(value.object_type));
        expect([accepted(value), value]).toEqual([validate?.(value) === true, value]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(1700);
  });

  test("agree on spoilt objects", async () => {
    const samples = new Map<string, JsonObject[]>();
    for (const path of [SMALL, ...packages]) {
      for (const { value } of itemsOf(await readPackage(path))) {
        if (!isObject(value) || !objectType(value.object_type)) continue;
        const type = String(value.object_type);
        samples.set(type, [...(samples.get(type) ?? []), value]);
        const alias = type.replace("TX_EQUITY_COMPENSATION_", "TX_PLAN_SECURITY_");
        if (alias !== type) samples.set(alias, [...(samples.get(alias) ?? []), { ...value, object_type: alias }]);
      }
    }
    const seeds = [...samples.values()];
    expect(seeds.length).toBeGreaterThan(48);
    const values = [...STRANGE, ...seeds.flat().flatMap((seed) => containers(seed).slice(1, 6))];
    const step = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(100_000));
    let refused = 0;
    await fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.array(step, { minLength: 1, maxLength: 3 }), (kind, which, steps) => {
        const same = seeds[kind % seeds.length] ?? [];
        const object = structuredClone(same[which % same.length] ?? {});
        const type = String(object.object_type);
        for (const [where, member, what] of steps) mutate(object, where, member, what, values);
        const ours = objectType(type);
        const verdict = ours ? checkShape(ours, object) : null;
        const valid = validators.get(type)?.(object) === true;
        expect([verdict?.faults.length === 0, object]).toEqual([valid, object]);
        if (!valid) refused++;
      }),
      { numRuns: SPOILT, seed: 20261121 },
    );
    expect(refused).toBeGreaterThan(SPOILT / 3);
  });

  test("find what is wrong in a file of a package, and nothing where nothing is", () => {
    const file = (item: object) => [{ file_type: "OCF_STAKEHOLDERS_FILE", items: [item] }];
    const holder = { object_type: "STAKEHOLDER", id: "a", name: { legal_name: "A" }, stakeholder_type: "INDIVIDUAL" };
    expect(officialFaults(file(holder))).toEqual([]);
    expect(officialFaults(file({ ...holder, stakeholder_type: "ROBOT" }))).not.toEqual([]);
    expect(officialFaults([{ file_type: "OCF_UNKNOWN_FILE", items: [] }])).not.toEqual([]);
  });

  test("agree on manifests, but for the version", async () => {
    const { manifest } = await readPackage(SMALL);
    const validate = validators.get("OCF_MANIFEST_FILE");
    const values = [...STRANGE, [{ filepath: "./x.json", md5: "x" }], "2024-01-01T10:00:00+01:00", "1.2.0"];
    const step = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(100_000));
    await fc.assert(
      fc.property(step, ([where, member, what]) => {
        const changed = structuredClone(manifest) ?? {};
        mutate(changed, where, member, what, values);
        const issuer = { ...changed }.issuer;
        const ours = explain(Manifest, changed).length === 0 && isObject(issuer) && accepted({ ...issuer }) === true;
        const versioned = typeof changed.ocf_version === "string" ? { ...changed, ocf_version: "1.2.0" } : changed;
        expect([ours, changed]).toEqual([validate?.(versioned) === true, changed]);
      }),
      { numRuns: seedCount(40, 1500), seed: 20261121 },
    );
  });

  test("find nothing wrong with packages that are good", async () => {
    const good = [
      join(MATERIAL, "example-export"),
      join(MATERIAL, "packages-derived/official-hist-samples-Acme-Holdings-repaired.zip"),
      await generate(folder, 30, "three", "service"),
      await generate(folder, 1500, "four", "ocf"),
    ];
    for (const path of good) {
      const { problems } = await validatePath(path);
      expect([path, problems.filter((each) => each.severity === "problem")]).toEqual([path, []]);
    }
  });

  test("read every public package to its end, whatever its layout", async () => {
    for (const path of packages) {
      const { objects, problems } = await validatePath(path);
      expect(objects).toBeGreaterThan(4);
      expect(problems.filter((each) => each.code.startsWith("not-json"))).toEqual([]);
    }
  });
});
