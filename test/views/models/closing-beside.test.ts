// Closing a round of a long ledger: planned in a reading thread, while others write; and what becomes of it where they
// write what it counts.
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Sent } from "../../../src/kernel/threads/peer.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { readsHere } from "../../kit/threads-here.ts";

setDefaultTimeout(60_000);

const TODAY = new Date().toISOString().slice(0, 10);
const TERMS = { convertibleType: "SAFE", timing: "POST_MONEY", valuationCap: "5000000" } as const;

let server: TestServer;
/** What is done when a plan was made, before it goes on to the commit. */
let meanwhile: (() => Promise<unknown>) | null = null;
/** How many plans were made. */
let plans = 0;

const isPlan = (sent: Sent) => JSON.stringify(sent).includes("planClosing");

beforeAll(async () => {
  const startReading: typeof readsHere = (take, fail) => {
    let asksPlan = false;
    const thread = readsHere((sent) => {
      if (!asksPlan) return take(sent);
      asksPlan = false;
      plans++;
      const work = meanwhile?.() ?? Promise.resolve();
      void work.then(() => take(sent));
    }, fail);
    return {
      ...thread,
      send(sent, moved) {
        asksPlan ||= isPlan(sent);
        thread.send(sent, moved);
      },
    };
  };
  server = await startTestServer({ CAPTABLE_LOG: "off" }, { longFromEntries: 0, startReading });
});
afterAll(() => server.stop());
beforeEach(() => {
  meanwhile = null;
  plans = 0;
});

/** A company with a class, a holder, a SAFE and a round that was modelled. */
async function company() {
  const orgId = await server.newOrganization();
  const where = { orgId };
  const post = async (path: string, body: unknown) => {
    const answer = await server.api("POST", path, body, where);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json.data ?? answer.json;
  };
  const founder = await makeStakeholder(server, {}, where);
  const common = await makeShareClass(server, { initialSharesAuthorized: "100000000" }, where);
  let issued = 0;
  const issue = (effectiveDate = TODAY) =>
    post("/transactions/issue-shares", {
      stakeholderId: founder,
      stockClassId: common,
      quantity: "1000000",
      certificateId: `CS-${++issued}`,
      effectiveDate,
    });
  await issue("2025-01-01");
  const { securityId: safe } = await post("/transactions/issue-convertible", {
    stakeholderId: founder,
    quantity: "400000",
    certificateId: "SAFE-1",
    convertibleTerms: TERMS,
    effectiveDate: "2025-06-01",
  });
  const modelled = async (name: string, closingDate = TODAY) => {
    const model = {
      closingDate,
      newClass: { name },
      valuation: { kind: "PRE_MONEY", amount: "10000000" },
      investors: [{ stakeholderId: founder, amount: "2000000" }],
    };
    const { digest } = await post("/models/round", { asOf: closingDate, ...model });
    return { model, digest };
  };
  const close = (body: unknown, key?: string) => {
    const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
    return server.api("POST", "/models/round/close", body, { ...where, headers });
  };
  return { orgId, where, post, issue, modelled, close, founder, common, safe };
}

type Company = Awaited<ReturnType<typeof company>>;

/** The classes of a company, by name. */
async function classesOf({ where }: Company): Promise<string[]> {
  const { json } = await server.api("GET", "/share-classes?limit=50", undefined, where);
  return json.items.map(({ name }: { name: string }) => name).sort();
}

function expectSound(): void {
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
}

