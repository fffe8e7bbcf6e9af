// A whole Chromium for tests of what a browser does with cookies, sites and passkeys. It comes with a package and needs
// nothing of the machine but Linux on x64; elsewhere tests say that they are skipped.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { devDependencies } from "../../package.json";

/** Whether there is a Chromium here. */
export const HAS_CHROMIUM = process.platform === "linux" && process.arch === "x64";

/** Kept for the next run, as other caches are. */
const FOLDER = join(
  import.meta.dir,
  `../../node_modules/.cache/captable/chromium-${devDependencies["@sparticuz/chromium"]}`,
);
const UNPACK = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
/** So it brings its own libraries: a bare machine has none of them. */
const WITH_LIBRARIES = { AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" };

let unpacked: Promise<void> | null = null;

/** Unpacks the browser beside its place, and moves it there whole: other test files do the same. */
async function unpack(): Promise<void> {
  if (existsSync(FOLDER)) return;
  mkdirSync(dirname(FOLDER), { recursive: true });
  const draft = mkdtempSync(`${FOLDER}-`);
  const env = { ...process.env, ...WITH_LIBRARIES, TMPDIR: draft };
  const child = Bun.spawn([process.execPath, "-e", UNPACK], { cwd: import.meta.dir, env, stderr: "pipe" });
  if ((await child.exited) !== 0) throw new Error(`no Chromium: ${await new Response(child.stderr).text()}`);
  try {
    renameSync(draft, FOLDER);
  } catch (error) {
    if (!existsSync(FOLDER)) throw error;
    rmSync(draft, { recursive: true });
  }
}

/** Starts the browser. Its package's own flags turn off what the tests look at, and are not used. */
export async function launchChromium(): Promise<Browser> {
  unpacked ??= unpack();
  await unpacked;
  const libraries = { LD_LIBRARY_PATH: join(FOLDER, "al2023/lib"), FONTCONFIG_PATH: join(FOLDER, "fonts") };
  const env = { HOME: FOLDER, PATH: process.env.PATH ?? "", ...libraries };
  const executablePath = join(FOLDER, "chromium");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"], env });
}
