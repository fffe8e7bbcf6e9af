// A service and a browser for the tests of a file: both are there before the first of them, and ended after the last.
import { afterAll, beforeAll } from "bun:test";
import type { Browser } from "playwright-core";
import type { Environment } from "../../src/server/config.ts";
import { launchChromium } from "./chromium.ts";
import { asking } from "./company.ts";
import { clearDrafts, clearSession, type Look, type Staying, signIn, staying, visit } from "./pages.ts";
import { makeSampleCompany, type SampleCompany } from "./sample.ts";
import { startTestServer, type TestServer } from "./service.ts";

/** What the tests of a file have. */
export interface Stage {
  readonly server: TestServer;
  readonly browser: Browser;
  /** Makes the sample company in the first organization. */
  sample(): Promise<SampleCompany>;
  /**
   * The window of a user of its own, an ADMIN unless it is said, which the tests of the file use one after the other; with
   * null a window where each of them begins without a session.
   */
  stays(given?: Parameters<typeof signIn>[2] | null, look?: Look): Staying["turn"];
}

/** Sets the stage for the tests of the block in which it is called; `given` gets it before the first of them. */
export function setStage(given: (stage: Stage) => unknown, environment: Environment = {}): void {
  let server: TestServer | undefined;
  let browser: Browser | undefined;
  const windows: Staying[] = [];
  beforeAll(async () => {
    const started = await startTestServer(environment);
    server = started;
    const launched = await launchChromium();
    browser = launched;
    const stays: Stage["stays"] = (user, look) => {
      const opened = staying(
        async () => {
          const visitor = await visit(launched, started, look);
          if (user !== null) await signIn(visitor, started, user);
          return visitor;
        },
        user === null ? clearSession : clearDrafts,
        look,
      );
      windows.push(opened);
      return opened.turn;
    };
    const sample = async () => makeSampleCompany(asking(started.url, await started.key("ADMIN")));
    await given({ server: started, browser: launched, sample, stays });
  });
  afterAll(async () => {
    try {
      for (const each of windows) await each.leave();
    } finally {
      await browser?.close();
      await server?.stop();
    }
  });
}
