// What is told by mail without being asked for: approvals, dates that are near, the instance; each once, to whom it
// concerns, and not where it is turned off.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { compose } from "../../../src/exchange/mail/compose.ts";
import { mailsToOperators, troublesOf } from "../../../src/exchange/mail/instance-watch.ts";
import { datesFor, mailsOfDay, nearDates } from "../../../src/exchange/mail/near-dates.ts";
import { newestLogSeq } from "../../../src/exchange/mail/notice-store.ts";
import { readNotices } from "../../../src/exchange/mail/notices.ts";
import { Postman } from "../../../src/exchange/mail/postman.ts";
import { datesText } from "../../../src/exchange/mail/texts.ts";
import { callWithoutRequest } from "../../../src/kernel/call.ts";
import { systemRuntime, toTimestamp } from "../../../src/kernel/runtime.ts";
import {
  dropQueued,
  findMailSince,
  findMailUrl,
  listAllMails,
  type Mail,
  storeMailUrl,
} from "../../../src/people/stores/mail-store.ts";
import { readConfig } from "../../../src/server/config.ts";
import { changeLogged } from "../../../src/storage/database/log/logged.ts";
import { openWritable } from "../../../src/storage/database/open.ts";
import { findSetting } from "../../../src/storage/database/settings.ts";
import { signedIn } from "../../kit/people.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { everyKind } from "../../views/dates/companies.ts";
import { Org } from "../../views/health/support.ts";
import { startMailServer, type TestMailServer } from "./mail-server.ts";

setDefaultTimeout(60_000);

let post: TestMailServer;
let server: TestServer;

beforeAll(async () => {
  post = await startMailServer();
  server = await startTestServer({
    ...{ CAPTABLE_MAIL_HOST: "127.0.0.1", CAPTABLE_MAIL_PORT: String(post.port), CAPTABLE_LOG: "off" },
    ...{ CAPTABLE_MAIL_TLS: "none", CAPTABLE_MAIL_FROM: "captable@acme.example" },
  });
});
afterAll(async () => {
  await server.stop();
  await post.stop();
});

async function mailsTo(address: string, count = 1) {
  for (;;) {
    const found = post.received.filter(({ to }) => to.includes(address));
    if (found.length >= count) return found;
    await post.has(post.received.length + 1);
  }
}

const subjectsTo = (address: string) =>
  post.received.filter(({ to }) => to.includes(address)).map(({ headers }) => headers.subject);

test("an approval is asked of editors and administrators but who submitted, who is told about the decision", async () => {
  const org = new Org(server, await server.newOrganization("Acme, Inc."));
  const people = await Promise.all(
    (["ADMIN", "EDITOR", "EDITOR", "VIEWER"] as const).map((role) => signedIn(server, { orgId: org.id, role })),
  );
  const [admin, editor, quiet, viewer] = people as [
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
  ];
  const off = { organizations: [{ organizationId: org.id, approvals: false }] };
  expect((await quiet.api("PATCH", "/auth/notifications", off, { orgId: null })).status).toBe(200);
  const title = "Grant of 5,000 to Ada";
  const made = await editor.api(
    "POST",
    "/approvals",
    { title, entityType: "Option Grant", steps: [{ name: "Board" }] },
    { orgId: org.id },
  );
  const { id, steps } = made.json.data;
  expect((await editor.api("POST", `/approvals/${id}/submit`, undefined, { orgId: org.id })).status).toBe(200);
  const [asked] = await mailsTo(admin.email);
  expect(asked?.headers.subject).toBe(`Approval asked for: ${title}`);
  expect(asked?.text).toContain(`${server.app.publicUrl}/o/${org.id}/approvals/${id}`);
  expect(asked?.headers["list-unsubscribe"]).toBe(`<${server.app.publicUrl}/account>`);
  await admin.api("PATCH", `/approvals/${id}/steps/${steps[0].id}`, { status: "APPROVED" }, { orgId: org.id });
  const [decided] = await mailsTo(editor.email);
  expect(decided?.headers.subject).toBe(`Approved: ${title}`);
  expect([subjectsTo(quiet.email), subjectsTo(viewer.email), subjectsTo(admin.email).length]).toEqual([[], [], 1]);
  const listed = async () => (await org.call("GET", "/mails")).json.items as Record<string, string>[];
  while ((await listed()).some(({ state }) => state === "QUEUED")) await Bun.sleep(5);
  const items = await listed();
  expect(items.map(({ kind, to, state }) => [kind, to, state])).toEqual([
    ["approval-decided", editor.email, "SENT"],
    ["approval-asked", admin.email, "SENT"],
  ]);
  expect((await org.call("GET", "/mails?state=FAILED")).json.items).toEqual([]);
  expect((await org.call("GET", "/mails?state=LOST")).status).toBe(422);
  expect(JSON.stringify(items)).not.toContain(title);
});

