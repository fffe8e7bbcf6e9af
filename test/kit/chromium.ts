// A Chromium for tests of pages, and of what a browser does with cookies, sites and passkeys: the one that
// CAPTABLE_TEST_BROWSER names; else, on Linux on x64, one that comes with a package, so that all runs use the same one, which
// needs nothing of the machine and, without windows, takes three fifths of the work of a whole one; else one on the path.
// Without any, tests say that they are skipped.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { devDependencies } from "../../package.json";
import { RELEASE } from "./release.ts";

const ON_PATH = ["chromium", "chromium-browser", "google-chrome"];
const IS_PACKAGED = process.platform === "linux" && process.arch === "x64";
/** The machine's own; null where the packaged one is used, or none is there. */
const OWN =
  process.env.CAPTABLE_TEST_BROWSER ||
  (IS_PACKAGED ? null : (ON_PATH.map((name) => Bun.which(name)).find(Boolean) ?? null));
/** Whether there is a Chromium here. */
export const HAS_CHROMIUM = OWN !== null || IS_PACKAGED;
/** The names of tests in a browser if Chromium is missing: they say why the tests are skipped. */
export const IN_BROWSER = HAS_CHROMIUM ? "in a real browser" : "skipped: no browser; set CAPTABLE_TEST_BROWSER";
/** Those of the packaged browser turn off what the tests look at, and are not used. */
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"];
/**
 * Without memory for pictures of pages, none are drawn, which is a quarter of the work of loading one: styles, layout, focus
 * and what lies under a pointer are as ever. Functions of pages do not run long enough to be worth compiling again. Release
 * runs measure pages as users have them.
 */
const WITHOUT_PICTURES = [
  ...["--force-gpu-mem-available-mb=0", "--in-process-gpu"],
  "--js-flags=--no-opt,--no-maglev,--single-threaded-gc",
];

/** Kept for the next run, as other caches are. */
const FOLDER = join(
  import.meta.dir,
  `../../node_modules/.cache/captable/chromium-${devDependencies["@sparticuz/chromium"]}-with-fonts`,
);
const UNPACK = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
/** So it brings its own libraries: a bare machine has none of them. */
const WITH_LIBRARIES = { AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" };

/**
 * The fonts that the browser has: those that it came with, wherever it stands, and none of the machine's. Without any it
 * gives letters no width, and ends itself where it looks for one that a page's own fonts do not have.
 */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(FOLDER, "fonts/fonts")}</dir>
  <cachedir>${join(FOLDER, "fonts-cache")}</cachedir>
</fontconfig>
`;

let unpacked: Promise<void> | null = null;

/** Unpacks the browser beside its place, and moves it there whole: other test files do the same. */
async function unpack(): Promise<void> {
  if (existsSync(FOLDER)) return;
  mkdirSync(dirname(FOLDER), { recursive: true });
  const draft = mkdtempSync(`${FOLDER}-`);
  const env = { ...process.env, ...WITH_LIBRARIES, TMPDIR: draft };
  const child = Bun.spawn([process.execPath, "-e", UNPACK], { cwd: import.meta.dir, env, stderr: "pipe" });
  if ((await child.exited) !== 0) throw new Error(`no Chromium: ${await new Response(child.stderr).text()}`);
  writeFileSync(join(draft, "fonts/fonts.conf"), FONTS);
  try {
    renameSync(draft, FOLDER);
  } catch (error) {
    if (!existsSync(FOLDER)) throw error;
    rmSync(draft, { recursive: true });
  }
}

/** How long a page may take for anything: a loaded machine takes longer than the 30 s that Playwright gives. */
export const WAIT_MS = 120_000;

/** Starts the browser. */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    ...(await installed()),
    args: RELEASE ? FLAGS : [...FLAGS, ...WITHOUT_PICTURES],
  });
  const newContext = browser.newContext.bind(browser);
  return Object.assign(browser, {
    async newContext(...options: Parameters<Browser["newContext"]>) {
      const context = await newContext(...options);
      context.setDefaultTimeout(WAIT_MS);
      return context;
    },
  });
}

/** The executable, and the environment that it needs. */
async function installed(): Promise<LaunchOptions> {
  if (OWN !== null) return { executablePath: OWN };
  unpacked ??= unpack();
  await unpacked;
  const libraries = { LD_LIBRARY_PATH: join(FOLDER, "al2023/lib"), FONTCONFIG_PATH: join(FOLDER, "fonts") };
  const env = { HOME: FOLDER, PATH: process.env.PATH ?? "", ...libraries };
  return { executablePath: join(FOLDER, "chromium"), env };
}
