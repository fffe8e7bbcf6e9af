// Which browser the tests of pages drive: the one that a setting names, one on the path, or the Chromium inside an npm
// package; so that a fresh Linux machine needs nothing else.
import { existsSync } from "node:fs";

const ON_PATH = ["chromium", "chromium-browser", "google-chrome"];

/** Why tests in a browser are skipped. */
export const NO_BROWSER = "skipped: no browser; set CAPTABLE_TEST_BROWSER";

/** The browser's program; null where the machine has none. Throws where continuous integration lacks what it should have. */
export async function findBrowser(): Promise<string | null> {
  const named = process.env.CAPTABLE_TEST_BROWSER;
  if (named) return named;
  const onPath = ON_PATH.map((name) => Bun.which(name)).find(Boolean);
  if (onPath) return onPath;
  const isPackaged = process.platform === "linux" && process.arch === "x64";
  const packaged = isPackaged ? await packagedBrowser() : null;
  if (packaged === null && isPackaged && process.env.CI === "true") throw new Error("the packaged browser is missing");
  return packaged;
}

/** The Chromium of `@sparticuz/chromium`, unpacked; its own flags, which turn off what is tested here, are not used. */
async function packagedBrowser(): Promise<string | null> {
  // It then unpacks the libraries that a bare machine lacks.
  process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs20.x";
  try {
    const { default: chromium } = await import("@sparticuz/chromium");
    const program = await chromium.executablePath();
    return existsSync(program) ? program : null;
  } catch {
    return null;
  }
}