test("a security that is asked for tells its holder's member", async () => {
  const org = new Org(server, await server.newOrganization("Asking, Inc."));
  const stockClassId = await org.shareClass();
  const [ada, bob] = [await org.holder(), await org.holder()];
  const member = (stakeholderIds: string[]) => signedIn(server, { orgId: org.id, role: "STAKEHOLDER", stakeholderIds });
  const [hers, his] = [await member([ada]), await member([bob])];
  const securityId = await org.shares(ada, stockClassId, { certificateId: "CS-77", asksAcceptance: true });
  const [mail] = await mailsTo(hers.email);
  expect(mail?.text).toContain("Certificate CS-77 of Asking, Inc. waits for your acceptance.");
  expect(mail?.text).toContain(`/o/${org.id}/mine`);
  await org.call("POST", `/securities/${securityId}/ask-acceptance`);
  // Bob's asks no one, and what has ended is not there to be accepted: of the three the last is told, and alone.
  await org.shares(bob, stockClassId, {});
  const ended = await org.shares(bob, stockClassId, { certificateId: "CS-78" });
  await org.made(`/securities/${ended}`, { status: "CANCELLED" }, "PATCH");
  await org.made(`/securities/${ended}`, { asksAcceptance: true }, "PATCH");
  await org.shares(bob, stockClassId, { certificateId: "CS-79", asksAcceptance: true });
  const told = await mailsTo(his.email);
  expect(told.map(({ text }) => /Certificate (\S+) of/.exec(text)?.[1])).toEqual(["CS-79"]);
});

/** Composes a queued mail as it would go out now; the address that it goes to, or null. */
function goesTo(
  given: Pick<Mail, "kind" | "about" | "to" | "orgId" | "accountId"> & Partial<Pick<Mail, "id">>,
): string | null {
  const now = "2026-06-01T00:00:00.000Z";
  const rest = { seq: 1, id: crypto.randomUUID(), createdAt: now, state: "QUEUED", attempts: 1, nextAttemptAt: now };
  const mail = { ...rest, expiresAt: null, error: null, sealed: null, sentAt: null, ...given } as Mail;
  const composed = compose(mail, { db: server.app.reader, url: "https://cap.example.com", now, dates: () => [] });
  return composed?.to.address ?? null;
}

