// Mail over a real socket: queued with the change, sent by the follow thread, refused, tried again, and never with what
// must not leave.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { waitAfter } from "../../../src/exchange/mail/waits.ts";
import { suspend } from "../../../src/people/accounts.ts";
import { stepAt, totpCode } from "../../../src/people/sign-in/totp.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { runCommand } from "../../kit/command.ts";
import { Browser, makeMember, PASSWORD, signedIn } from "../../kit/people.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { visitorCall } from "../../kit/whole-people.ts";
import { startMailServer, type TestMailServer } from "./mail-server.ts";

setDefaultTimeout(60_000);

const FROM = "captable@acme.example";
let post: TestMailServer;
let server: TestServer;
const refused = new Map<string, number>();

beforeAll(async () => {
  post = await startMailServer({ refuses: (to) => refused.get(to) });
  server = await startTestServer({
    ...{ CAPTABLE_MAIL_HOST: "127.0.0.1", CAPTABLE_MAIL_PORT: String(post.port), CAPTABLE_MAIL_FROM: FROM },
    ...{ CAPTABLE_MAIL_TLS: "none" },
  });
  await server.api("PATCH", "/organization", { legalName: "Acme, Inc.", portalContact: "legal@acme.example" });
});
afterAll(async () => {
  await server.stop();
  await post.stop();
});

let counter = 0;
const fresh = (name = "guest") => `${name}-${++counter}@example.com`;

/** The mails to an address, once there are so many. */
async function mailsTo(address: string, count = 1) {
  for (;;) {
    const found = post.received.filter(({ to }) => to.includes(address));
    if (found.length >= count) return found;
    await post.has(post.received.length + 1);
  }
}

interface Row {
  readonly state: string;
  readonly kind: string;
  readonly attempts: number;
  readonly error: string | null;
  readonly sealed: string | null;
  readonly nextAttemptAt: string | null;
}

function rowsTo(address: string): Row[] {
  const text = `select kind, state, attempts, error, sealed, nextAttemptAt from mails where "to" = ? order by seq`;
  return server.app.writer.db.sqlite.prepare<[string], Row>(text).all(address);
}

/** The row of a mail, once it has this state. */
async function settled(address: string, isSettled: (row: Row) => boolean): Promise<Row> {
  for (;;) {
    const row = rowsTo(address).find(isSettled);
    if (row) return row;
    await Bun.sleep(5);
  }
}

const tokenIn = (text: string) => /#([0-9A-Za-z]{43})/.exec(text)?.[1] ?? "";

test("an invitation is sent with its link, by whom and to whom it says, and the row keeps no token", async () => {
  const email = fresh("Grace.O'Hara+x");
  const { status, json } = await server.api("POST", "/invitations", { email, role: "VIEWER", isMailed: true });
  expect(status).toBe(201);
  const [mail] = await mailsTo(email);
  expect(mail?.from).toBe(FROM);
  expect(mail?.headers).toMatchObject({
    from: `"Acme, Inc. (captable)" <${FROM}>`,
    to: email,
    "reply-to": "legal@acme.example",
    subject: "Invitation to Acme, Inc.",
    "auto-submitted": "auto-generated",
    "content-type": "text/plain; charset=utf-8",
  });
  expect(mail?.headers["message-id"]).toMatch(/^<[0-9a-f-]{36}@acme\.example>$/);
  expect(mail?.headers["list-unsubscribe"]).toBeUndefined();
  const token = tokenIn(mail?.text ?? "");
  expect(json.url).toBe(`${server.app.publicUrl}/join#${token}`);
  expect(mail?.text).toContain(json.url);
  expect(await settled(email, ({ state }) => state === "SENT")).toMatchObject({
    attempts: 1,
    sealed: null,
    error: null,
  });
  const looked = await new Browser(server).api("POST", "/auth/link", { token }, { orgId: null });
  expect(looked.json.data?.kind ?? looked.text).toBe("INVITATION");
  const plain = fresh();
  await server.api("POST", "/invitations", { email: plain, role: "VIEWER" });
  expect(rowsTo(plain)).toEqual([]);
  expect(new TextDecoder("latin1").decode(server.app.writer.db.sqlite.serialize())).not.toContain(token);
  expect(server.log.join("")).not.toContain(token);
});

