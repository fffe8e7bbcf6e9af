// One page in a browser, for the tests of pages that are no part of the dashboard: a thin layer over chromium.ts. It is asked
// by the DevTools protocol, because the pages' policy forbids what Playwright would put into them.
import { launchChromium } from "./chromium.ts";

/** A page in the browser. */
export interface BrowserPage {
  /** What the browser complained of: errors, refused loads, violations of a policy. */
  readonly complaints: string[];
  /** Every address that the page asked for. */
  readonly requests: string[];
  /** Opens an address. */
  open(url: string): Promise<void>;
  /** Prefers light or dark. */
  prefer(scheme: "light" | "dark"): Promise<void>;
  /** Evaluates an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until an expression is true. */
  until(expression: string): Promise<void>;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 50;
/** So high that all of a page is in view: the reference shows operations as they come into view. */
const VIEW = { width: 1280, height: 20_000 };

/** Starts the browser with an empty profile and opens a page. */
export async function openBrowser(): Promise<BrowserPage> {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: VIEW });
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(error.message));
  page.on("request", (request) => void requests.push(request.url()));
  const protocol = await page.context().newCDPSession(page);
  async function evaluate<T>(expression: string): Promise<T> {
    const asked = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await protocol.send("Runtime.evaluate", asked);
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return result.value as T;
  }
  return {
    complaints,
    requests,
    evaluate,
    open: async (url) => void (await page.goto(url)),
    prefer: (colorScheme) => page.emulateMedia({ colorScheme }),
    async until(expression) {
      while (!(await evaluate(expression))) await page.waitForTimeout(LOOK_EVERY_MS);
    },
    close: () => browser.close(),
  };
}
