// Calendars of dates to come: made in a session, read by address alone, and ended with what they hang on. The file is
// read by ical.js.
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import ICAL from "ical.js";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { endSignIns } from "../../src/safekeeping/backup/end-sign-ins.ts";
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import { DATABASE_FILE, openReadOnly } from "../../src/storage/database/open.ts";
import { PAGES } from "../../src/web/routes.ts";
import { runCommand } from "../kit/command.ts";
import { type Browser, joinOrganization, signedIn } from "../kit/people.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { type DatesCompany, everyKind } from "../views/dates/companies.ts";
import { Org } from "../views/health/support.ts";

setDefaultTimeout(120_000);

const START_MS = Date.parse("2026-06-01T12:00:00Z");
let passedMs = 0;
const runtime = { ...systemRuntime, nowMs: () => START_MS + passedMs };
let server: TestServer;
let company: DatesCompany;

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_RATE_LIMIT: "100000" }, { runtime });
  company = await everyKind(new Org(server, await server.newOrganization("Acme; Sons, Inc.")));
});
beforeEach(() => {
  passedMs = 0;
});
afterAll(() => server.stop());

const TIMES = {
  ...{ confirmedAt: "2026-06-01T12:00:00.000Z", lastSeenAt: "2026-06-01T12:00:00.000Z" },
  expiresAt: "2026-06-20T00:00:00.000Z",
};

type Person = Awaited<ReturnType<typeof signedIn>>;

function personIn(orgId: string, given: Parameters<typeof signedIn>[1] = {}): Promise<Person> {
  return signedIn(server, { ...TIMES, role: "VIEWER", ...given, orgId });
}

interface Made {
  readonly id: string;
  readonly url: string;
}

async function made(person: Browser, orgId: string, body: object = {}): Promise<Made> {
  const answer = await person.api("POST", "/auth/calendars", { organizationId: orgId, ...body }, { orgId: null });
  expect({ status: answer.status, text: answer.status === 201 ? "" : answer.text }).toEqual({ status: 201, text: "" });
  return answer.json.data;
}

