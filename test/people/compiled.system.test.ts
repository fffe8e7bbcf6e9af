// Passkeys and OpenID Connect in the executable as it is built, whose packages are read out of it when first needed: with a
// thread that writes, a real browser and a real provider.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { build, ownTarget } from "../../.ci/build.ts";
import { HAS_CHROMIUM, launchChromium } from "../kit/chromium.ts";
import { PASSWORD } from "../kit/people.ts";
import { PROGRAM, type Served, serveProgram } from "../kit/program.ts";
import { openPage, type PasskeyPage } from "./page.ts";
import { CLIENT_ID, CLIENT_SECRET, startProvider, type TestProvider } from "./provider.ts";

setDefaultTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), "captable-compiled-"));
/** As the tests' own run built it, or built here. */
const [executable = ""] = PROGRAM.length === 1 ? PROGRAM : [join(folder, "captable")];
const secretFile = join(folder, "client.secret");
const cannotRun = await whyNot();

/** Why nothing can be tried here, or null. */
async function whyNot(): Promise<string | null> {
  if (!HAS_CHROMIUM) return "there is no Chromium for this machine";
  try {
    if (PROGRAM.length > 1) await build(ownTarget(), executable);
    return null;
  } catch (error) {
    return `nothing can be built here: ${error}`;
  }
}

let provider: TestProvider;
let served: Served;
let chromium: Browser;
let page: PasskeyPage;

beforeAll(async () => {
  if (cannotRun !== null) return void process.stdout.write(`not tested, as ${cannotRun}\n`);
  provider = await startProvider();
  writeFileSync(secretFile, CLIENT_SECRET, { mode: 0o600 });
  const environment = {
    CAPTABLE_CHAIN: "off",
    CAPTABLE_OIDC_ISSUER: provider.issuer,
    CAPTABLE_OIDC_CLIENT_ID: CLIENT_ID,
    CAPTABLE_OIDC_CLIENT_SECRET_FILE: secretFile,
  };
  const how = { program: [executable], more: ["--host", "localhost"] };
  served = await serveProgram(join(folder, "data"), environment, how);
  provider.admit([`${served.url}/api/v1/auth/oidc/callback`]);
  chromium = await launchChromium();
  page = await openPage(chromium, served.url);
});
afterAll(async () => {
  await chromium?.close();
  await served?.end();
  await provider?.stop();
  rmSync(folder, { recursive: true });
});

describe.skipIf(cannotRun !== null)("the executable", () => {
  test("makes a passkey and signs in with it", async () => {
    const account = { key: served.key, name: "Ada Lovelace", email: "ada@example.com", password: PASSWORD };
    expect((await page.api("POST", "/auth/setup", account)).status).toBe(201);
    expect((await page.add()).status).toBe(201);
    expect((await page.api("DELETE", "/auth/session")).status).toBe(204);
    const credential = await page.answerTo("sign-in");
    const signedIn = await page.api("POST", "/auth/passkey", { credential });
    expect([signedIn.status, signedIn.json.data.hasSecondFactor]).toEqual([200, true]);
    expect((await page.api("POST", "/auth/passkey", { credential })).status).toBe(401);
  });

  test("links an identity and signs in by it", async () => {
    provider.sees({ sub: "ada-at-work" });
    const go = async (purpose: string) => {
      await page.page.goto(`${served.url}/problems/unauthorized`);
      await page.page.evaluate(`location.assign("/api/v1/auth/oidc?for=${purpose}")`);
      await page.page.waitForURL(`${served.url}/`);
    };
    await go("link");
    expect((await page.api("GET", "/auth/identities")).json.items).toHaveLength(1);
    expect((await page.api("DELETE", "/auth/session")).status).toBe(204);
    await go("sign-in");
    const { items } = (await page.api("GET", "/auth/sessions")).json;
    expect(items[0]).toMatchObject({ isThis: true, method: "OIDC" });
  });
});