test("a reset link is sent where it is asked for, and a change of the password is told", async () => {
  const member = await makeMember(server.app.writer, server.orgId, {
    role: "EDITOR",
    name: 'Eve "E," <x@y>\r\nBcc: z@z',
  });
  const { status, json } = await server.api("POST", `/members/${member.memberId}/reset-link`, { isMailed: true });
  expect(status).toBe(200);
  const [mail] = await mailsTo(member.email);
  expect([mail?.headers.bcc, mail?.to, tokenIn(mail?.text ?? "")]).toEqual([
    undefined,
    [member.email],
    json.url.split("#")[1],
  ]);
  const body = { token: tokenIn(mail?.text ?? ""), password: "another sentence of mine" };
  expect((await new Browser(server).api("POST", "/auth/reset", body, { orgId: null })).status).toBe(204);
  const told = await mailsTo(member.email, 2);
  expect(told.at(-1)?.text).toContain("A new password was set by a reset link.");
  expect(told.at(-1)?.text).not.toContain("another sentence");
  expect((await server.api("POST", `/members/${member.memberId}/reset-link`)).status).toBe(200);
  expect(rowsTo(member.email)).toHaveLength(2);
});

test("a mail that is refused for good fails at once, another is tried again, and what the server says is not kept", async () => {
  const [gone, later] = [fresh("gone"), fresh("later")];
  refused.set(gone, 550);
  refused.set(later, 451);
  for (const email of [gone, later])
    await server.api("POST", "/invitations", { email, role: "VIEWER", isMailed: true });
  expect(await settled(gone, ({ state }) => state === "FAILED")).toMatchObject({ attempts: 1, sealed: null });
  const waits = await settled(later, ({ attempts }) => attempts === 1);
  expect(waits).toMatchObject({ state: "QUEUED", sealed: expect.any(String) });
  for (const { error } of [...rowsTo(gone), ...rowsTo(later)]) {
    expect(error).toMatch(/^(550|451) /);
    expect(error).not.toContain("secret");
  }
  refused.delete(later);
  const due = "update mails set nextAttemptAt = '2020-01-01T00:00:00.000Z' where \"to\" = ?";
  await server.app.writer.submit((tx) => void tx.sqlite.prepare(due).run(later));
  await mailsTo(later);
  expect(await settled(later, ({ state }) => state === "SENT")).toMatchObject({ attempts: 2, sealed: null });
  expect([1, 2, 3, 4, 5, 9].map((attempts) => waitAfter(attempts) / 60_000)).toEqual([1, 5, 30, 120, 360, 360]);
});

test("an invitation that is revoked before it goes is dropped", async () => {
  const email = fresh("revoked");
  refused.set(email, 451);
  const { json } = await server.api("POST", "/invitations", { email, role: "VIEWER", isMailed: true });
  await settled(email, ({ attempts }) => attempts === 1);
  await server.api("DELETE", `/invitations/${json.id}`);
  refused.delete(email);
  const due = "update mails set nextAttemptAt = '2020-01-01T00:00:00.000Z' where \"to\" = ?";
  await server.app.writer.submit((tx) => void tx.sqlite.prepare(due).run(email));
  expect(await settled(email, ({ state }) => state !== "QUEUED")).toMatchObject({ state: "DROPPED", sealed: null });
  expect(post.received.filter(({ to }) => to.includes(email))).toEqual([]);
});

test("a mail that failed is an event of the instance, for the operator's endpoints", () => {
  const text = "select data from instance_events where type = 'mail.failing'";
  const rows = server.app.writer.db.sqlite.prepare<[], { data: string }>(text).all();
  expect(rows.map(({ data }) => JSON.parse(data))).toEqual([
    { orgId: null, kind: "invitation", error: expect.stringMatching(/^550 /) },
  ]);
});

test("an operator's reset is told to the account and to the administrators of its organizations", async () => {
  const orgId = await server.newOrganization("Theirs, Inc.");
  const person = await makeMember(server.app.writer, orgId, { role: "VIEWER" });
  const [admin, editor] = [
    await makeMember(server.app.writer, orgId, { role: "ADMIN" }),
    await makeMember(server.app.writer, orgId, { role: "EDITOR" }),
  ];
  const operator = await signedIn(server, { isOperator: true, hasSecondFactor: true });
  const body = { email: person.email, isMailed: true };
  const { status, json } = await operator.api("POST", "/instance/reset-link", body, { orgId: null });
  expect(status).toBe(200);
  const own = await mailsTo(person.email, 2);
  expect(own.some(({ text }) => text.includes(json.url))).toBe(true);
  expect(own.some(({ text }) => text.includes("sets the password of your account anew"))).toBe(true);
  const [told] = await mailsTo(admin.email);
  expect(told?.text).toContain(`the account of ${person.email}`);
  expect(told?.text).toContain(json.validFrom.slice(0, 10));
  expect(told?.text).not.toContain(tokenIn(json.url));
  expect(rowsTo(editor.email)).toEqual([]);
});

