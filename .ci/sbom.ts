// What is inside the executables, as a CycloneDX bill of materials: the packages whose files the bundler took, as
// bun.lock names them, and what comes with the runtime and the database engine. The same files give the same document.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { VERSION } from "../src/kernel/version.ts";
import { EMBEDDED } from "./licenses.ts";

const ROOT = join(import.meta.dir, "..");
const OWN = `captable@${VERSION}`;
const FOLDER = "node_modules/";
/** What the licence's own file says, of packages whose package.json names none. */
const UNSAID: Readonly<Record<string, string>> = { "png-js": "MIT" };

/** A package of bun.lock: `name@version`, registry, what it depends on, its tarball's SHA-512. */
type Locked = readonly [nameAndVersion: string, registry: string, parts: Dependent, integrity: string];
interface Dependent {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  readonly workspaces: { readonly "": Dependent };
  /** By where they lie: `viem/@noble/curves` is the `@noble/curves` of `viem`. */
  readonly packages: Readonly<Record<string, Locked>>;
}
interface Component {
  readonly type: string;
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly [member: string]: unknown;
}

/** The document of the executables that were made of the files `inputs`. Throws where bun.lock lacks one's package. */
export function sbomOf(inputs: Iterable<string>, lock: Lock = readLock()): object {
  const keys = bundledKeys(inputs);
  const missing = keys.filter((key) => lock.packages[key] === undefined);
  if (missing.length > 0) throw new Error(`bun.lock lacks what is in the executable: ${missing.join(", ")}`);
  const components = new Map(keys.map((key) => packageComponent(key, lock)).map((each) => [each["bom-ref"], each]));
  const others = [runtime(), sqlite()];
  const sorted = [...components.values(), ...others].sort((one, other) => (one["bom-ref"] < other["bom-ref"] ? -1 : 1));
  const direct = resolveAll(lock.workspaces[""], "", keys, lock);
  const embedded = EMBEDDED.map((name) => refOf(lock.packages[name]));
  const top = [...new Set([...direct, ...embedded, runtime()["bom-ref"]])].sort();
  const document = {
    metadata: {
      component: {
        type: "application",
        "bom-ref": OWN,
        name: "captable",
        version: VERSION,
        licenses: [{ license: { id: "MIT" } }],
      },
    },
    components: sorted,
    dependencies: [{ ref: OWN, dependsOn: top }, ...dependenciesOf(keys, lock)],
  };
  const head = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
  };
  return { ...head, serialNumber: `urn:uuid:${uuidOf(document)}`, version: 1, ...document };
}

/** The packages, by their keys in bun.lock, that the files and the embedded ones belong to. */
export function bundledKeys(inputs: Iterable<string>): string[] {
  const keys = [...inputs].flatMap((path) => {
    const at = path.lastIndexOf(FOLDER);
    // What the build itself made lies in its cache.
    if (at < 0 || path.slice(at + FOLDER.length).startsWith(".cache/")) return [];
    const [scope = "", name = ""] = path.slice(at + FOLDER.length).split("/");
    const above = path.slice(path.indexOf(FOLDER) + FOLDER.length, Math.max(at, path.indexOf(FOLDER) + FOLDER.length));
    return `${above.replaceAll(`/${FOLDER}`, "/")}${scope.startsWith("@") ? `${scope}/${name}` : scope}`;
  });
  return [...new Set([...keys, ...EMBEDDED])].sort();
}

/** bun.lock of the checkout. */
export function readLock(): Lock {
  return Bun.JSONC.parse(readFileSync(join(ROOT, "bun.lock"), "utf8")) as Lock;
}

function refOf(locked: Locked | undefined): string {
  const [, name = "", version = ""] = /^(.+)@([^@]+)$/.exec(locked?.[0] ?? "") ?? [];
  return `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
}

function packageComponent(key: string, lock: Lock): Component {
  const locked = lock.packages[key];
  const [, name = "", version = ""] = /^(.+)@([^@]+)$/.exec(locked?.[0] ?? "") ?? [];
  const [group, bare] = name.startsWith("@") ? name.split("/") : [undefined, name];
  const [, digest = ""] = /^sha512-(.+)$/.exec(locked?.[3] ?? "") ?? [];
  const { license } = JSON.parse(readFileSync(join(ROOT, folderOf(key, lock), "package.json"), "utf8"));
  return {
    type: "library",
    "bom-ref": refOf(locked),
    ...(group === undefined ? {} : { group }),
    name: bare ?? name,
    version,
    purl: refOf(locked),
    hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
    ...licensesOf(license ?? UNSAID[name]),
  };
}

/** One name, or an expression of several (SPDX). */
function licensesOf(license: unknown): object {
  if (typeof license !== "string") return {};
  return { licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }] };
}

/** `viem/@noble/curves` lies in `node_modules/viem/node_modules/@noble/curves`. */
function folderOf(key: string, lock: Lock): string {
  const parents = parentsOf(key).filter((parent) => parent !== "" && lock.packages[parent] !== undefined);
  const path = [...parents.reverse(), key].map((each, index, all) =>
    each.slice(index === 0 ? 0 : (all[index - 1] ?? "").length + 1),
  );
  return `${FOLDER}${path.join(`/${FOLDER}`)}`;
}

/** Where a package of this key may find others: in its own folder, in those around it, at the top (""). */
function parentsOf(key: string): string[] {
  const parts = key.split("/");
  return parts.map((_, index) => parts.slice(0, parts.length - 1 - index).join("/"));
}

function resolveAll(dependent: Dependent, key: string, bundled: readonly string[], lock: Lock): string[] {
  const { dependencies = {}, peerDependencies = {}, optionalDependencies = {} } = dependent;
  const names = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  const places = key === "" ? [""] : [key, ...parentsOf(key)];
  const found = names.flatMap((name) => {
    const at = places.map((place) => (place === "" ? name : `${place}/${name}`)).find((each) => lock.packages[each]);
    return at !== undefined && bundled.includes(at) ? [refOf(lock.packages[at])] : [];
  });
  return [...new Set(found)].sort();
}

function dependenciesOf(keys: readonly string[], lock: Lock): object[] {
  const byRef = new Map<string, Set<string>>();
  for (const key of keys) {
    const ref = refOf(lock.packages[key]);
    const own = byRef.get(ref) ?? new Set();
    for (const each of resolveAll(lock.packages[key]?.[2] ?? {}, key, keys, lock)) own.add(each);
    if (key === "better-sqlite3") own.add(sqlite()["bom-ref"]);
    byRef.set(ref, own);
  }
  for (const other of [runtime(), sqlite()]) byRef.set(other["bom-ref"], new Set());
  return [...byRef]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([ref, on]) => ({ ref, dependsOn: [...on].sort() }));
}

function runtime(): Component {
  const purl = `pkg:generic/bun@${Bun.version}`;
  const licenses = [{ license: { id: "MIT" } }];
  return { type: "platform", "bom-ref": purl, name: "bun", version: Bun.version, purl, licenses };
}

/** Compiled into better-sqlite3. */
function sqlite(): Component {
  const db = new Database(":memory:");
  const { version } = db.prepare<[], { version: string }>("select sqlite_version() as version").get() ?? {
    version: "",
  };
  db.close();
  const purl = `pkg:generic/sqlite@${version}`;
  return {
    type: "library",
    "bom-ref": purl,
    name: "sqlite",
    version,
    purl,
    licenses: [{ license: { id: "blessing" } }],
  };
}

/** A UUID that follows from the content. */
function uuidOf(content: object): string {
  const hex = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
