// A backup with people in it: sessions and links from the time of the backup give no access after a restore; a
// password works. The log's chain goes on.
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stepAt, totpCode } from "../../src/people/sign-in/totp.ts";
import { runCommand } from "../kit/command.ts";
import { Browser, PASSWORD, signedIn } from "../kit/people.ts";
import { runProgram, serveProgram } from "../kit/program.ts";
import { startTestServer } from "../kit/service.ts";

setDefaultTimeout(120_000);

test("a restore ends all sessions and revokes open links, and passwords work", async () => {
  const folder = mkdtempSync(join(tmpdir(), "captable-people-"));
  const server = await startTestServer();
  try {
    const person = await signedIn(server);
    const { secret } = (await person.api("POST", "/auth/totp")).json.data;
    await person.api("POST", "/auth/totp/verify", { code: totpCode(secret, stepAt(Date.now())) });
    const plain = await signedIn(server, { role: "EDITOR" });
    const invitation = await server.api("POST", "/invitations", { email: "guest@example.com", role: "VIEWER" });
    const reset = await server.api("POST", `/members/${plain.memberId}/reset-link`);
    const file = join(folder, "b.captable");
    const taken = await runCommand(["backup", "--out", file, "--data-dir", server.dataDir]);
    expect([taken.status, taken.stderr]).toEqual([0, expect.any(String)]);
    const restored = join(folder, "restored");
    const back = await runCommand(["restore", file, "--data-dir", restored]);
    expect(back.status).toBe(0);
    expect(back.stdout).toContain("2 sessions ended and 2 links revoked");
    expect(back.stdout).toContain("lacks accounts.key");
    expect((await runCommand(["verify", "--data-dir", restored])).status).toBe(0);
    const served = await serveProgram(restored);
    try {
      const there = { ...server, url: served.url, api: apiOf(served.url) };
      for (const { token } of [person, plain]) {
        expect((await new Browser(there, token).api("GET", "/stakeholders")).status).toBe(401);
      }
      const browser = new Browser(there);
      for (const [path, { json }, more] of [
        ["/auth/accept", invitation, { name: "Guest" }],
        ["/auth/reset", reset, {}],
      ] as const) {
        const token = String(json.url).split("#")[1];
        const answer = await browser.api("POST", path, { token, password: PASSWORD, ...more });
        expect([path, answer.status]).toEqual([path, 409]);
      }
      const signIn = (email: string, more: object = {}) =>
        browser.api("POST", "/auth/sign-in", { email, password: PASSWORD, ...more });
      expect((await signIn(plain.email)).status).toBe(200);
      // Without the key that seals them, codes fail; recovery codes and the command line are the way.
      const code = totpCode(secret, stepAt(Date.now()) + 1);
      expect((await signIn(person.email, { code })).status).toBe(401);
      await runCommand(["members", "reset", person.email, "--second-factor", "--data-dir", restored]);
      expect((await signIn(person.email)).status).toBe(200);
    } finally {
      await served.end();
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Calls the API of a program as `TestServer.api` does, without a key. */
function apiOf(url: string): Awaited<ReturnType<typeof startTestServer>>["api"] {
  return async (method, path, body, { headers = {} } = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(`${url}/api/v1${path}`, { method, headers: { ...type, ...headers }, ...sent });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: text === "" ? {} : JSON.parse(text) };
  };
}

test("a restore names the people who differ, and --new-people lets each in by a link alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "captable-people-"));
  const server = await startTestServer();
  const { dataDir, orgId } = server;
  let isStopped = false;
  try {
    const named = (name: string) => ({ email: `${name}@example.com` });
    const [removed, demoted, reset, same] = [
      await signedIn(server, named("removed")),
      await signedIn(server, named("demoted")),
      await signedIn(server, named("reset")),
      await signedIn(server, named("same")),
    ];
    const { secret } = (await same.api("POST", "/auth/totp")).json.data;
    await same.api("POST", "/auth/totp/verify", { code: totpCode(secret, stepAt(Date.now())) });
    const file = join(folder, "b.captable");
    expect((await runCommand(["backup", "--out", file, "--data-dir", dataDir])).status).toBe(0);
    await server.api("DELETE", `/members/${removed.memberId}`);
    await server.api("PATCH", `/members/${demoted.memberId}`, { role: "VIEWER" });
    await reset.api("POST", "/auth/password", { password: "another sentence of hers" });
    const begun = (await reset.api("POST", "/auth/totp")).json.data;
    await reset.api("POST", "/auth/totp/verify", { code: totpCode(begun.secret, stepAt(Date.now())) });
    await signedIn(server, named("later"));
    // The data stays.
    await server.app.stop();
    isStopped = true;
    const restore = ["restore", file, "--data-dir", dataDir, "--force", "--json"];
    const { people, waysIn } = JSON.parse((await runProgram(restore)).stdout);
    const name = `Unnamed organization (${orgId})`;
    expect([people, waysIn]).toEqual([
      [
        { email: "removed@example.com", what: `ADMIN of ${name} (was no member)` },
        { email: "demoted@example.com", what: `ADMIN of ${name} (was VIEWER)` },
        { email: "reset@example.com", what: "other password" },
        { email: "reset@example.com", what: "no one-time codes (had some)" },
        { email: "later@example.com", what: "has no account any more" },
        { email: "later@example.com", what: `is not a member of ${name} (was ADMIN)` },
        { email: "later@example.com", what: "no password (had one)" },
      ],
      null,
    ]);
    const again = JSON.parse((await runCommand([...restore, "--new-people"])).stdout);
    // The control: the same data once more differs in no person.
    expect(again.people).toEqual([]);
    expect(again.waysIn.map(({ email }: { email: string }) => email).sort()).toEqual(
      ["removed", "demoted", "reset", "same"].map((each) => named(each).email).sort(),
    );
    const lasts = Date.parse(again.waysIn[0].expiresAt) - Date.now();
    expect(lasts > 6.9 * 86_400_000 && lasts <= 7 * 86_400_000).toBe(true);
    expect((await runCommand(["verify", "--data-dir", dataDir])).status).toBe(0);
    const served = await serveProgram(dataDir);
    try {
      const browser = new Browser({ ...server, url: served.url, api: apiOf(served.url) });
      const enter = (password: string) =>
        browser.api("POST", "/auth/sign-in", { email: same.email, password }, { orgId: null });
      expect((await enter(PASSWORD)).status).toBe(401);
      const { url } = again.waysIn.find(({ email }: { email: string }) => email === same.email);
      const body = { token: String(url).split("#")[1], password: "another sentence of hers" };
      expect((await browser.api("POST", "/auth/reset", body, { orgId: null })).status).toBe(204);
      expect((await enter(body.password)).status).toBe(200);
    } finally {
      await served.end();
    }
  } finally {
    if (!isStopped) await server.app.stop();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
});