test("factors and sessions that another ended are told to the account", async () => {
  const person = await signedIn(server, { role: "VIEWER" });
  const { secret } = (await person.api("POST", "/auth/totp", undefined, { orgId: null })).json.data;
  const code = totpCode(secret, stepAt(Date.now()));
  expect((await person.api("POST", "/auth/totp/verify", { code }, { orgId: null })).status).toBe(200);
  await server.api("DELETE", `/members/${person.memberId}/sessions`);
  const told = (await mailsTo(person.email, 3)).map(({ text }) => text).join(" ");
  expect(told).toContain("An authenticator app was added.");
  expect(told).toContain("New recovery codes were made.");
  expect(told).toContain("All sessions were ended by an administrator.");
  expect(told).not.toContain(secret);
});

test("50 mails go out together, and the data is as verify wants it", async () => {
  const all = Array.from({ length: 50 }, () => fresh("many"));
  await Promise.all(all.map((email) => server.api("POST", "/invitations", { email, role: "VIEWER", isMailed: true })));
  for (const email of all) await mailsTo(email);
  for (const email of all) await settled(email, ({ state }) => state === "SENT");
  expect(post.received.filter(({ to }) => all.includes(to[0] ?? ""))).toHaveLength(50);
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
});

test("where no mail server is set nothing is queued, and isMailed is refused", async () => {
  const quiet = await startTestServer({ CAPTABLE_LOG: "off" });
  try {
    const { status, json } = await quiet.api("POST", "/invitations", {
      email: fresh(),
      role: "VIEWER",
      isMailed: true,
    });
    expect([status, json.errors?.[0]?.pointer]).toEqual([422, "#/isMailed"]);
    const person = await signedIn(quiet);
    await person.api("POST", "/auth/password", { password: "quiet rivers count backwards" }, { orgId: null });
    expect(quiet.app.reader.sqlite.prepare("select count(*) as count from mails").get()).toEqual({ count: 0 });
  } finally {
    await quiet.stop();
  }
});

test("a forgotten password is answered alike for known and unknown, and only the known gets a link, for an hour", async () => {
  const browser = new Browser(server);
  const recover = (email: string) => browser.api("POST", "/auth/recover", { email }, { orgId: null });
  const member = await makeMember(server.app.writer, server.orgId, { role: "VIEWER" });
  const operator = await makeMember(server.app.writer, server.orgId, { isOperator: true });
  const unknown = fresh("unknown");
  const answers = [await recover(member.email), await recover(unknown), await recover(operator.email)];
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [204, ""],
    [204, ""],
    [204, ""],
  ]);
  expect([rowsTo(member.email).length, rowsTo(unknown).length]).toEqual([1, 1]);
  const [mail] = await mailsTo(member.email);
  expect(await settled(unknown, ({ state }) => state !== "QUEUED")).toMatchObject({ state: "DROPPED", attempts: 0 });
  const [told] = await mailsTo(operator.email);
  expect(told?.text).toContain("captable members reset");
  expect(told?.text).not.toContain("#");
  const token = tokenIn(mail?.text ?? "");
  const link = (await browser.api("POST", "/auth/link", { token }, { orgId: null })).json.data;
  expect(link.kind).toBe("RESET");
  expect(Date.parse(link.expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000);
  const reset = () => browser.api("POST", "/auth/reset", { token, password: "some other long words" }, { orgId: null });
  expect([(await reset()).status, (await reset()).status]).toEqual([204, 409]);
  expect([(await recover(member.email)).status, (await recover(member.email)).status]).toEqual([204, 204]);
  expect((await recover(member.email.toUpperCase())).status).toBe(429);
  expect((await recover("no address")).status).toBe(422);
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
});

