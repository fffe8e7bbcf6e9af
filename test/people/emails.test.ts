// Pending e-mail addresses: an administrator or operator accepts one; until then the old one signs in, and nothing says
// whether the other is taken.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import { runCommand } from "../kit/command.ts";
import { Browser, makeMember, PASSWORD, signedIn } from "../kit/people.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(120_000);

const DAY_MS = 86_400_000;
let lateMs = 0;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, { runtime: { ...systemRuntime, nowMs: () => Date.now() + lateMs } });
});
afterAll(() => server.stop());

let counter = 0;
const newEmail = () => `wish-${++counter}@example.org`;
const slugOf = ({ status, json }: Answer) => [status, String(json.type).split("/").at(-1) ?? ""];
const wish = (by: Browser, email: string) => by.api("PATCH", "/auth/account", { email });
const accept = (by: Pick<Browser, "api">, memberId: string, body?: object) =>
  by.api("POST", `/members/${memberId}/accept-email`, body);
const enters = async (email: string) =>
  (await new Browser(server).api("POST", "/auth/sign-in", { email, password: PASSWORD })).status === 200;

test("an address that is asked for does not count, whether it is taken or not, and the old one signs in", async () => {
  const [person, other] = [await signedIn(server), await makeMember(server.app.writer, server.orgId)];
  const free = newEmail();
  for (const email of [free, other.email]) {
    const asked = await wish(person, email);
    expect([asked.status, asked.json.data.account]).toEqual([
      200,
      expect.objectContaining({ email: person.email, pendingEmail: email }),
    ]);
  }
  const shown = (await server.api("GET", `/members/${person.memberId}`)).json;
  expect([shown.email, shown.pendingEmail]).toEqual([person.email, other.email]);
  expect([await enters(person.email), await enters(free)]).toEqual([true, false]);
  // The address that the account has takes the wish back.
  expect((await wish(person, person.email)).json.data.account.pendingEmail).toBeNull();
  expect(slugOf(await accept(server, person.memberId))).toEqual([409, "invalid-state"]);
});

test("an administrator other than the person accepts what was looked at, and not an address that is taken", async () => {
  const [person, admin, other] = [
    await signedIn(server),
    await signedIn(server),
    await makeMember(server.app.writer, server.orgId),
  ];
  const { key } = (await person.api("POST", "/api-keys", { name: "Own", role: "ADMIN" })).json;
  await wish(person, other.email);
  expect(slugOf(await accept(admin, person.memberId))).toEqual([409, "conflict"]);
  const email = newEmail();
  await wish(person, email);
  expect(slugOf(await accept(person, person.memberId))).toEqual([403, "forbidden"]);
  expect(slugOf(await server.api("POST", `/members/${person.memberId}/accept-email`, undefined, { key }))).toEqual([
    403,
    "forbidden",
  ]);
  expect(slugOf(await accept(admin, person.memberId, { pendingEmail: other.email }))).toEqual([409, "invalid-state"]);
  expect((await accept(admin, person.memberId, { pendingEmail: email })).status).toBe(204);
  expect([await enters(person.email), await enters(email)]).toEqual([false, true]);
  expect((await server.api("GET", `/members/${person.memberId}`)).json).toMatchObject({ email, pendingEmail: null });
});

test("an operator accepts by the old address, of its own account too; others do not", async () => {
  const [person, operator] = [await signedIn(server), await signedIn(server, { isOperator: true })];
  const ask = (by: Browser, email: string) => by.api("POST", "/instance/accept-email", { email }, { orgId: null });
  const [one, two] = [newEmail(), newEmail()];
  await wish(person, one);
  await wish(operator, two);
  expect(slugOf(await ask(person, person.email))).toEqual([403, "forbidden"]);
  expect((await ask(operator, person.email)).status).toBe(204);
  expect((await ask(operator, operator.email)).status).toBe(204);
  expect([await enters(one), await enters(two)]).toEqual([true, true]);
  expect(slugOf(await ask(operator, "unknown@example.org"))).toEqual([404, "not-found"]);
});

test("the command line gives another address at once, but none that is taken", async () => {
  const [person, other] = [
    await makeMember(server.app.writer, server.orgId),
    await makeMember(server.app.writer, server.orgId),
  ];
  const change = (next: string) => runCommand(["members", "email", person.email, next, "--data-dir", server.dataDir]);
  expect([(await change(other.email)).status, (await change("no address")).status]).toEqual([3, 2]);
  const email = newEmail();
  expect((await change(email)).status).toBe(0);
  expect([await enters(email), await enters(person.email)]).toEqual([true, false]);
});

test("a wish is dropped after seven days, and asked for five times a day", async () => {
  const person = await signedIn(server);
  const statuses = [];
  for (let n = 0; n < 6; n++) statuses.push((await wish(person, newEmail())).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  lateMs = 7 * DAY_MS - 60_000;
  const pending = async () => (await server.api("GET", `/members/${person.memberId}`)).json.pendingEmail;
  expect(await pending()).toBeString();
  lateMs = 7 * DAY_MS + 60_000;
  expect(await pending()).toBeNull();
  expect(slugOf(await accept(server, person.memberId))).toEqual([409, "invalid-state"]);
  lateMs = 0;
});

test("all of it is as the log of accounts says, and a planted wish is not", async () => {
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
  await server.app.writer.submit((tx) => tx.sqlite.exec("update accounts set pendingEmail = 'x@example.org'"));
  expect(verifyDatabase(server.app.reader).differences.length).toBeGreaterThan(0);
});
