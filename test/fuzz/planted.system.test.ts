// Whether the fuzzers would find something: faults are planted in a service that has none, one at a time, and what looks
// at hostile calls (play.ts) must find each.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Sending, Service } from "../kit/in-process.ts";
import { seeded } from "../kit/random.ts";
import { RELEASE } from "../kit/release.ts";
import type { Answer } from "../kit/service.ts";
import { sensibleCall } from "./calls.ts";
import { TestCompany } from "./company.ts";
import { Oracle } from "./oracle.ts";
import { expectClean, expectTwinsAlike, play, traceOf } from "./play.ts";

setDefaultTimeout(120_000);

const CALLS = RELEASE ? 200 : 100;
let oracle: Oracle;
let service: Service;

beforeAll(async () => {
  [oracle, service] = [await Oracle.make(), await Service.start(1)];
});
afterAll(() => service.stop());

/** What is made of an answer on its way; null leaves it as it is. */
type Tampering = (answer: Answer, sending: Sending) => Partial<Answer> | null;

/** Runs `work` while answers are tampered with. */
async function tampered<T>(tamper: Tampering, work: () => Promise<T>): Promise<T> {
  const honest = service.send.bind(service);
  service.send = async (sending) => {
    const answer = await honest(sending);
    return { ...answer, ...tamper(answer, sending) };
  };
  try {
    return await work();
  } finally {
    service.send = honest;
  }
}

function withJson(json: object): Partial<Answer> {
  return { json, text: JSON.stringify(json) };
}

function withHeader(answer: Answer, name: string, value: string): Partial<Answer> {
  const headers = new Headers(answer.headers);
  headers.set(name, value);
  return { headers };
}

const isDone = ({ status }: Answer) => status < 300;
const isRecord = ({ json }: Answer) => typeof json.id === "string";

const ANSWERS: readonly (readonly [name: string, fault: RegExp, Tampering])[] = [
  ["a failure", /a failure/, (answer) => (isDone(answer) ? { status: 500 } : null)],
  ["a status that no route names", /does not name/, (answer) => (isDone(answer) ? { status: 202 } : null)],
  ["no request id", /no request id/, (answer) => withHeader(answer, "x-request-id", "1")],
  [
    "another media type",
    /type/,
    (answer) => (isRecord(answer) ? withHeader(answer, "content-type", "text/html") : null),
  ],
  ["a member too many", /./, (answer) => (isRecord(answer) ? withJson({ ...answer.json, internal: 1 }) : null)],
  ["a member of another type", /./, (answer) => (isRecord(answer) ? withJson({ ...answer.json, createdAt: 5 }) : null)],
  ["a refusal that is no problem", /./, (answer) => (answer.status === 422 ? withJson({ error: "no" }) : null)],
];

test("an honest service has none", async () => {
  const company = await TestCompany.create(service);
  expect(await play(oracle, company, sensibleCall, CALLS, seeded(1))).toEqual([]);
  await expectClean(company);
});

test.each(ANSWERS)("%s in an answer is found", async (_name, fault, tamper) => {
  const company = await TestCompany.create(service);
  const found = await tampered(tamper, () => play(oracle, company, sensibleCall, CALLS, seeded(1)));
  expect(found.length).toBeGreaterThan(0);
  expect(found.join("\n")).toMatch(fault);
});

test("an answer that tells another organization's record from one that is not there is found", async () => {
  const [company, other] = [await TestCompany.create(service), await TestCompany.create(service)];
  const foreign = [...other.ids.values()].flat();
  const compare = () => expectTwinsAlike(company, other, CALLS, seeded(1));
  expect(await compare()).toBeGreaterThan(10);
  const tell: Tampering = ({ status }, { path, body }) =>
    status === 404 && foreign.some((id) => path.includes(id) || String(body).includes(id)) ? { status: 403 } : null;
  expect(await tampered(tell, compare).catch(String)).toContain("a foreign id:");
});

test.each([
  ["a quantity", "update securities set quantity = quantity || '0' where orgId = ?"],
  ["a plan's reserve", "update equity_plans set currentSharesReserved = '1' where orgId = ?"],
  ["a lost security", "update securities set deletedAt = '2026-01-01' where orgId = ? and status = 'ACTIVE'"],
])("%s that no entry explains is found", async (_name, sql) => {
  const company = await TestCompany.create(service);
  await play(oracle, company, sensibleCall, CALLS, seeded(1));
  await expectClean(company);
  expect(service.db.sqlite.prepare(sql).run(company.orgId).changes).toBeGreaterThan(0);
  // What is read in one turn of the loop is as of one moment.
  await new Promise<void>((resume) => setImmediate(resume));
  expect(await expectClean(company).then(() => "nothing", String)).not.toBe("nothing");
});

test("a write that another organization could notice is found", async () => {
  const [company, other] = [await TestCompany.create(service), await TestCompany.create(service)];
  const before = await traceOf(other);
  await play(oracle, company, sensibleCall, CALLS, seeded(1));
  expect(await traceOf(other)).toBe(before);
  await other.api("PATCH", "/organization", { dba: "Noticed" });
  expect(await traceOf(other)).not.toBe(before);
});