test("a recovery's link counts while the address is the account's, and not once it is suspended", async () => {
  const browser = new Browser(server);
  const linkOf = async (email: string) => {
    await browser.api("POST", "/auth/recover", { email }, { orgId: null });
    return tokenIn((await mailsTo(email)).at(-1)?.text ?? "");
  };
  const [one, other] = [
    await makeMember(server.app.writer, server.orgId, { role: "VIEWER" }),
    await makeMember(server.app.writer, server.orgId, { role: "VIEWER" }),
  ];
  const tokens = [await linkOf(one.email), await linkOf(other.email)];
  await server.app.writer.submit((tx) => suspend(tx, visitorCall(), one.accountId, true));
  await runCommand(["members", "email", other.email, fresh("new"), "--data-dir", server.dataDir]);
  for (const token of tokens) {
    const body = { token, password: "some other long words" };
    expect((await browser.api("POST", "/auth/reset", body, { orgId: null })).status).toBe(409);
  }
  await server.app.writer.submit((tx) => suspend(tx, visitorCall(), one.accountId, false));
});

test("a recovery, which anybody can ask for, takes no link away that another person made", async () => {
  const browser = new Browser(server);
  const { email, memberId } = await makeMember(server.app.writer, server.orgId, { role: "VIEWER" });
  const made = await server.api("POST", `/members/${memberId}/reset-link`, { isMailed: false });
  const token = tokenIn(String(made.json.data?.url ?? made.json.url));
  const kindOf = async (link: string) =>
    (await browser.api("POST", "/auth/link", { token: link }, { orgId: null })).json.data?.kind ?? null;
  const recovered = async (count: number) => {
    await browser.api("POST", "/auth/recover", { email }, { orgId: null });
    return tokenIn((await mailsTo(email, count)).at(-1)?.text ?? "");
  };
  const first = await recovered(1);
  expect([await kindOf(token), await kindOf(first)]).toEqual(["RESET", "RESET"]);
  const second = await recovered(2);
  expect([await kindOf(token), await kindOf(first), await kindOf(second)]).toEqual(["RESET", null, "RESET"]);
  const reset = { token: second, password: "some other long words" };
  expect((await browser.api("POST", "/auth/reset", reset, { orgId: null })).status).toBe(204);
  expect([await kindOf(token), await kindOf(second)]).toEqual([null, null]);
});

test("a new e-mail address is proven by the link sent to it, and the old one is told", async () => {
  const person = await signedIn(server, { role: "VIEWER" });
  const email = fresh("changed");
  const asked = await person.api("PATCH", "/auth/account", { email }, { orgId: null });
  expect([asked.status, asked.text.slice(0, 300)]).toEqual([200, expect.stringContaining(email)]);
  const [mail] = await mailsTo(email);
  expect(mail?.text).toContain(`${server.app.publicUrl}/confirm-email#`);
  const browser = new Browser(server);
  const confirm = (token: string) => browser.api("POST", "/auth/confirm-email", { token }, { orgId: null });
  const token = tokenIn(mail?.text ?? "");
  expect((await browser.api("POST", "/auth/reset", { token, password: PASSWORD }, { orgId: null })).status).toBe(404);
  expect([(await confirm(token)).status, (await confirm(token)).status]).toEqual([204, 409]);
  expect((await confirm("0".repeat(43))).status).toBe(404);
  const { account } = (await person.api("GET", "/auth/session", undefined, { orgId: null })).json.data;
  expect([account.email, account.pendingEmail]).toEqual([email, null]);
  for (const address of [person.email, email]) {
    expect((await mailsTo(address, address === email ? 2 : 1)).at(-1)?.text).toContain(
      "The e-mail address was changed.",
    );
  }
  // Taken meanwhile, and taken back.
  const other = fresh("taken");
  await person.api("PATCH", "/auth/account", { email: other }, { orgId: null });
  const [proof] = await mailsTo(other);
  await makeMember(server.app.writer, server.orgId, { email: other });
  expect((await confirm(tokenIn(proof?.text ?? ""))).status).toBe(409);
  const third = fresh("third");
  await person.api("PATCH", "/auth/account", { email: third }, { orgId: null });
  const [last] = await mailsTo(third);
  await person.api("PATCH", "/auth/account", { email }, { orgId: null });
  expect((await confirm(tokenIn(last?.text ?? ""))).status).toBe(409);
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
});
