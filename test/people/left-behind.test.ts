// What a person leaves behind who is removed, demoted or suspended: links count only while their maker could make them,
// and the keys that it made are listed, reported by the health report, and revoked with it where that is asked for.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import { runCommand } from "../kit/command.ts";
import { Browser, joinOrganization, makeMember, signedIn } from "../kit/people.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

let counter = 0;
const LOOK = "/auth/link";

function slugOf(answer: Answer): [number, string] {
  return [answer.status, String(answer.json.type).split("/").at(-1) ?? ""];
}

function tokenIn(answer: Answer): string {
  expect(answer.json.url).toContain("#");
  return String(answer.json.url).split("#")[1] ?? "";
}

interface Opened {
  readonly token: string;
  readonly id: string;
  readonly email: string;
}

/** An invitation that a browser or key makes. */
async function invitedBy(ask: (method: string, path: string, body: unknown) => Promise<Answer>): Promise<Opened> {
  const email = `guest-${++counter}@example.com`;
  const answer = await ask("POST", "/invitations", { email, role: "ADMIN" });
  expect(answer.status).toBe(201);
  return { token: tokenIn(answer), id: answer.json.id, email };
}

/** What is said of a link that is opened, and whether it makes a member. */
async function open({ token }: Pick<Opened, "token">): Promise<{ look: Answer; accept: Answer }> {
  const browser = new Browser(server);
  const look = await browser.api("POST", LOOK, { token }, { orgId: null });
  const body = { token, name: "Mallory", password: "violet rocks sing daily" };
  return { look, accept: await browser.api("POST", "/auth/accept", body, { orgId: null }) };
}

async function stateOf({ id }: Opened): Promise<string> {
  const { items } = (await server.api("GET", "/invitations?limit=100")).json;
  return items.find((each: { id: string }) => each.id === id).state;
}

/** Each way in which a person stops being an administrator who can sign in. */
const ENDS: readonly (readonly [string, (person: { memberId: string; email: string }) => Promise<unknown>])[] = [
  ["removed", ({ memberId }) => server.api("DELETE", `/members/${memberId}`)],
  ["demoted", ({ memberId }) => server.api("PATCH", `/members/${memberId}`, { role: "EDITOR" })],
  ["suspended", ({ email }) => runCommand(["members", "suspend", email, "--data-dir", server.dataDir])],
  [
    "removed by the command line",
    ({ email }) => runCommand(["members", "remove", email, "--data-dir", server.dataDir]),
  ],
  [
    "demoted by the command line",
    ({ email }) => runCommand(["members", "role", email, "--role", "VIEWER", "--data-dir", server.dataDir]),
  ],
];

