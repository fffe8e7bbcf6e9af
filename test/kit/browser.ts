// A real browser, headless, driven by the Chrome DevTools protocol; for the tests of pages. Where there is none, tests
// say that they are skipped.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The browser's program, or null where the machine has none. */
export const BROWSER =
  ["chromium", "chromium-browser", "google-chrome"].map((name) => Bun.which(name)).find(Boolean) ?? null;

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--remote-debugging-port=0",
];
const PATIENCE_MS = 30_000;
const PAUSE_MS = 50;

/** A page in the browser. */
export interface BrowserPage {
  /** What the page complained of: failed loads, policy violations, exceptions. */
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

interface Message {
  readonly id?: number;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the protocol's messages are of many shapes
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly result?: any;
}

/** Starts the browser with an empty profile and opens a page. */
export async function openBrowser(program: string): Promise<BrowserPage> {
  const profile = mkdtempSync(join(tmpdir(), "captable-browser-"));
  const child = Bun.spawn([program, ...FLAGS, `--user-data-dir=${profile}`, "about:blank"], {
    stdout: "ignore",
    stderr: "ignore",
  });
  const port = await waitFor(() => {
    const file = join(profile, "DevToolsActivePort");
    return existsSync(file) ? readFileSync(file, "utf8").split("\n")[0] : undefined;
  });
  const tabs = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as Record<string, string>[];
  const socket = new WebSocket(tabs.find((tab) => tab.type === "page")?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const page = drive(socket);
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.command(`${domain}.enable`);
  return {
    complaints: page.complaints,
    requests: page.requests,
    open: async (url) => void (await page.command("Page.navigate", { url })),
    prefer: async (value) => {
      await page.command("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
    },
    evaluate: page.evaluate,
    until: async (expression) => void (await waitFor(async () => (await page.evaluate(expression)) || undefined)),
    async close() {
      socket.close();
      child.kill();
      await child.exited;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

function drive(socket: WebSocket) {
  const waiting = new Map<number, (message: Message) => void>();
  const complaints: string[] = [];
  const requests: string[] = [];
  let last = 0;
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    if (message.method === "Network.requestWillBeSent") requests.push(message.params.request.url);
    if (message.method === "Log.entryAdded") complaints.push(message.params.entry.text);
    if (message.method === "Runtime.exceptionThrown") complaints.push(message.params.exceptionDetails.text);
  });
  const command = (method: string, params: object = {}) =>
    new Promise<Message>((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  async function evaluate<T>(expression: string): Promise<T> {
    const { result } = await command("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (result.exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(result.exceptionDetails)}`);
    return result.result.value as T;
  }
  return { command, evaluate, complaints, requests };
}

async function waitFor<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const found = await look();
    if (found !== undefined) return found;
    await Bun.sleep(PAUSE_MS);
  }
  throw new Error(`waited ${PATIENCE_MS} ms in vain`);
}
