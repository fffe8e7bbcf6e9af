// Files on their way to the server, over a slow line: how far each is, stopping it, and what is left where it fails.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { CDPSession } from "playwright-core";
import { present } from "../../src/kernel/assert.ts";
import { axeFindings } from "../kit/axe.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { inPage, type Staying, type Visitor } from "../kit/pages.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(120_000);

const BYTES = 1_500_000;
/** Of a file whose way is not looked at: what is intercepted goes through the test twice. */
const SMALL = 100_000;
/** Bytes a second. */
const SLOW = 750_000;
/** A file takes long enough for whatever is done meanwhile. */
const HARDLY = 60_000;
const UNLIMITED = -1;
const TESTS = 5;

let server: TestServer;
let asAdministrator: Staying["turn"];
/** One for each test, which takes it. */
let organizations: string[];
const lines: CDPSession[] = [];

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(async ({ stays, ...stage }) => {
    ({ server } = stage);
    organizations = await Promise.all(Array.from({ length: TESTS }, () => server.newOrganization("Acme")));
    asAdministrator = stays({ alsoIn: [...organizations] });
  });

  /** Opens a page as an administrator of a new organization. */
  async function visiting(path: string, act: (visitor: Visitor, orgId: string) => Promise<void>): Promise<void> {
    const orgId = present(organizations.pop(), "an organization");
    await asAdministrator(async (visitor) => {
      await visitor.turnTo(`/o/${orgId}${path}`);
      await inPage(visitor, visitor.page, NOTING);
      try {
        await act(visitor, orgId);
      } finally {
        for (const line of lines.splice(0)) await line.detach();
      }
    });
  }

  async function lineOf({ context, page }: Visitor): Promise<(bytesPerSecond: number) => Promise<unknown>> {
    const line: CDPSession = await context.newCDPSession(page);
    lines.push(line);
    await line.send("Network.enable");
    return (uploadThroughput) =>
      line.send("Network.emulateNetworkConditions", {
        ...{ offline: false, latency: 0, downloadThroughput: UNLIMITED, uploadThroughput },
      });
  }

  /** Has the page note each figure that a bar shows: a look now and then misses some on a busy machine. */
  const NOTING = `globalThis.shownByBars = {};
    globalThis.notingBars ??= new MutationObserver(() => {
      for (const bar of document.querySelectorAll("progress[value]")) {
        const name = bar.getAttribute("aria-label");
        const shown = (shownByBars[name] ??= []);
        const now = Number(bar.getAttribute("value"));
        if (now !== shown.at(-1)) shown.push(now);
      }
      dispatchEvent(new Event("noted"));
    });
    notingBars.observe(document, { subtree: true, childList: true, attributes: true })`;

  /** How much of a file is sent: each figure that its bar shows, until there is no bar any more, or one is reached. */
  async function sentOf(visitor: Visitor, name: string, until = Number.POSITIVE_INFINITY): Promise<number[]> {
    return await inPage<number[]>(
      visitor,
      visitor.page,
      `new Promise((resolve) => {
        const look = () => {
          const shown = shownByBars["Sending ${name}"] ?? [];
          const bar = document.querySelector("progress[aria-label='Sending ${name}']");
          if (shown.length === 0 || (bar !== null && shown.at(-1) < ${until})) return;
          removeEventListener("noted", look);
          resolve(shown);
        };
        addEventListener("noted", look);
        look();
      })`,
    );
  }

  const documentsOf = async (orgId: string) => (await server.api("GET", "/documents", undefined, { orgId })).json.items;

  function fileOf(name: string, bytes = BYTES) {
    return { name, mimeType: "application/octet-stream", buffer: Buffer.alloc(bytes, name) };
  }

  test("documents say how far they are, byte by byte, one after the other", async () => {
    await visiting("/documents", async (visitor, orgId) => {
      const { page } = visitor;
      const slow = await lineOf(visitor);
      await page.getByLabel("Files to add").setInputFiles([fileOf("a.bin"), fileOf("b.bin")]);
      await slow(SLOW);
      await page.getByRole("button", { name: "Store 2 files" }).click();
      for (const name of ["a.bin", "b.bin"]) {
        const seen = await sentOf(visitor, name);
        expect(seen.filter((bytes) => bytes > 0 && bytes < BYTES).length).toBeGreaterThan(2);
        expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      }
      await page.getByText("2 files stored").waitFor();
      expect((await documentsOf(orgId)).map(({ size }: { size: number }) => size)).toEqual([BYTES, BYTES]);
    });
  });

  test("a stopped upload leaves no document, and the other files can be sent again", async () => {
    await visiting("/documents", async (visitor, orgId) => {
      const { page } = visitor;
      const slow = await lineOf(visitor);
      await page.getByLabel("Files to add").setInputFiles([fileOf("a.bin", 1), fileOf("b.bin")]);
      await slow(HARDLY);
      await page.getByRole("button", { name: "Store 2 files" }).click();
      await sentOf(visitor, "b.bin", 1);
      await page.getByText(/ of 1\.5 MB/).waitFor();
      expect(await axeFindings(visitor)).toEqual([]);
      await page.getByRole("button", { name: "Stop sending" }).click();
      const again = page.getByRole("button", { name: "Store 1 file" });
      await again.waitFor();
      await page.getByRole("button", { name: "Stop sending" }).waitFor({ state: "detached" });
      expect((await documentsOf(orgId)).map(({ title }: { title: string }) => title)).toEqual(["a"]);
      await slow(UNLIMITED);
      await again.click();
      await page.getByText("2 files stored").waitFor();
      expect(await documentsOf(orgId)).toHaveLength(2);
    });
  });

  test("what is refused leaves no record, and says why", async () => {
    await visiting("/documents", async ({ page, complaints }, orgId) => {
      await page.route("**/content", (route) =>
        route.fulfill({
          status: 413,
          contentType: "application/problem+json",
          body: JSON.stringify({ type: "x/problems/too-large", title: "Too large", detail: "It is too large." }),
        }),
      );
      await page.getByLabel("Files to add").setInputFiles([fileOf("a.bin", SMALL)]);
      await page.getByRole("button", { name: "Store 1 file" }).click();
      await page.getByText("Not stored. It is too large.").waitFor();
      expect(await documentsOf(orgId)).toEqual([]);
      expect(complaints.splice(0).every((each) => each.includes("status of 413"))).toBe(true);
    });
  });

  test("where the server asks to wait, the file goes again, whole", async () => {
    await visiting("/documents", async ({ page, complaints }, orgId) => {
      let refused = 0;
      await page.route("**/content", (route) => {
        if (refused++ > 0) return route.continue();
        const headers = { "content-type": "application/problem+json", "retry-after": "0" };
        return route.fulfill({ status: 429, headers, body: "{}" });
      });
      await page.getByLabel("Files to add").setInputFiles([fileOf("a.bin", SMALL)]);
      await page.getByRole("button", { name: "Store 1 file" }).click();
      await page.getByText("1 file stored").waitFor();
      expect(refused).toBe(2);
      const [{ sha256 }] = await documentsOf(orgId);
      expect(sha256).toBe(new Bun.CryptoHasher("sha256").update(fileOf("a.bin", SMALL).buffer).digest("hex"));
      expect(complaints.splice(0).every((each) => each.includes("status of 429"))).toBe(true);
    });
  });

  test("a spreadsheet says how far it is, and can be stopped", async () => {
    await visiting("/ocf", async (visitor, orgId) => {
      const { page } = visitor;
      const slow = await lineOf(visitor);
      await page.getByLabel("Spreadsheet", { exact: true }).setInputFiles(fileOf("acme.xlsx"));
      await slow(HARDLY);
      const check = page.getByRole("button", { name: "Check", exact: true });
      await check.click();
      await sentOf(visitor, "acme.xlsx", 1);
      await page.getByRole("button", { name: "Stop sending" }).click();
      await page.getByRole("progressbar").waitFor({ state: "detached" });
      expect(await page.getByRole("alert").count()).toBe(0);
      expect(await documentsOf(orgId)).toEqual([]);
      await inPage(visitor, page, "shownByBars = {}");
      await slow(SLOW);
      await check.click();
      const seen = await sentOf(visitor, "acme.xlsx");
      expect(seen.filter((bytes) => bytes > 0 && bytes < BYTES).length).toBeGreaterThan(2);
      await page.getByRole("button", { name: "Choose another file" }).waitFor();
    });
  });
});