describe("an invitation", () => {
  test.each(ENDS)("of an administrator who was %s lets no one in, and is revoked", async (_, end) => {
    const [admin, other] = [await signedIn(server), await signedIn(server)];
    const [own, others] = [await invitedBy((...of) => admin.api(...of)), await invitedBy((...of) => other.api(...of))];
    await end(admin);
    expect(await stateOf(own)).toBe("REVOKED");
    expect(slugOf((await open(own)).accept)).toEqual([409, "invalid-state"]);
    // The control: what another administrator made, who stays, works on.
    expect([await stateOf(others), (await open(others)).accept.status]).toEqual(["OPEN", 200]);
  });

  test("is looked at again when it is accepted, whatever revoked it or did not", async () => {
    const admin = await signedIn(server);
    const own = await invitedBy((...of) => admin.api(...of));
    // As by a fault of ours, or another program: the row of the link stays open.
    await server.app.writer.submit((tx) =>
      tx.sqlite.prepare("update memberships set role = 'EDITOR' where id = ?").run(admin.memberId),
    );
    const { look, accept } = await open(own);
    for (const answer of [look, accept]) {
      expect(slugOf(answer)).toEqual([409, "invalid-state"]);
      expect(answer.json.detail).toBe("The person who made this link can no longer make it. Ask for another.");
    }
    await server.app.writer.submit((tx) =>
      tx.sqlite.prepare("update memberships set role = 'ADMIN' where id = ?").run(admin.memberId),
    );
    // The control: with its maker an administrator it counts.
    expect((await open(own)).accept.status).toBe(200);
  });

  test("made with a key goes with the key, also with one that expires or was revoked by the command line", async () => {
    const made = async (expiresAt?: string) => {
      const body = { name: "Inviting", role: "ADMIN", ...(expiresAt && { expiresAt }) };
      const { key, id } = (await server.api("POST", "/api-keys", body)).json;
      const invitation = await invitedBy((method, path, given) => server.api(method, path, given, { key }));
      return { id: String(id), invitation };
    };
    const [revoked, byCommand, kept] = [await made(), await made(), await made()];
    const end = new Date(Date.now() + 3_600_000).toISOString();
    const later = await made(end);
    const endsAt = (at: string) =>
      server.app.writer.submit((tx) =>
        tx.sqlite.prepare("update api_keys set expiresAt = ? where id = ?").run(at, later.id),
      );
    expect((await server.api("DELETE", `/api-keys/${revoked.id}`)).status).toBe(204);
    expect((await runCommand(["keys", "revoke", byCommand.id, "--data-dir", server.dataDir])).status).toBe(0);
    await endsAt("2026-01-01T00:00:00.000Z");
    for (const { invitation } of [revoked, byCommand]) expect(await stateOf(invitation)).toBe("REVOKED");
    for (const { invitation } of [revoked, byCommand, later]) {
      expect(slugOf((await open(invitation)).accept)).toEqual([409, "invalid-state"]);
    }
    expect((await open(kept.invitation)).accept.status).toBe(200);
    await endsAt(end);
  });

  test("of the command line counts, under any administrator", async () => {
    const email = `guest-${++counter}@example.com`;
    const by = ["members", "invite", "--email", email, "--role", "ADMIN", "--json", "--data-dir", server.dataDir];
    const { url } = JSON.parse((await runCommand(by)).stdout);
    expect((await open({ token: url.split("#")[1] })).accept.status).toBe(200);
    const { items } = (await server.api("GET", "/invitations?limit=1")).json;
    expect(items[0].madeBy).toEqual({ actor: "cli", accountId: null, apiKeyId: null, name: null });
  });

  test("says who made it", async () => {
    const admin = await signedIn(server, { name: "Olive" });
    await invitedBy((...of) => admin.api(...of));
    const [ofPerson] = (await server.api("GET", "/invitations?limit=1")).json.items;
    expect(ofPerson.madeBy).toEqual({ actor: "person", accountId: admin.accountId, apiKeyId: null, name: "Olive" });
    const { key, id } = (await server.api("POST", "/api-keys", { name: "Payroll", role: "ADMIN" })).json;
    await invitedBy((method, path, given) => server.api(method, path, given, { key }));
    const [ofKey] = (await server.api("GET", "/invitations?limit=1")).json.items;
    expect(ofKey.madeBy).toEqual({ actor: "api-key", accountId: null, apiKeyId: id, name: "Payroll" });
  });
});