async function read(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const statusOf = async ({ url }: Made) => (await read(url)).status;

interface Event {
  readonly uid: string;
  readonly day: string;
  readonly summary: string;
  readonly url: string;
}

/** The events, as another program reads the file. */
function eventsIn(text: string): Event[] {
  const root = new ICAL.Component(ICAL.parse(text));
  return root.getAllSubcomponents("vevent").map((each) => {
    const event = new ICAL.Event(each);
    expect([event.startDate.isDate, event.duration.toSeconds()]).toEqual([true, 86_400]);
    expect(each.getFirstPropertyValue("transp")).toBe("TRANSPARENT");
    expect(each.getFirstPropertyValue("class")).toBe("PRIVATE");
    expect(each.getAllSubcomponents("valarm")).toEqual([]);
    const url = String(each.getFirstPropertyValue("url"));
    return { uid: event.uid, day: event.startDate.toString(), summary: event.summary, url };
  });
}

test("a member's calendar shows what GET /dates does, 90 days back to 730 on, with addresses of pages", async () => {
  const { org } = company;
  const person = await personIn(org.id);
  const { id, url } = await made(person, org.id);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/calendar\/[0-9A-Za-z]{43}\.ics$/);
  const file = await read(url);
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "text/calendar; charset=utf-8"]);
  const { items } = (await org.call("GET", "/dates?from=2026-03-03&to=2028-05-31")).json.data;
  expect(eventsIn(file.text).map(({ uid, day, summary }) => ({ uid, day, summary }))).toEqual(
    items.map(({ id: of, date, title }: { id: string; date: string; title: string }) => ({
      ...{ uid: `${of}@${org.id}`, day: date, summary: title },
    })),
  );
  const root = new ICAL.Component(ICAL.parse(file.text));
  expect(root.getFirstPropertyValue("x-wr-calname")).toBe("Acme\\; Sons\\, Inc.");
  expect(String(root.getFirstPropertyValue("refresh-interval"))).toBe("PT12H");
  const pages = Object.values(PAGES).map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, "[0-9a-f-]{36}")}$`));
  for (const { url: address } of eventsIn(file.text)) {
    const { origin, pathname } = new URL(address);
    expect([origin, pages.filter((page) => page.test(pathname)).length]).toEqual([server.url, 1]);
  }
  expect(file.text).not.toMatch(/4800|\b1000\b|0\.25/);
  const list = await person.api("GET", "/auth/calendars", undefined, { orgId: null });
  const shown = { organizationId: org.id, organizationName: "Acme; Sons, Inc.", names: true };
  expect(list.json.items).toEqual([{ id, ...shown, createdAt: expect.any(String) }]);
  expect(JSON.stringify(list.json)).not.toContain(url.slice(-47, -4));
});

test("the file has a tag, the same bytes at any time of a day, and other bytes after a change", async () => {
  const { org } = company;
  const calendar = await made(await personIn(org.id), org.id);
  const first = await read(calendar.url);
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[0-9a-f]{16}"$/);
  passedMs = 3_600_000;
  const again = await read(calendar.url, { "if-none-match": `"0000000000000000", W/${etag}` });
  expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
  expect((await read(calendar.url)).text).toBe(first.text);
  await org.made("/approvals", { title: "Later", entityType: "Other", dueDate: "2026-07-02" });
  const changed = await read(calendar.url, { "if-none-match": etag });
  expect([changed.status, changed.text.includes("SUMMARY:Approval due: Later")]).toEqual([200, true]);
});

test("a holder's calendar is the portal's, and shows no name or number where it is to show none", async () => {
  const { org, ada, lena, fund } = company;
  const holder = await personIn(org.id, { role: "STAKEHOLDER", stakeholderIds: [lena, fund] });
  const named = await read((await made(holder, org.id)).url);
  const { items } = (
    await holder.api("GET", "/portal/dates?from=2026-03-03&to=2028-05-31", undefined, { orgId: org.id })
  ).json.data;
  expect(eventsIn(named.text).map(({ summary }) => summary)).toEqual(
    items.map(({ title }: { title: string }) => title),
  );
  expect(items.length).toBe(3);
  for (const secret of ["Ada", ada, "2024 Plan", "409A", "OPT-1", "OPT-C", "Grant to"]) {
    expect(named.text).not.toContain(secret);
  }
  expect(new Set(eventsIn(named.text).map(({ url }) => new URL(url).pathname))).toEqual(new Set([`/o/${org.id}/mine`]));
  const plain = await read((await made(holder, org.id, { names: false })).url);
  expect(eventsIn(plain.text).map(({ summary }) => summary)).toEqual([
    ...["Last day to exercise an option", "Convertible matures", "Warrant expires"],
  ]);
  for (const secret of ["Lena", "Fund", "W-1", "OPT-L", "SAFE-1", "Acme"]) expect(plain.text).not.toContain(secret);
  const all = await read((await made(await personIn(org.id), org.id, { names: false })).url);
  for (const secret of ["Ada", "Lena", "Fund", "Common", "2024 Plan", "First customer", "CS-83B", "OPT"]) {
    expect(all.text).not.toContain(secret);
  }
  // What its person may see at that moment: the role is read each time.
  await server.api("PATCH", `/members/${holder.memberId}`, { role: "VIEWER" }, { orgId: org.id });
  const [calendar] = (await holder.api("GET", "/auth/calendars", undefined, { orgId: null })).json.items;
  expect(calendar.names).toBe(true);
});

test("names of any text stay within their line and within 75 bytes", async () => {
  const org = new Org(server, await server.newOrganization(`Acme "quoted"; \\ , :${"é".repeat(60)}`));
  const names = [
    "Comma, semicolon; back\\slash: colon",
    `${"x".repeat(59)}👩‍👩‍👧‍👦🎉 after the fold`,
    ...Array.from({ length: 8 }, (_, at) => `${"a".repeat(40 + at)}${"日本語".repeat(8)}`),
    "END:VEVENT BEGIN:VALARM",
    "line\\nbreak",
    "Ünïcödé ".repeat(12).trim(),
  ];
  for (const displayName of names) {
    const stockClassId = await org.shareClass({ name: `C ${displayName}`.slice(0, 100) });
    const holder = await org.holder({ displayName });
    await org.run("issue-warrant", {
      ...{ stakeholderId: holder, stockClassId, quantity: "1", exercisePrice: "1", effectiveDate: "2024-01-01" },
      ...{ certificateId: `W-${names.indexOf(displayName)}`, expirationDate: "2026-07-07" },
    });
  }
  const title = "First\r\nBEGIN:VEVENT\nSUMMARY:planted\u2028\u0000\u0007end";
  const answer = await org.call("POST", "/approvals", { title, entityType: "Other", dueDate: "2026-07-08" });
  const { text } = await read((await made(await personIn(org.id), org.id)).url);
  const events = eventsIn(text);
  const expected = names.map((name, at) => `Warrant W-${at} (${name}) expires`);
  expect(events.filter(({ day }) => day === "2026-07-07").map(({ summary }) => summary)).toEqual(expected);
  if (answer.status === 201) {
    const planted = "Approval due: First\nBEGIN:VEVENT\nSUMMARY:planted\n  end";
    expect(events.filter(({ day }) => day === "2026-07-08").map(({ summary }) => summary)).toEqual([planted]);
  }
  expect(events.length).toBe(names.length + (answer.status === 201 ? 1 : 0));
  const lines = text.split("\r\n");
  expect(lines.pop()).toBe("");
  for (const line of lines) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(/[\p{Cc}\u2028\u2029\ufffd]/u.test(line)).toBe(false);
  }
  expect(lines.some((line) => Buffer.byteLength(line) === 75)).toBe(true);
});

test("an address that is guessed, cut, ended or of another's shows nothing, and the log names none", async () => {
  const { org } = company;
  const person = await personIn(org.id);
  const calendar = await made(person, org.id);
  const { url } = calendar;
  const shown = (await read(`${url.slice(0, -5)}${url.at(-5) === "a" ? "b" : "a"}.ics`)).text;
  for (const other of [
    ...[`${url.slice(0, -5)}${url.at(-5) === "a" ? "b" : "a"}.ics`, url.slice(0, -4), `${url}/x`, url.slice(0, -8)],
    ...[`${server.url}/calendar/${"0".repeat(43)}.ics`, `${server.url}/calendar/.ics`, `${url.slice(0, -4)}.ICS`],
    ...["%00.ics", "%zz", "%", "%ff.ics"].map((file) => `${server.url}/calendar/${file}`),
  ]) {
    const { status, text } = await read(other);
    expect([other, status, text.includes("VEVENT")]).toEqual([other, 404, false]);
  }
  expect(JSON.parse(shown).detail).toBe("There is no such calendar.");
  expect((await fetch(url, { method: "POST" })).status).toBe(405);
  expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
  const stranger = await personIn(org.id);
  const ends = (by: Person, id: string) => by.api("DELETE", `/auth/calendars/${id}`, undefined, { orgId: null });
  expect((await ends(stranger, calendar.id)).status).toBe(404);
  expect(await statusOf(calendar)).toBe(200);
  expect((await ends(person, calendar.id)).status).toBe(204);
  expect((await ends(person, calendar.id)).status).toBe(404);
  expect(await statusOf(calendar)).toBe(404);
  server.app.reader.sqlite.pragma("user_version");
  await Bun.sleep(60);
  const log = server.log.join("");
  expect(log).toContain('"route":"/calendar/…"');
  expect(log).not.toContain(url.slice(-47, -4));
  const database = new TextDecoder("latin1").decode(server.app.writer.db.sqlite.serialize());
  expect(database).not.toContain(url.slice(-47, -4));
});

test("only a member makes one, with a second factor where the organization asks for it, and ten at most", async () => {
  const { org } = company;
  const person = await personIn(org.id);
  const foreign = await server.newOrganization("Other, Inc.");
  const make = (body: object) => person.api("POST", "/auth/calendars", body, { orgId: null });
  const unknown = "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e";
  const [other, none] = [await make({ organizationId: foreign }), await make({ organizationId: unknown })];
  expect([other.status, none.status]).toEqual([403, 403]);
  expect(other.json.detail).toBe(none.json.detail);
  for (const body of [{}, { organizationId: org.id, names: "no" }, { organizationId: org.id, x: 1 }]) {
    expect((await make(body)).status).toBe(422);
  }
  const key = await server.api("POST", "/auth/calendars", { organizationId: org.id }, { orgId: org.id });
  expect(key.status).toBe(403);
  const all = await Promise.all(Array.from({ length: 14 }, () => make({ organizationId: org.id })));
  expect(all.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(all.filter(({ status }) => status === 409)).toHaveLength(4);
  const [first] = all.filter(({ status }) => status === 201).map(({ json }) => json.data as Made);
  const strict = new Org(server, await server.newOrganization("Strict, Inc."));
  const member = await personIn(strict.id);
  const calendar = await made(member, strict.id);
  await strict.made("/organization", { requireSecondFactor: true }, "PATCH");
  expect(await statusOf(calendar)).toBe(404);
  const again = await member.api("POST", "/auth/calendars", { organizationId: strict.id }, { orgId: null });
  expect([again.status, again.json.type.split("/").at(-1)]).toEqual([403, "second-factor-missing"]);
  await strict.made("/organization", { requireSecondFactor: false }, "PATCH");
  expect(await statusOf(calendar)).toBe(200);
  expect(first && (await statusOf(first))).toBe(200);
});

test("a calendar is read 60 times an hour and no more, each by itself", async () => {
  const { org } = company;
  const person = await personIn(org.id);
  const [calendar, other] = [await made(person, org.id), await made(person, org.id)];
  const statuses: number[] = [];
  for (let at = 0; at < 61; at++) statuses.push(await statusOf(calendar));
  expect([statuses.filter((each) => each === 200).length, statuses.at(-1)]).toEqual([60, 429]);
  expect((await read(calendar.url)).headers.get("retry-after")).toBe("60");
  expect(await statusOf(other)).toBe(200);
  passedMs = 61_000;
  expect([await statusOf(calendar), await statusOf(calendar)]).toEqual([200, 429]);
});

test("it ends with the membership, with a suspension and with a restore, and verify is clean", async () => {
  const { org } = company;
  const elsewhere = await server.newOrganization("Elsewhere, Inc.");
  const person = await personIn(org.id);
  await joinOrganization(server.app.writer, elsewhere, person.accountId, { role: "VIEWER" });
  const [here, there] = [await made(person, org.id), await made(person, elsewhere)];
  expect([await statusOf(here), await statusOf(there)]).toEqual([200, 200]);
  await server.api("DELETE", `/members/${person.memberId}`, undefined, { orgId: org.id });
  expect([await statusOf(here), await statusOf(there)]).toEqual([404, 200]);
  await joinOrganization(server.app.writer, org.id, person.accountId, { role: "VIEWER" });
  expect(await statusOf(here)).toBe(404);
  const suspended = await personIn(org.id);
  const own = await made(suspended, org.id);
  const command = async (...args: string[]) => {
    const { status, stderr } = await runCommand([...args, "--data-dir", server.dataDir]);
    expect({ args, status, stderr }).toMatchObject({ args, status: 0 });
  };
  await command("members", "suspend", suspended.email);
  expect(await statusOf(own)).toBe(404);
  await command("members", "suspend", suspended.email, "--lift");
  expect(await statusOf(own)).toBe(404);
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
  const folder = join(server.dataDir, "restored");
  try {
    await Bun.$`mkdir -p ${folder}`.quiet();
    server.app.writer.db.sqlite.prepare("vacuum into ?").run(join(folder, DATABASE_FILE));
    const ended = await endSignIns(folder);
    expect(ended.endedCalendars).toBeGreaterThan(3);
    const db = openReadOnly(join(folder, DATABASE_FILE));
    expect(db.sqlite.prepare("select count(*) as count from calendars").get()).toEqual({ count: 0 });
    expect(verifyDatabase(db).differences).toEqual([]);
    db.sqlite.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  expect(await statusOf(there)).toBe(200);
});
