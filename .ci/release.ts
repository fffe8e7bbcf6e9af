// `bun run release`: the executables of all targets, what is in them, its licences, and SHA256SUMS over it all, in
// dist/. All or nothing: where one cannot be made, it says which and why, and dist/ holds no release.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build, ownTarget, TARGETS, type Target } from "./build.ts";
import { licensesText } from "./licenses.ts";
import { bundledKeys, readLock, sbomOf } from "./sbom.ts";

const ROOT = join(import.meta.dir, "..");
const SUMS = "SHA256SUMS";
const SBOM = "captable.cdx.json";
const LICENSES = "licenses.txt";

/** Something that a release must not be. */
class ReleaseError extends Error {
  override readonly name = "ReleaseError";
}

/** What a target's executable begins with, and for Linux which loader it asks for. */
const SHAPES: Readonly<Record<Target, { readonly head: string; readonly loader: string | null }>> = {
  "linux-x64": { head: "7f454c46020101", loader: "ld-linux-x86-64.so.2" },
  "linux-arm64": { head: "7f454c46020101", loader: "ld-linux-aarch64.so.1" },
  "linux-x64-musl": { head: "7f454c46020101", loader: "ld-musl-x86_64.so.1" },
  "linux-arm64-musl": { head: "7f454c46020101", loader: "ld-musl-aarch64.so.1" },
  "darwin-arm64": { head: "cffaedfe0c000001", loader: null },
};
/** Where in an executable the loader's name is, at the latest. */
const HEAD_BYTES = 64 * 1024;

/** Throws where the executable is another machine's: what cannot be started here is looked at. */
export function refuseOtherShape(target: Target, file: string): void {
  const bytes = readFileSync(file).subarray(0, HEAD_BYTES);
  const { head, loader } = SHAPES[target];
  const isRight =
    bytes.toString("hex", 0, head.length / 2) === head && (loader === null || bytes.includes(`${loader}\0`));
  if (!isRight) throw new ReleaseError("what was built is no executable of this target");
}

/** Makes the release in `folder`, which is emptied of an older one first. Rejects, and leaves none, where anything fails. */
export async function release(folder: string, targets = Object.keys(TARGETS) as Target[]): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const whole = [...Object.keys(TARGETS).map(nameOf), SBOM, LICENSES, "LICENSE", SUMS];
  for (const name of whole) rmSync(join(folder, name), { force: true });
  const work = join(folder, ".release");
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  try {
    const inputs = await buildAll(work, targets);
    await writeTexts(work, inputs);
    const names = readdirSync(work).sort();
    const sums = names.map((name) => `${sha256(join(work, name))}  ${name}\n`);
    await Bun.write(join(work, SUMS), sums.join(""));
    // The sums last: where they are, all is.
    for (const name of [...names, SUMS]) renameSync(join(work, name), join(folder, name));
    return [...names, SUMS];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function nameOf(target: string): string {
  return `captable-${target}`;
}

async function buildAll(work: string, targets: readonly Target[]): Promise<Set<string>> {
  const inputs = new Set<string>();
  const failed: string[] = [];
  for (const target of targets) {
    try {
      const file = join(work, nameOf(target));
      for (const path of await build(target, file)) inputs.add(path);
      refuseOtherShape(target, file);
      if (target === ownTarget()) tryOut(file);
      process.stdout.write(`built ${target}\n`);
    } catch (error) {
      failed.push(`${target}: ${wordsOf(error)}`);
      process.stdout.write(`cannot build ${target}\n`);
    }
  }
  if (failed.length === 0) return inputs;
  throw new ReleaseError(
    `no release was made: ${failed.length} of ${targets.length} executables cannot be built here.\n  ` +
      `${failed.join("\n  ")}\nBun's runtime for another machine comes from the npm registry, the SQLite addon from ` +
      "node_modules (bun install --frozen-lockfile).",
  );
}

function wordsOf(error: unknown): string {
  const errors = error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error];
  return errors.map((each) => (each instanceof Error ? each.message : String(each))).join("; ");
}

/** The executable of this machine says its version, licences and all. */
function tryOut(file: string): void {
  const ended = Bun.spawnSync([file, "licenses"], { stdout: "pipe", stderr: "pipe" });
  if (ended.exitCode !== 0) throw new ReleaseError(`it does not run: ${ended.stderr.toString().trim()}`);
  if (ended.stdout.toString() !== licensesText()) throw new ReleaseError("its licences are old: bun .ci/licenses.ts");
}

async function writeTexts(work: string, inputs: ReadonlySet<string>): Promise<void> {
  const licenses = licensesText();
  const lock = readLock();
  const unnamed = bundledKeys(inputs).filter((key) => {
    const [nameAndVersion = ""] = lock.packages[key] ?? [];
    return !licenses.includes(`${nameAndVersion.replace(/@([^@]+)$/, " $1")}`);
  });
  if (unnamed.length > 0) throw new ReleaseError(`the licences do not name ${unnamed.join(", ")}`);
  await Bun.write(join(work, SBOM), `${JSON.stringify(sbomOf(inputs, lock), null, 2)}\n`);
  await Bun.write(join(work, LICENSES), licenses);
  copyFileSync(join(ROOT, "LICENSE"), join(work, "LICENSE"));
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

if (import.meta.main) {
  try {
    const names = await release(join(ROOT, "dist"));
    process.stdout.write(`${names.map((name) => `dist/${name}`).join("\n")}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