test("what waits to be sent goes to no one who may not read it any more", async () => {
  const org = new Org(server, await server.newOrganization("Waiting, Inc."));
  const [ada, bob] = [await org.holder(), await org.holder()];
  const securityId = await org.shares(ada, await org.shareClass(), { asksAcceptance: true });
  const approval = { title: "Secret grant", entityType: "Option Grant", steps: [{ name: "Board" }] };
  const { id: approvalId = "" } = await org.made("/approvals", approval);
  await org.made(`/approvals/${approvalId}/submit`, {});
  const change = (person: { memberId: string }, body: object) =>
    org.made(`/members/${person.memberId}`, { ...body }, "PATCH");
  const remove = async ({ memberId }: { memberId: string }) =>
    expect((await org.call("DELETE", `/members/${memberId}`)).status).toBeLessThan(300);
  const off = (topic: string) => async (person: Awaited<ReturnType<typeof signedIn>>) => {
    const organizations = [{ organizationId: org.id, [topic]: false }];
    await person.api("PATCH", "/auth/notifications", { organizations }, { orgId: null });
  };
  const toViewer = (person: { memberId: string }) => change(person, { role: "VIEWER" });
  const asked = { kind: "approval-asked", about: `${approvalId}:Submitted:1` } as const;
  const decided = { kind: "approval-decided", about: `${approvalId}:Approved:1` } as const;
  const endpoint = { kind: "endpoint-disabled", about: "x:1" } as const;
  const acceptance = { kind: "acceptance-asked", about: `${securityId}:1` } as const;
  type Step = (person: Awaited<ReturnType<typeof signedIn>>) => Promise<unknown>;
  const [editor, admin, holder] = [{ role: "EDITOR" }, { role: "ADMIN" }, { role: "STAKEHOLDER" }] as const;
  const hers = { ...holder, stakeholderIds: [ada] };
  const cases: readonly (readonly [object, Pick<Mail, "kind" | "about">, Step])[] = [
    [editor, asked, remove],
    [editor, asked, toViewer],
    [editor, asked, off("approvals")],
    [editor, decided, remove],
    [editor, decided, (person) => change(person, { role: "STAKEHOLDER", stakeholderIds: [bob] })],
    [admin, endpoint, (person) => change(person, { role: "EDITOR" })],
    [hers, acceptance, off("acceptances")],
    [hers, acceptance, (person) => change(person, { stakeholderIds: [bob] })],
  ];
  for (const [given, what, step] of cases) {
    const person = await signedIn(server, { orgId: org.id, ...given });
    const mail = { ...what, to: person.email, orgId: org.id, accountId: person.accountId };
    expect([what.kind, goesTo(mail)]).toEqual([what.kind, person.email]);
    await step(person);
    expect([what.kind, step.name, goesTo(mail)]).toEqual([what.kind, step.name, null]);
    await remove(person).catch(() => undefined);
  }
  const person = await signedIn(server, { orgId: org.id, ...hers });
  const mail = { ...acceptance, to: person.email, orgId: org.id, accountId: person.accountId };
  expect(goesTo(mail)).toBe(person.email);
  await org.made(`/securities/${securityId}`, { stakeholderId: bob }, "PATCH");
  expect([goesTo(mail), cases.length]).toEqual([null, 8]);
});

test("a recovery that failed and is tried again tells no one to be an operator", async () => {
  const { accountId, email: to } = await signedIn(server, { role: "VIEWER" });
  const id = crypto.randomUUID();
  const mail = { kind: "recovery", to, orgId: null, accountId, id } as const;
  expect([goesTo({ ...mail, about: id }), goesTo({ ...mail, about: crypto.randomUUID() })]).toEqual([to, null]);
});

test("notifications are the person's own, all on at first", async () => {
  const { orgId } = server;
  const person = await signedIn(server, { role: "EDITOR" });
  const ask = (method: string, body?: unknown) => person.api(method, "/auth/notifications", body, { orgId: null });
  const on = { organizationId: orgId, approvals: true, acceptances: true, dates: true };
  expect((await ask("GET")).json.data).toEqual({ organizations: [on], instance: null });
  const changed = await ask("PATCH", { organizations: [{ organizationId: orgId, dates: false }] });
  expect(changed.json.data.organizations).toEqual([{ ...on, dates: false }]);
  await ask("PATCH", { organizations: [{ organizationId: orgId, dates: false, approvals: false }] });
  expect((await ask("GET")).json.data.organizations).toEqual([{ ...on, dates: false, approvals: false }]);
  const back = await ask("PATCH", {
    organizations: [{ organizationId: orgId, dates: true, approvals: true }],
    instance: true,
  });
  expect(back.json.data.organizations).toEqual([on]);
  const foreign = await server.newOrganization();
  expect((await ask("PATCH", { organizations: [{ organizationId: foreign, dates: false }] })).status).toBe(403);
  expect((await ask("PATCH", { organizations: [{ organizationId: orgId, dates: "no" }] })).status).toBe(422);
});

