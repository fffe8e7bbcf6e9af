// Builds the typed client in `dist/client`, as a package: `bun run build:client`. The executable has it packed.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { BLOCK_BYTES, encodeHeader, padding } from "../src/safekeeping/backup/tar.ts";
import { makeClientTypes } from "./api-types.ts";

const ROOT = join(import.meta.dir, "..");
const SOURCE = join(ROOT, "cli/client");
const OUT = join(ROOT, "dist/client");
const CACHE = join(ROOT, "node_modules/.cache/captable");
const NAMES = ["openapi-fetch", "standardwebhooks"] as const;
/** A package's files may be read by all. */
const MODE = 0o644;
/** Declarations are read by a program that looks for types where it finds no DOM. */
const DECLARE = [
  ...["--ignoreConfig", "--declaration", "--emitDeclarationOnly", "--skipLibCheck", "--strict"],
  ...["--target", "ES2022", "--lib", "ES2023,DOM,DOM.Iterable,DOM.AsyncIterable", "--types", ""],
  ...["--module", "esnext", "--moduleResolution", "bundler", "--allowImportingTsExtensions"],
  ...["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--verbatimModuleSyntax"],
];

/** The package's manifest: the program's version, and the exact versions of what it needs. */
export function manifest(): Readonly<Record<string, unknown>> {
  const { version, license, dependencies } = packageJson;
  return {
    name: "captable-client",
    version,
    description: "The typed client of a captable server.",
    license,
    type: "module",
    sideEffects: false,
    engines: { node: ">=20" },
    exports: { ".": { types: "./index.d.ts", default: "./index.js" }, "./package.json": "./package.json" },
    types: "./index.d.ts",
    dependencies: Object.fromEntries(NAMES.map((name) => [name, dependencies[name]])),
  };
}

/** Files of the package by name. */
type Files = ReadonlyMap<string, Uint8Array>;

/** Builds the package's files. Throws where the sources have errors. */
export async function clientFiles(): Promise<Files> {
  await makeClientTypes();
  const files = new Map<string, Uint8Array>();
  const add = (name: string, text: string) => void files.set(name, new TextEncoder().encode(text));
  add("package.json", `${JSON.stringify(manifest(), null, 2)}\n`);
  add("index.js", await bundled());
  for (const [name, text] of declared()) add(name, text);
  add("README.md", readFileSync(join(SOURCE, "README.md"), "utf8"));
  add("LICENSE", readFileSync(join(ROOT, "LICENSE"), "utf8"));
  return files;
}

/** The program in one file; packages stay outside. */
async function bundled(): Promise<string> {
  const { success, logs, outputs } = await Bun.build({
    entrypoints: [join(SOURCE, "index.ts")],
    target: "browser",
    format: "esm",
    external: [...NAMES],
  });
  const [file] = outputs;
  if (!success || file === undefined) throw new AggregateError(logs, "building the client failed");
  return await file.text();
}

/** The declarations, by name. */
function declared(): (readonly [name: string, text: string])[] {
  const folder = join(CACHE, `client-types-${process.pid}`);
  try {
    const tsc = join(ROOT, "node_modules/.bin/tsc");
    const ran = Bun.spawnSync([tsc, join(SOURCE, "index.ts"), ...DECLARE, "--outDir", folder], { cwd: ROOT });
    if (!ran.success) throw new Error(`the client's types could not be declared:\n${ran.stdout}`);
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts"));
    return names.sort().map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return [name, text.replace(/(from "\.[^"]*)\.ts"/g, '$1.js"')] as const;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The package as npm installs it. */
export function packed(files: Files): Uint8Array<ArrayBuffer> {
  const blocks = [...files].flatMap(([name, bytes]) => [
    encodeHeader({ name: `package/${name}`, bytes: bytes.length }, 0, MODE),
    bytes,
    new Uint8Array(padding(bytes.length)),
  ]);
  return Bun.gzipSync(Buffer.concat([...blocks, new Uint8Array(2 * BLOCK_BYTES)]), { level: 9 });
}

/** A file with the packed client, for the executable; made again only where something of it has changed. */
export async function packedClientFile(): Promise<string> {
  await makeClientTypes();
  const parts = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) => /\.(ts|md)$/.test(name));
  const texts = [...parts.sort().map((name) => join(SOURCE, name)), import.meta.path, join(ROOT, "package.json")];
  const hash = Bun.hash(texts.map((file) => readFileSync(file, "utf8")).join("\0")).toString(16);
  const file = join(CACHE, `client-${hash}.tgz`);
  if (existsSync(file)) return file;
  const bytes = packed(await clientFiles());
  mkdirSync(CACHE, { recursive: true });
  for (const name of readdirSync(CACHE)) if (/^client-\w+\.tgz$/.test(name)) rmSync(join(CACHE, name));
  const draft = `${file}.${process.pid}.new`;
  await Bun.write(draft, bytes);
  renameSync(draft, file);
  return file;
}

async function main(): Promise<void> {
  const files = await clientFiles();
  rmSync(OUT, { recursive: true, force: true });
  for (const [name, bytes] of files) await Bun.write(join(OUT, name), bytes);
  process.stdout.write(`built ${OUT}: ${packed(files).length} bytes packed\n`);
}

if (import.meta.main) await main();
