// What an operator's right to reset accounts is worth: it wants a second factor, waits where the account's organizations have
// nothing to do with the operator, and each of these may refuse it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { runCommand } from "../kit/command.ts";
import { Browser, joinOrganization, type MadeMember, makeMember, signedIn } from "../kit/people.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(120_000);

const HOUR_MS = 3_600_000;
const NEXT = "another sentence of hers";

let nowMs = Date.now();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, { runtime: { ...systemRuntime, nowMs: () => nowMs } });
});
afterAll(() => server.stop());

function slugOf(answer: Answer): [number, string] {
  return [answer.status, String(answer.json.type).split("/").at(-1) ?? ""];
}

type Person = Awaited<ReturnType<typeof signedIn>>;

/** A session of a person as of the tests' clock. */
function signIn(given: Parameters<typeof signedIn>[1] = {}): Promise<Person> {
  const at = new Date(nowMs).toISOString();
  const expiresAt = new Date(nowMs + 200 * HOUR_MS).toISOString();
  return signedIn(server, { confirmedAt: at, lastSeenAt: at, expiresAt, ...given });
}

const ask = (operator: Browser, { email }: Pick<MadeMember, "email">) =>
  operator.api("POST", "/instance/reset-link", { email }, { orgId: null });
const tokenOf = (asked: Answer) => String(asked.json.url).split("#")[1] ?? "";
const open = (asked: Answer) =>
  new Browser(server).api("POST", "/auth/link", { token: tokenOf(asked) }, { orgId: null });
const reset = (asked: Answer) =>
  new Browser(server).api("POST", "/auth/reset", { token: tokenOf(asked), password: NEXT }, { orgId: null });

interface Scene {
  readonly orgId: string;
  readonly operator: Person;
  /** Of another organization than the operator. */
  readonly person: MadeMember;
  readonly admin: Person;
}

/** An organization with a person and an administrator, and an operator of another one. */
async function scene(): Promise<Scene> {
  const orgId = await server.newOrganization("Theirs, Inc.");
  const person = await makeMember(server.app.writer, orgId, { role: "VIEWER" });
  const admin = await signIn({ orgId });
  const operator = await signIn({ isOperator: true, hasSecondFactor: true, name: "Olive" });
  return { orgId, operator, person, admin };
}

const resetShown = async ({ orgId, person }: Pick<Scene, "orgId" | "person">) =>
  (await server.api("GET", `/members/${person.memberId}`, undefined, { orgId })).json.operatorReset;

describe("an operator's right to reset", () => {
  test("wants a session with a second factor, on both routes", async () => {
    const orgId = await server.newOrganization("Both, Inc.");
    const person = await makeMember(server.app.writer, orgId);
    await joinOrganization(server.app.writer, server.orgId, person.accountId);
    const path = `/members/${person.memberId}/reset-link`;
    const [bare, proven] = [
      await signIn({ isOperator: true, orgId }),
      await signIn({ isOperator: true, orgId, hasSecondFactor: true }),
    ];
    expect(slugOf(await ask(bare, person))).toEqual([403, "second-factor-missing"]);
    expect(slugOf(await bare.api("POST", path, undefined, { orgId }))).toEqual([403, "second-factor-missing"]);
    for (const answer of [await ask(proven, person), await proven.api("POST", path, undefined, { orgId })]) {
      expect(answer.status).toBe(200);
    }
    // The control: where the right of an administrator is enough, an operator needs no more than any other.
    const own = await makeMember(server.app.writer, orgId);
    expect((await bare.api("POST", `/members/${own.memberId}/reset-link`, undefined, { orgId })).status).toBe(200);
  });

  test("counts at once where they are members of one organization, or the account of none", async () => {
    const { operator, person, orgId } = await scene();
    await joinOrganization(server.app.writer, orgId, operator.accountId, { role: "VIEWER" });
    const shared = await ask(operator, person);
    expect([shared.json.validFrom, (await open(shared)).json.data.validFrom]).toEqual([null, null]);
    expect((await reset(shared)).status).toBe(204);
    const other = await scene();
    await server.api("DELETE", `/members/${other.person.memberId}`, undefined, { orgId: other.orgId });
    const alone = await ask(other.operator, other.person);
    expect([alone.json.validFrom, (await reset(alone)).status]).toEqual([null, 204]);
  });
});