test("dates 30, 7, 1 and 0 days away are told, a holder's own of three kinds, once a day", async () => {
  const { org, ada, lena } = await everyKind(new Org(server, await server.newOrganization("Dated, Inc.")));
  const db = server.app.reader;
  const day = "2026-08-29";
  const kinds = (at: string) => nearDates(db, org.id, at).map(({ kind, date }) => `${kind} ${date}`);
  expect(kinds(day)).toEqual(["exercise-window-ends 2026-08-29"]);
  expect(kinds("2026-08-28")).toEqual(["exercise-window-ends 2026-08-29"]);
  expect(kinds("2026-08-27")).toEqual([]);
  expect(kinds("2026-08-25")).toEqual(["convertible-matures 2026-09-01"]);
  expect(kinds("2026-11-01")).toEqual(["security-expires 2026-11-01", "security-expires 2026-12-01"]);
  const items = nearDates(db, org.id, day);
  const of = (role: "ADMIN" | "VIEWER" | "STAKEHOLDER", ids: string[]) =>
    datesFor(items, { role, stakeholderIds: JSON.stringify(ids) }).length;
  expect([of("ADMIN", []), of("VIEWER", []), of("STAKEHOLDER", [lena]), of("STAKEHOLDER", [ada])]).toEqual([
    1, 0, 1, 0,
  ]);
  const [editor, quiet] = [
    await signedIn(server, { orgId: org.id, role: "EDITOR" }),
    await signedIn(server, { orgId: org.id, role: "EDITOR" }),
  ];
  const off = { organizations: [{ organizationId: org.id, dates: false }] };
  await quiet.api("PATCH", "/auth/notifications", off, { orgId: null });
  expect(mailsOfDay(db, org.id, day).map(({ to, about }) => [to, about])).toEqual([[editor.email, `${org.id}:${day}`]]);
  const text = datesText("Dated, Inc.", items, "https://cap.example.com/");
  expect(text.lines.join("\n")).toContain("2026-08-29  Last day to exercise option OPT-L (Lena)");
});

test("operators are told about an old backup, and not by a service that makes none", async () => {
  const operator = await signedIn(server, { isOperator: true });
  const db = server.app.reader;
  const nowMs = Date.parse("2026-06-10T12:00:00Z");
  const settings = { dataDir: server.dataDir, backupDir: "/backups", backupEveryHours: 24 };
  const troubles = (hours: number, given: typeof settings | { backupDir: null } = settings) =>
    troublesOf(db, { ...settings, ...given }, { nowMs, beganMs: nowMs - hours * 3_600_000 }).filter(
      (each) => each === "backup",
    );
  expect([troubles(49), troubles(48), troubles(49, { backupDir: null })]).toEqual([["backup"], [], []]);
  const tell = (type: "backup.failed" | "backup.completed" | "offsite.failed") =>
    server.app.tellInstance({ type, data: {} });
  const all = () => troublesOf(db, settings, { nowMs, beganMs: nowMs }).filter((each) => each !== "disk");
  await tell("backup.failed");
  await tell("offsite.failed");
  expect(all()).toEqual(["backup", "offsite"]);
  await tell("backup.completed");
  expect(all()).toEqual(["offsite"]);
  const mails = mailsToOperators(db, ["backup"], "2026-06-10");
  expect(mails.map(({ to, about }) => [to, about])).toEqual([[operator.email, "backup:2026-06-10"]]);
  await operator.api("PATCH", "/auth/notifications", { instance: false }, { orgId: null });
  expect(mailsToOperators(db, ["backup"], "2026-06-10")).toEqual([]);
});