describe("a round closed by its plan", () => {
  test("beside writes that it does not count is planned once", async () => {
    const one = await company();
    const body = await one.modelled("Series A");
    meanwhile = async () => {
      await one.post("/stock-legends", { name: "Legend", text: "Text" });
      await server.api("PATCH", `/stakeholders/${one.founder}`, { email: "founder@example.com" }, one.where);
    };
    const closed = await one.close(body);
    expect([closed.status, plans]).toEqual([201, 1]);
    expect(await classesOf(one)).toContain("Series A");
    expectSound();
  });

  test.each([
    ["an issue", (one: Company) => one.issue()],
    [
      "a SAFE's other cap",
      (one: Company) => patchSafe(one, { convertibleTerms: { ...TERMS, valuationCap: "4000000" } }),
    ],
    ["a correction", (one: Company) => patchSafe(one, { quantity: "500000" })],
    ["a split", (one: Company) => splitOf(one)],
    ["another closing", (one: Company, other: object) => inBatch(one, other)],
  ])("beside %s that it counts is planned anew and refused, and nothing of it is written", async (_what, write) => {
    const one = await company();
    const [body, other] = [await one.modelled("Series A"), await one.modelled("Series B")];
    let isDone = false;
    meanwhile = async () => {
      if (isDone) return;
      isDone = true;
      await write(one, other);
    };
    const answer = one.close(body);
    const { status, json } = await answer;
    expect([status, json.type?.split("/").at(-1)]).toEqual([409, "model-changed"]);
    expect(plans).toBeGreaterThanOrEqual(2);
    expect(await classesOf(one)).not.toContain("Series A");
    expectSound();
  });

  test("that is written to all the time, with what changes nothing in the end, is worked out in the commit", async () => {
    const one = await company();
    const body = await one.modelled("Series A");
    let made = 0;
    meanwhile = () => makeStakeholder(server, { displayName: `Another ${++made}` }, one.where);
    const closed = await one.close(body);
    expect([closed.status, plans]).toEqual([201, 4]);
    expectSound();
  });

  test("as a dry run, makes nothing, and answers as the commit then does", async () => {
    const one = await company();
    const body = await one.modelled("Series A");
    const dry = await one.close({ ...body, dryRun: true });
    expect([dry.status, plans, dry.json.data.corporateActionId]).toEqual([200, 1, null]);
    expect(await classesOf(one)).not.toContain("Series A");
    const closed = await one.close(body);
    expect(closed.json.data.securities).toHaveLength(dry.json.data.securities.length);
  });

  test("two of one round at once: one is closed, and the other one is refused", async () => {
    const one = await company();
    const body = await one.modelled("Series A");
    const answers = await Promise.all([one.close(body, "first"), one.close(body, "second")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await classesOf(one)).filter((name) => name === "Series A")).toHaveLength(1);
    expectSound();
  });

  test("one key twenty times at once: it is closed once, and all are answered alike", async () => {
    const one = await company();
    const body = await one.modelled("Series A");
    const answers = await Promise.all(Array.from({ length: 20 }, () => one.close(body, "same")));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([answers[0]?.status, plans]).toEqual([201, 1]);
    const again = await one.close({ ...body, title: "Another" }, "same");
    expect([again.status, again.json.type?.split("/").at(-1), plans]).toEqual([422, "idempotency-key-reused", 1]);
    expectSound();
  });

  test("in a batch counts what the batch did before it", async () => {
    const one = await company();
    const body = await one.modelled("Series A");
    const closing = { method: "POST", path: "/api/v1/models/round/close", body };
    const issue = {
      method: "POST",
      path: "/api/v1/transactions/issue-shares",
      body: {
        ...{ stakeholderId: one.founder, stockClassId: one.common, quantity: "5", certificateId: "CS-9" },
        effectiveDate: TODAY,
      },
    };
    const legend = { method: "POST", path: "/api/v1/stock-legends", body: { name: "Legend", text: "Text" } };
    const refused = await server.api("POST", "/batch", { operations: [issue, closing] }, one.where);
    expect([refused.status, refused.json.operation]).toEqual([409, 1]);
    const done = await server.api("POST", "/batch", { operations: [legend, closing, issue] }, one.where);
    expect(done.status).toBe(200);
    expect((await classesOf(one)).filter((name) => name === "Series A")).toHaveLength(1);
    expect(plans).toBe(0);
    expectSound();
  });

  test("beside issues without end is closed as modelled or refused, never in between", async () => {
    for (let round = 0; round < 5; round++) {
      const one = await company();
      const body = await one.modelled("Series A");
      let isOver = false;
      const others = (async () => {
        while (!isOver) await one.issue();
      })();
      if (round % 2 === 0) await Bun.sleep(5 * round);
      const { status, json } = await one.close(body);
      isOver = true;
      await others;
      expect([201, 409]).toContain(status);
      const classes = await classesOf(one);
      expect(classes.includes("Series A")).toBe(status === 201);
      if (status === 409) expect(json.type).toEndWith("model-changed");
    }
    expectSound();
  });
});

function patchSafe({ safe, where }: Company, body: object) {
  return server.api("PATCH", `/securities/${safe}`, body, where);
}

/** Closes a round that no thread plans. */
async function inBatch({ where }: Company, body: object): Promise<void> {
  const operations = [{ method: "POST", path: "/api/v1/models/round/close", body }];
  const { status } = await server.api("POST", "/batch", { operations }, where);
  expect(status).toBe(200);
}

function splitOf({ post, common: stockClassId }: Company) {
  return post("/transactions/split", { stockClassId, numerator: 2, denominator: 1, effectiveDate: TODAY });
}