describe("an operator's reset of a stranger", () => {
  test("waits a day, says so everywhere, and ends after two", async () => {
    const { operator, person, orgId } = await scene();
    const asked = await ask(operator, person);
    const validFrom = new Date(nowMs + 24 * HOUR_MS).toISOString();
    expect(asked.json).toMatchObject({ validFrom, expiresAt: new Date(nowMs + 48 * HOUR_MS).toISOString() });
    expect((await open(asked)).json.data.validFrom).toBe(validFrom);
    const requestedAt = new Date(nowMs).toISOString();
    expect(await resetShown({ orgId, person })).toEqual({ requestedAt, validFrom, name: "Olive" });
    const listed = (await server.api("GET", "/members", undefined, { orgId })).json.items;
    expect(listed.map((each: { operatorReset: unknown }) => each.operatorReset !== null)).toContain(true);
    const early = await reset(asked);
    expect(slugOf(early)).toEqual([409, "invalid-state"]);
    expect(early.json.detail).toContain(validFrom);
    nowMs += 24 * HOUR_MS - 1;
    expect(slugOf(await reset(asked))).toEqual([409, "invalid-state"]);
    nowMs += 1;
    expect((await reset(asked)).status).toBe(204);
    expect(await resetShown({ orgId, person })).toBeNull();
    const late = await scene();
    const other = await ask(late.operator, late.person);
    nowMs += 48 * HOUR_MS;
    expect(slugOf(await reset(other))).toEqual([409, "invalid-state"]);
    expect(await resetShown(late)).toBeNull();
  });

  test("is refused by an administrator, and then sets no password, also after the day", async () => {
    const { operator, person, orgId, admin } = await scene();
    const asked = await ask(operator, person);
    const decide = (by: Browser, decision: string) =>
      by.api("POST", `/members/${person.memberId}/operator-reset`, { decision }, { orgId });
    expect((await decide(admin, "REFUSE")).status).toBe(204);
    expect(await resetShown({ orgId, person })).toBeNull();
    expect(slugOf(await decide(admin, "REFUSE"))).toEqual([409, "invalid-state"]);
    nowMs += 25 * HOUR_MS;
    expect(slugOf(await reset(asked))).toEqual([409, "invalid-state"]);
  });

  test("is allowed by an administrator, and then counts at once", async () => {
    const { operator, person, orgId, admin } = await scene();
    const asked = await ask(operator, person);
    const body = { decision: "ALLOW" };
    const path = `/members/${person.memberId}/operator-reset`;
    expect(slugOf(await reset(asked))).toEqual([409, "invalid-state"]);
    expect((await admin.api("POST", path, body, { orgId })).status).toBe(204);
    expect((await open(asked)).json.data.validFrom).toBeNull();
    expect((await reset(asked)).status).toBe(204);
  });

  test("is decided by neither the person nor the operator, nor by a key of theirs, nor without a late proof", async () => {
    const { operator, orgId, admin } = await scene();
    const person = await signIn({ orgId });
    const path = `/members/${person.memberId}/operator-reset`;
    const { key } = (await person.api("POST", "/api-keys", { name: "Own", role: "ADMIN" }, { orgId })).json;
    const asked = await ask(operator, person);
    for (const decision of ["ALLOW", "REFUSE"]) {
      expect(slugOf(await person.api("POST", path, { decision }, { orgId }))).toEqual([403, "forbidden"]);
      expect(slugOf(await server.api("POST", path, { decision }, { key }))).toEqual([403, "forbidden"]);
    }
    const stale = await signIn({ orgId, confirmedAt: new Date(nowMs - HOUR_MS).toISOString() });
    expect(slugOf(await stale.api("POST", path, { decision: "ALLOW" }, { orgId }))).toEqual([
      403,
      "confirmation-required",
    ]);
    const viewer = await signIn({ orgId, role: "VIEWER" });
    expect(slugOf(await viewer.api("POST", path, { decision: "ALLOW" }, { orgId }))).toEqual([403, "forbidden"]);
    // The operator becomes an administrator there after having asked.
    const memberId = await joinOrganization(server.app.writer, orgId, operator.accountId);
    expect(memberId).toBeString();
    expect(slugOf(await operator.api("POST", path, { decision: "ALLOW" }, { orgId }))).toEqual([403, "forbidden"]);
    expect(slugOf(await reset(asked))).toEqual([409, "invalid-state"]);
    // The control: another administrator's key decides.
    expect(
      (await server.api("POST", path, { decision: "ALLOW" }, { key: await server.key("ADMIN", orgId) })).status,
    ).toBe(204);
    expect((await admin.api("GET", `/members/${person.memberId}`, undefined, { orgId })).json.operatorReset).toBeNull();
  });

  test("is not allowed by one organization where another trusts the person, too; each may refuse it", async () => {
    const { operator, person, orgId, admin } = await scene();
    const otherId = await server.newOrganization("Other, Inc.");
    const memberId = await joinOrganization(server.app.writer, otherId, person.accountId);
    const asked = await ask(operator, person);
    const path = `/members/${person.memberId}/operator-reset`;
    expect(slugOf(await admin.api("POST", path, { decision: "ALLOW" }, { orgId }))).toEqual([403, "forbidden"]);
    expect(slugOf(await server.api("POST", path, { decision: "ALLOW" }, { orgId }))).toEqual([403, "forbidden"]);
    expect(slugOf(await reset(asked))).toEqual([409, "invalid-state"]);
    const other = `/members/${memberId}/operator-reset`;
    expect((await server.api("POST", other, { decision: "REFUSE" }, { orgId: otherId })).status).toBe(204);
    nowMs += 25 * HOUR_MS;
    expect(slugOf(await reset(asked))).toEqual([409, "invalid-state"]);
  });

  test("by the command line counts at once", async () => {
    // Of the clock of this machine, which the command goes by.
    nowMs = Date.now();
    const { person, orgId } = await scene();
    const done = await runCommand(["members", "reset", person.email, "--json", "--data-dir", server.dataDir]);
    const { url } = JSON.parse(done.stdout);
    expect(await resetShown({ orgId, person })).toBeNull();
    const body = { token: url.split("#")[1], password: NEXT };
    expect((await new Browser(server).api("POST", "/auth/reset", body, { orgId: null })).status).toBe(204);
  });

  test("leaves a row of each sign-in of the next seven days in the organizations' logs", async () => {
    const { operator, person, orgId } = await scene();
    const rows = async () => {
      const path = "/audit-log?resourceType=account&limit=100";
      const { items, data } = (await server.api("GET", path, undefined, { orgId })).json;
      return (items ?? data).filter(
        (row: { after: object | null }) => row.after !== null && "signedInAfterOperatorReset" in row.after,
      );
    };
    const enter = async () => {
      const body = { email: person.email, password: NEXT };
      expect((await new Browser(server).api("POST", "/auth/sign-in", body, { orgId: null })).status).toBe(200);
    };
    const asked = await ask(operator, person);
    nowMs += 24 * HOUR_MS;
    expect((await reset(asked)).status).toBe(204);
    expect(await rows()).toEqual([]);
    await enter();
    const [row, ...more] = await rows();
    expect([row.actor, row.accountId, more.length]).toEqual(["person", person.accountId, 0]);
    nowMs += 7 * 24 * HOUR_MS - 1;
    await enter();
    expect(await rows()).toHaveLength(2);
    nowMs += 1;
    await enter();
    expect(await rows()).toHaveLength(2);
  });
});