test("an endpoint that the service disabled is told to administrators, and one that a person disabled is not", async () => {
  const org = new Org(server, await server.newOrganization("Hooked, Inc."));
  const admin = await signedIn(server, { orgId: org.id, role: "ADMIN" });
  const editor = await signedIn(server, { orgId: org.id, role: "EDITOR" });
  const endpoint = async () => (await org.made("/webhook-endpoints", { url: "https://hooks.invalid/" })).id ?? "";
  const [own, others] = [await endpoint(), await endpoint()];
  await org.made(`/webhook-endpoints/${own}`, { status: "DISABLED" }, "PATCH");
  const job = callWithoutRequest(systemRuntime, org.id, "job");
  await server.app.writer.submit((tx) => changeLogged(tx, job, "webhook_endpoints", others, { status: "DISABLED" }));
  const [mail] = await mailsTo(admin.email);
  expect([mail?.headers.subject, subjectsTo(admin.email).length]).toEqual(["A webhook endpoint was disabled", 1]);
  expect(subjectsTo(editor.email)).toEqual([]);
});

test("a log that came from elsewhere, or was written before mail was on, makes no mail", () => {
  const file = join(server.dataDir, "copy.db");
  server.app.writer.db.sqlite.prepare("vacuum into ?").run(file);
  const copy = openWritable(file);
  try {
    const last = newestLogSeq(copy) ?? 0;
    const since = findMailSince(copy);
    const read = (from: string, nowMs = Date.now()) => readNotices(copy, from, nowMs);
    expect(read("2020-01-01T00:00:00.000Z")).toMatchObject({ mails: [], hasMore: false });
    const put = copy.sqlite.prepare("update settings set value = ? where name = 'mailPlace'");
    put.run(`${since} 0`);
    expect(read(since)?.mails.length).toBeGreaterThan(0);
    expect(read(since, Date.now() + 73 * 3_600_000)?.mails).toEqual([]);
    // A restore to before the place: what is recorded from now on is told.
    put.run(`${since} ${last + 1000}`);
    expect(read(since)?.place.value).toBe(`${since} ${last}`);
    put.run(`${since} ${last}`);
    expect(read(since)).toBeNull();
  } finally {
    copy.sqlite.close();
  }
});

test("dates are told from 06:00 on, and where mail was turned on later, as in restored data, from the next day on", async () => {
  const clock = { nowMs: Date.parse("2026-08-28T13:00:00Z") };
  const runtime = { ...systemRuntime, nowMs: () => clock.nowMs };
  const dated = await startTestServer({ CAPTABLE_LOG: "off" });
  const { reader, writer, publicUrl } = dated.app;
  const turnOn = (at: string) => writer.submit((tx) => storeMailUrl(tx, publicUrl, at));
  await turnOn("2026-08-28T13:00:00.000Z");
  const postman = new Postman({
    ...{ db: reader, runtime, settings: readConfig({ dataDir: dated.dataDir, port: "0" }, {}) },
    write: (task, data) => {
      const call = { nowMs: clock.nowMs, at: toTimestamp(clock.nowMs), newId: () => runtime.newId() };
      const callIn = (orgId: string) => callWithoutRequest(runtime, orgId, "job");
      return writer.submit((tx) => task(tx, { ...call, callIn }, data));
    },
    ...{ read: async () => null, rest: async () => undefined, trouble: () => undefined, tellFigures: () => undefined },
  });
  try {
    const { org } = await everyKind(new Org(dated, await dated.newOrganization("Dated, Inc.")));
    const editor = await signedIn(dated, { orgId: org.id, role: "EDITOR" });
    const toldOf = async (day: string) => {
      clock.nowMs = Date.parse(`${day}T08:00:00Z`);
      while (findSetting(reader, "mailDates") !== day) await Bun.sleep(5);
      const rows = listAllMails(reader, { limit: 100 });
      return rows.filter(({ kind, about }) => kind === "dates" && about === `${org.id}:${day}`).map(({ to }) => to);
    };
    expect(await toldOf("2026-08-29")).toEqual([editor.email]);
    await writer.submit((tx) => dropQueued(tx));
    expect(findMailUrl(reader)).toBeNull();
    await turnOn("2026-11-01T07:00:00.000Z");
    expect([await toldOf("2026-11-01"), await toldOf("2026-11-24")]).toEqual([[], [editor.email]]);
  } finally {
    await postman.stop();
    await dated.stop();
  }
});