describe("a reset link", () => {
  const reset = (token: string) =>
    new Browser(server).api("POST", "/auth/reset", { token, password: "another sentence of hers" }, { orgId: null });

  test.each(ENDS)("of an administrator who was %s sets no password", async (_, end) => {
    const [admin, other] = [await signedIn(server), await signedIn(server)];
    const [one, two] = [
      await makeMember(server.app.writer, server.orgId),
      await makeMember(server.app.writer, server.orgId),
    ];
    const own = tokenIn(await admin.api("POST", `/members/${one.memberId}/reset-link`));
    const others = tokenIn(await other.api("POST", `/members/${two.memberId}/reset-link`));
    await end(admin);
    expect(slugOf(await reset(own))).toEqual([409, "invalid-state"]);
    expect((await reset(others)).status).toBe(204);
  });

  test("of a key that was revoked since sets no password", async () => {
    const { key, id } = (await server.api("POST", "/api-keys", { name: "Resetting", role: "ADMIN" })).json;
    const { memberId } = await makeMember(server.app.writer, server.orgId);
    const own = tokenIn(await server.api("POST", `/members/${memberId}/reset-link`, undefined, { key }));
    await server.api("DELETE", `/api-keys/${id}`);
    expect(slugOf(await reset(own))).toEqual([409, "invalid-state"]);
  });

  test("by an operator counts no longer at once where the two are in no organization together any more", async () => {
    const orgId = await server.newOrganization("Shared, Inc.");
    const operator = await signedIn(server, { orgId, role: "VIEWER", isOperator: true, hasSecondFactor: true });
    await joinOrganization(server.app.writer, server.orgId, operator.accountId, { role: "VIEWER" });
    const person = await makeMember(server.app.writer, orgId);
    const asked = await operator.api("POST", "/instance/reset-link", { email: person.email }, { orgId: null });
    expect([asked.status, asked.json.validFrom]).toEqual([200, null]);
    await server.api("DELETE", `/members/${operator.memberId}`, undefined, { orgId });
    expect(slugOf(await reset(tokenIn(asked)))).toEqual([409, "invalid-state"]);
  });
});

