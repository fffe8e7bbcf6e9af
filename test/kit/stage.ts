// A service and a browser for the tests of a file: both are there before the first of them, and ended after the last.
import { afterAll, beforeAll } from "bun:test";
import type { Browser } from "playwright-core";
import type { Environment } from "../../src/server/config.ts";
import { launchChromium } from "./chromium.ts";
import { asking } from "./company.ts";
import { makeSampleCompany, type SampleCompany } from "./sample.ts";
import { startTestServer, type TestServer } from "./service.ts";

/** What the tests of a file have. */
export interface Stage {
  readonly server: TestServer;
  readonly browser: Browser;
  /** Makes the sample company in the first organization. */
  sample(): Promise<SampleCompany>;
}

/** Sets the stage for the tests of the block in which it is called; `given` gets it before the first of them. */
export function setStage(given: (stage: Stage) => unknown, environment: Environment = {}): void {
  let server: TestServer | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    const started = await startTestServer(environment);
    server = started;
    browser = await launchChromium();
    const sample = async () => makeSampleCompany(asking(started.url, await started.key("ADMIN")));
    await given({ server: started, browser, sample });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
}
