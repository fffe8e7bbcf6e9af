// A second factor means what it says: where an account has one, its password alone is not enough, whatever the factor
// is.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
import { hashRecoveryCode, stepAt, totpCode } from "../../src/people/sign-in/totp.ts";
import { insertRow } from "../../src/storage/database/row-writes.ts";
import { Browser, makeMember, PASSWORD, signedIn } from "../kit/people.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(120_000);

const HOST = "cap.example.com";
const CODES = ["AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB"];

/** Where browsers have passkeys, and where they have none. */
let [named, bare]: [TestServer, TestServer] = [undefined, undefined] as never;
beforeAll(async () => {
  named = await startTestServer({ CAPTABLE_PUBLIC_URL: `https://${HOST}` });
  bare = await startTestServer();
});
afterAll(async () => {
  await named.stop();
  await bare.stop();
});

/** An account with a passkey, made in the database, and as many recovery codes. */
async function withPasskey(server: TestServer, codes: readonly string[]): Promise<string> {
  const { accountId, email } = await makeMember(server.app.writer, server.orgId);
  await server.app.writer.submit((tx) => {
    const createdAt = toTimestamp(systemRuntime.nowMs());
    const id = systemRuntime.newId();
    const key = { credentialId: id, publicKey: "k", counter: 0, transports: "[]", name: "Key", lastUsedAt: null };
    insertRow(tx, "passkeys", { id, createdAt, accountId, ...key });
    for (const code of codes) {
      const row = { id: systemRuntime.newId(), createdAt, accountId, codeHash: hashRecoveryCode(code), usedAt: null };
      insertRow(tx, "recovery_codes", row);
    }
  });
  return email;
}

function signIn(server: TestServer, email: string, code?: string): Promise<Answer> {
  const headers = server === named ? { host: HOST } : {};
  const body = { email, password: PASSWORD, ...(code !== undefined && { code }) };
  return new Browser(server).api("POST", "/auth/sign-in", body, { headers, orgId: null });
}

function told({ status, json }: Answer): [number, string, unknown] {
  return [status, String(json.type).split("/").at(-1) ?? "", json.ways];
}

describe("an account with a passkey and no one-time codes", () => {
  test("is not let in by its password alone, and is told by what else", async () => {
    const email = await withPasskey(named, CODES);
    expect(told(await signIn(named, email))).toEqual([401, "second-factor-required", ["RECOVERY_CODE", "PASSKEY"]]);
    // The control: the same account without a passkey, and a wrong password, whose answer names no factor.
    const { email: other } = await makeMember(named.app.writer, named.orgId);
    expect((await signIn(named, other)).status).toBe(200);
    const headers = { host: HOST };
    const wrong = { email, password: "wrong" };
    const answer = await new Browser(named).api("POST", "/auth/sign-in", wrong, { headers, orgId: null });
    expect(told(answer)).toEqual([401, "sign-in-failed", undefined]);
  });

  test("is let in by a recovery code, once, as with two factors", async () => {
    const email = await withPasskey(named, CODES);
    const done = await signIn(named, email, CODES[0]);
    expect([done.status, done.json.data.hasSecondFactor]).toEqual([200, true]);
    expect(told(await signIn(named, email, CODES[0]))).toEqual([401, "sign-in-failed", undefined]);
  });

  test("names no passkey where browsers have none, and the way out where no factor is left", async () => {
    const email = await withPasskey(bare, CODES.slice(0, 1));
    expect(told(await signIn(bare, email))).toEqual([401, "second-factor-required", ["RECOVERY_CODE"]]);
    expect((await signIn(bare, email, CODES[0])).status).toBe(200);
    const lost = await signIn(bare, email);
    expect(told(lost)).toEqual([401, "second-factor-required", []]);
    expect(lost.json.detail).toContain("reset");
  });
});

test("the refusal names one-time codes, and recovery codes while there are any", async () => {
  const person = await signedIn(bare);
  const { secret } = (await person.api("POST", "/auth/totp")).json.data;
  const done = await person.api("POST", "/auth/totp/verify", { code: totpCode(secret, stepAt(Date.now())) });
  expect(done.status).toBe(200);
  expect(told(await signIn(bare, person.email))).toEqual([401, "second-factor-required", ["TOTP", "RECOVERY_CODE"]]);
});

test("a reset asks for a factor that can be given there, and names it", async () => {
  const email = await withPasskey(named, CODES);
  const { items } = (await named.api("GET", "/members?limit=100", undefined, { headers: { host: HOST } })).json;
  const { id } = items.find((each: { email: string }) => each.email === email);
  const made = await named.api("POST", `/members/${id}/reset-link`, undefined, { headers: { host: HOST } });
  const body = { token: String(made.json.url).split("#")[1], password: "another sentence of hers" };
  const options = { headers: { host: HOST }, orgId: null };
  const refused = await new Browser(named).api("POST", "/auth/reset", body, options);
  expect(told(refused)).toEqual([401, "second-factor-required", ["RECOVERY_CODE"]]);
  const done = await new Browser(named).api("POST", "/auth/reset", { ...body, code: CODES[1] }, options);
  expect(done.status).toBe(204);
});