describe("API keys that a person made", () => {
  interface Made {
    readonly id: string;
    readonly key: string;
  }
  const keyOf = async (ask: (method: string, path: string, body: unknown) => Promise<Answer>, name: string) => {
    const answer = await ask("POST", "/api-keys", { name, role: "ADMIN" });
    expect(answer.status).toBe(201);
    return answer.json as Made;
  };
  const isWorking = async ({ key }: Made) =>
    (await server.api("GET", "/stakeholders", undefined, { key })).status === 200;

  /** An administrator with a key, one made with that, one that is revoked and one made with it; and a key of another. */
  async function withKeys() {
    const [admin, other] = [await signedIn(server, { name: "Olive" }), await signedIn(server)];
    const first = await keyOf((...of) => admin.api(...of), "First");
    const second = await keyOf((method, path, body) => server.api(method, path, body, { key: first.key }), "Second");
    const gone = await keyOf((...of) => admin.api(...of), "Gone");
    const third = await keyOf((method, path, body) => server.api(method, path, body, { key: gone.key }), "Third");
    await server.api("DELETE", `/api-keys/${gone.id}`);
    const others = await keyOf((...of) => other.api(...of), "Other");
    return { admin, first, second, third, gone, others };
  }

  test("are listed with who made them, and at the member", async () => {
    const { admin, first, second, third } = await withKeys();
    const shown = (await server.api("GET", `/api-keys/${first.id}`)).json;
    expect(shown.madeBy).toEqual({ actor: "person", accountId: admin.accountId, apiKeyId: null, name: "Olive" });
    expect((await server.api("GET", `/api-keys/${second.id}`)).json.madeBy).toMatchObject({ apiKeyId: first.id });
    const { keysMade } = (await server.api("GET", `/members/${admin.memberId}`)).json;
    expect(keysMade).toEqual([
      { id: first.id, kind: "API_KEY", name: "First", role: "ADMIN" },
      { id: second.id, kind: "API_KEY", name: "Second", role: "ADMIN" },
      { id: third.id, kind: "API_KEY", name: "Third", role: "ADMIN" },
    ]);
  });

  test("and webhook endpoints go together; others' stay", async () => {
    const { admin, second, others } = await withKeys();
    const make = async (url: string, key: string) =>
      (await server.api("POST", "/webhook-endpoints", { url, description: url.slice(8, 12) }, { key })).json.id;
    const byPerson = (await admin.api("POST", "/webhook-endpoints", { url: "https://hooks.invalid/p" })).json.id;
    const byKey = await make("https://made.invalid/k", second.key);
    const byOther = await make("https://kept.invalid/o", others.key);
    const { keysMade } = (await server.api("GET", `/members/${admin.memberId}`)).json;
    const listed = keysMade.filter(({ kind }: { kind: string }) => kind === "WEBHOOK_ENDPOINT");
    expect(listed).toEqual([
      { id: byPerson, kind: "WEBHOOK_ENDPOINT", name: "hooks.invalid", role: "ADMIN" },
      { id: byKey, kind: "WEBHOOK_ENDPOINT", name: "made", role: "ADMIN" },
    ]);
    await server.api("DELETE", `/members/${admin.memberId}?revokeKeys=true`);
    const states = await Promise.all(
      [byPerson, byKey, byOther].map(async (id) => {
        const { status, disabledReason, madeBy } = (await server.api("GET", `/webhook-endpoints/${id}`)).json;
        return [status, disabledReason, madeBy.actor];
      }),
    );
    expect(states).toEqual([
      ["DISABLED", "MAKER_REMOVED", "person"],
      ["DISABLED", "MAKER_REMOVED", "api-key"],
      ["ENABLED", null, "api-key"],
    ]);
    await server.api("DELETE", `/webhook-endpoints/${byOther}`);
  });

  test("go with the person where that is asked for, in one commit, with the links that were made with them", async () => {
    const { admin, first, second, third, others } = await withKeys();
    const invitation = await invitedBy((method, path, given) => server.api(method, path, given, { key: second.key }));
    expect((await server.api("DELETE", `/members/${admin.memberId}?revokeKeys=yes`)).json.errors).toEqual([
      { parameter: "revokeKeys", detail: expect.any(String) },
    ]);
    const before = (await server.api("GET", "/audit-log?limit=1")).json;
    const removed = await server.api("DELETE", `/members/${admin.memberId}?revokeKeys=true`);
    expect(removed.status).toBe(204);
    expect(await Promise.all([first, second, third, others].map(isWorking))).toEqual([false, false, false, true]);
    expect(slugOf((await open(invitation)).accept)).toEqual([409, "invalid-state"]);
    const rows = (await server.api("GET", "/audit-log?limit=10")).json;
    const [newest] = before.items ?? before.data;
    const since = (rows.items ?? rows.data).filter((row: { sequence: number }) => row.sequence > newest.sequence);
    const at = new Set(since.slice(-4).map((row: { at: string }) => row.at));
    expect([since.length >= 4, at.size]).toEqual([true, 1]);
  });

  test("work on where that is not asked for, and the health report says so", async () => {
    const count = async () => {
      const { findings } = (await server.api("GET", "/cap-table/health")).json.data;
      return findings.find(({ code }: { code: string }) => code === "key-of-former-member")?.count ?? 0;
    };
    const { admin, first, second, third } = await withKeys();
    const before = await count();
    await server.api("DELETE", `/members/${admin.memberId}`);
    expect(await Promise.all([first, second, third].map(isWorking))).toEqual([true, true, true]);
    expect((await count()) - before).toBe(1);
    await server.api("DELETE", `/api-keys/${first.id}`);
    // The key that was made with it is now one of a key that does not work any more.
    expect((await count()) - before).toBe(1);
  });

  test("go by the command line with --revoke-keys, and are named without it", async () => {
    const [one, two] = [await withKeys(), await withKeys()];
    const remove = (email: string, ...more: string[]) =>
      runCommand(["members", "remove", email, ...more, "--org", server.orgId, "--data-dir", server.dataDir]);
    const kept = await remove(one.admin.email);
    expect([kept.status, kept.stdout]).toEqual([0, expect.stringContaining("(First)")]);
    expect(await isWorking(one.first)).toBe(true);
    expect((await remove(two.admin.email, "--revoke-keys")).status).toBe(0);
    expect(await Promise.all([two.first, two.second, two.third, two.others].map(isWorking))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });
});

test("all of this is in the logs as verify wants it", () => {
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
});
