import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { commandLineCall } from "../../src/kernel/call.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { OPEN, stateAfter } from "../../src/resources/approvals/approval-rules.ts";
import { changeLogged } from "../../src/storage/database/log/logged.ts";
import { signedIn } from "../kit/people.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { RELEASE } from "../kit/release.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { refusal, tryBodies, tryCommonRules } from "./support.ts";

type Named = Readonly<Record<string, string>>;

let server: TestServer;
const basic = { title: "Founders' shares", entityType: "Stock Issuance" };
const conflict = [409, "invalid-state"];

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_CHAIN: "on" });
});
afterAll(() => server.stop());

/** Makes an approval with a step for each name, and says its id and those of its steps. */
async function make(...names: readonly string[]) {
  const { data } = (await server.api("POST", "/approvals", { ...basic, steps: names.map((name) => ({ name })) })).json;
  return { id: data.id as string, steps: data.steps.map((step: { id: string }) => step.id) as string[] };
}

async function read(id: string) {
  return (await server.api("GET", `/approvals/${id}`)).json.data;
}

function post(id: string, action: string) {
  return server.api("POST", `/approvals/${id}/${action}`);
}

function decide(id: string, stepId: string | undefined, status: string, more = {}) {
  return server.api("PATCH", `/approvals/${id}/steps/${stepId}`, { status, ...more });
}

/** Makes an approval and brings it to the named state. */
async function makeIn(state: string) {
  const made = await make("Board");
  if (state === "Draft") return made;
  await post(made.id, "submit");
  if (state === "Submitted") return made;
  await decide(made.id, made.steps[0], state === "Rejected" ? "REJECTED" : "APPROVED");
  if (state === "Locked") await post(made.id, "lock");
  expect((await read(made.id)).state).toBe(state);
  return made;
}

test("approvals behave as every resource does, in `data` envelopes", () =>
  tryCommonRules(server, "/approvals", basic, "data", true));

test("each member is taken up to its limit, and refused beyond", () =>
  tryBodies(
    server,
    "/approvals",
    {
      required: basic,
      accepted: [
        ["title", "t".repeat(200)],
        ...[
          "Stock Issuance",
          "Option Grant",
          "RSU Grant",
          "Warrant Issuance",
          "Convertible Issuance",
          "Stock Transfer",
          "Exercise",
          "Conversion",
          "Cancellation",
          "Repurchase",
          "Valuation",
          "Equity Plan",
          "Stock Split",
          "Other",
        ].map((type) => ["entityType", type] as const),
        ["dueDate", "2026-02-28"],
        ["notes", "n".repeat(2000)],
      ],
      refused: [
        ["title", "t".repeat(201)],
        ["title", ""],
        ["entityType", "Lunch"],
        ["dueDate", "2026-02-29"],
        ["notes", "n".repeat(2001)],
        ["state", "Locked"],
        ["lockedAt", null],
      ],
      nullable: ["dueDate", "notes"],
    },
    true,
  ));

test("steps come with the approval, in order and PENDING; a PATCH of the approval does not take them", async () => {
  const { id, steps } = await make("Board", "Counsel");
  expect((await read(id)).steps).toMatchObject([
    { id: steps[0], approvalId: id, name: "Board", status: "PENDING", order: 1, decidedAt: null, comment: null },
    { id: steps[1], approvalId: id, name: "Counsel", status: "PENDING", order: 2 },
  ]);
  expect(refusal(await server.api("PATCH", `/approvals/${id}`, { steps: [] }))).toEqual([
    422,
    "validation-failed",
    "#/steps",
  ]);
  const wrong = { ...basic, steps: [{ name: "ok" }, { name: "n".repeat(101) }, {}, { name: "x", order: 1 }] };
  expect(refusal(await server.api("POST", "/approvals", wrong))).toEqual([
    422,
    "validation-failed",
    "#/steps/1/name",
    "#/steps/2/name",
    "#/steps/3/order",
  ]);
  expect((await server.api("POST", "/approvals", { ...basic, steps: null })).json.data.steps).toEqual([]);
});

test("the list narrows by status and entity type", async () => {
  const { id } = await makeIn("Approved");
  const listed = async (query: string) =>
    (await server.api("GET", `/approvals?${query}`)).json.data.map((approval: { id: string }) => approval.id);
  expect(await listed("status=Approved")).toEqual([id]);
  expect(await listed("status=Approved&entityType=Other")).toEqual([]);
  expect(await listed("status=Approved&entityType=Stock%20Issuance")).toEqual([id]);
  expect(refusal(await server.api("GET", "/approvals?status=approved"))).toEqual([422, "validation-failed", "status"]);
  expect(refusal(await server.api("GET", "/approvals?state=Draft"))).toEqual([422, "validation-failed", "state"]);
});

describe("states", () => {
  const states = ["Draft", "Submitted", "Approved", "Rejected", "Locked"];
  const allowed: Readonly<Record<string, readonly string[]>> = {
    submit: ["Draft"],
    lock: ["Approved"],
    patch: ["Draft"],
    delete: ["Draft"],
    "add step": ["Draft", "Submitted"],
    "rename step": ["Draft", "Submitted"],
    "delete step": ["Draft", "Submitted"],
    "decide step": ["Submitted"],
  };
  const operations: Readonly<Record<string, (id: string, step: string) => ReturnType<typeof post>>> = {
    submit: (id) => post(id, "submit"),
    lock: (id) => post(id, "lock"),
    patch: (id) => server.api("PATCH", `/approvals/${id}`, { title: "Other" }),
    delete: (id) => server.api("DELETE", `/approvals/${id}`),
    "add step": (id) => server.api("POST", `/approvals/${id}/steps`, { name: "Late" }),
    "rename step": (id, step) => server.api("PATCH", `/approvals/${id}/steps/${step}`, { name: "Other" }),
    "delete step": (id, step) => server.api("DELETE", `/approvals/${id}/steps/${step}`),
    "decide step": (id, step) => decide(id, step, "APPROVED"),
  };
  for (const [name, run] of Object.entries(operations)) {
    test(`${name} works in ${allowed[name]?.join(" and ")} only`, async () => {
      for (const state of states) {
        const { id, steps } = await makeIn(state);
        const before = await read(id);
        const answer = await run(id, steps[0] ?? "");
        if (allowed[name]?.includes(state)) expect([state, answer.status < 300]).toEqual([state, true]);
        else {
          expect([state, ...refusal(answer)]).toEqual([state, ...conflict]);
          expect(await read(id)).toEqual(before);
        }
      }
    });
  }

  test("what the steps make of an approval", () => {
    type Status = "PENDING" | "APPROVED" | "REJECTED";
    const steps = (...statuses: Status[]) => statuses.map((status) => ({ status }));
    const after = (...statuses: Status[]) => stateAfter({ state: "Submitted" }, steps(...statuses));
    expect(after()).toBe("Submitted");
    expect(after("APPROVED", "PENDING")).toBe("Submitted");
    expect(after("APPROVED", "APPROVED")).toBe("Approved");
    expect(after("PENDING", "REJECTED", "APPROVED")).toBe("Rejected");
    for (const state of ["Draft", "Approved", "Rejected", "Locked"] as const) {
      expect(stateAfter({ state }, steps("REJECTED"))).toBe(state);
    }
    expect(OPEN).toEqual(["Draft", "Submitted"]);
  });

  test("an approval goes from Draft to Locked, and says when it was locked", async () => {
    const { id, steps } = await make("Board", "Counsel");
    const submitted = await post(id, "submit");
    expect([submitted.status, submitted.json.data.state]).toEqual([200, "Submitted"]);
    await decide(id, steps[1], "APPROVED");
    expect((await read(id)).state).toBe("Submitted");
    await decide(id, steps[0], "APPROVED");
    expect(await read(id)).toMatchObject({ state: "Approved", lockedAt: null });
    const locked = await post(id, "lock");
    expect([locked.status, locked.json.data.state]).toEqual([200, "Locked"]);
    expect(locked.json.data.lockedAt).toBe(locked.json.data.updatedAt);
    expect(locked.json).toEqual((await server.api("GET", `/approvals/${id}`)).json);
  });

  test("an approval submitted without steps waits until one is added and decided", async () => {
    const { id } = await make();
    await post(id, "submit");
    expect((await read(id)).state).toBe("Submitted");
    const step = (await server.api("POST", `/approvals/${id}/steps`, { name: "Board" })).json.data;
    await decide(id, step.id, "APPROVED");
    expect((await read(id)).state).toBe("Approved");
  });

  test("viewers move nothing, and other organizations see nothing", async () => {
    const { id, steps } = await makeIn("Submitted");
    const foreign = { orgId: await server.newOrganization() };
    const writes = [
      ["POST", `/approvals/${id}/submit`],
      ["POST", `/approvals/${id}/lock`],
      ["POST", `/approvals/${id}/steps`, { name: "x" }],
      ["PATCH", `/approvals/${id}/steps/${steps[0]}`, { status: "APPROVED" }],
      ["DELETE", `/approvals/${id}/steps/${steps[0]}`],
    ] as const;
    for (const [method, path, body] of writes) {
      expect((await server.api(method, path, body, { role: "VIEWER" })).status).toBe(403);
      expect((await server.api(method, path, body, foreign)).status).toBe(404);
    }
    for (const path of [`/approvals/${id}/steps`, `/approvals/${id}/steps/${steps[0]}`]) {
      expect((await server.api("GET", path, undefined, { role: "VIEWER" })).status).toBe(200);
      expect((await server.api("GET", path, undefined, foreign)).status).toBe(404);
    }
  });
});

describe("steps", () => {
  test("a step is added at the end, once for its key, and can be read by itself and in the list", async () => {
    const { id } = await make("Board");
    const options = { headers: { "idempotency-key": "step" } };
    const added = await server.api("POST", `/approvals/${id}/steps`, { name: "Counsel" }, options);
    const step = added.json.data;
    expect([added.status, step.order]).toEqual([201, 2]);
    expect(added.headers.get("location")).toBe(`/api/v1/approvals/${id}/steps/${step.id}`);
    const again = await server.api("POST", `/approvals/${id}/steps`, { name: "Counsel" }, options);
    expect(again.text).toBe(added.text);
    const { warnings, ...kept } = step;
    expect(warnings).toEqual([]);
    expect((await server.api("GET", `/approvals/${id}/steps/${step.id}`)).json.data).toEqual(kept);
    const listed = await server.api("GET", `/approvals/${id}/steps`);
    expect(listed.json).toEqual({ data: (await read(id)).steps, nextCursor: null });
    expect(listed.json.data).toHaveLength(2);
  });

  test("bodies: a decision with a comment, or a name, and nothing else", async () => {
    const { id, steps } = await makeIn("Submitted");
    const path = `/approvals/${id}/steps/${steps[0]}`;
    const refused: readonly (readonly [body: unknown, pointer: string])[] = [
      [{ status: "APPROVED", name: "x" }, "#/name"],
      [{ comment: "x" }, "#/comment"],
      [{ name: "x", comment: "y" }, "#/comment"],
      [{ status: "PENDING" }, "#/status"],
      [{ status: null }, "#/status"],
      [{ name: "n".repeat(101) }, "#/name"],
      [{ name: "" }, "#/name"],
      [{ status: "APPROVED", comment: "c".repeat(2001) }, "#/comment"],
      [{ order: 2 }, "#/order"],
    ];
    for (const [body, pointer] of refused) {
      expect(refusal(await server.api("PATCH", path, body))).toEqual([422, "validation-failed", pointer]);
    }
    for (const name of ["", "n".repeat(101), 7]) {
      const answer = await server.api("POST", `/approvals/${id}/steps`, { name });
      expect(refusal(answer)).toEqual([422, "validation-failed", "#/name"]);
    }
    expect((await server.api("PATCH", path, { name: "n".repeat(100) })).json.data.name).toBe("n".repeat(100));
    expect((await server.api("PATCH", path, {})).status).toBe(200);
    const decided = await server.api("PATCH", path, { status: "REJECTED", comment: "c".repeat(2000) });
    expect(decided.json.data).toMatchObject({ status: "REJECTED", comment: "c".repeat(2000) });
    expect(decided.json.data.decidedAt).toBeString();
  });

  test("a decision keeps who made it: a key by its name, a person by the name then", async () => {
    const { id, steps } = await make("Board", "Counsel");
    await post(id, "submit");
    expect((await read(id)).steps[0].decidedBy).toBeNull();
    const [key] = (await server.api("GET", "/api-keys")).json.items.filter(({ role }: Named) => role === "ADMIN");
    const byKey = { actor: "api-key", accountId: null, apiKeyId: key.id, name: key.name };
    const decided = (await decide(id, steps[0], "APPROVED")).json.data;
    expect(decided.decidedBy).toEqual(byKey);
    const person = await signedIn(server, { role: "EDITOR", name: "Grace Hopper" });
    const path = `/approvals/${id}/steps/${steps[1]}`;
    expect((await person.api("PATCH", path, { status: "REJECTED" })).status).toBe(200);
    const { accountId } = person;
    const byPerson = { actor: "person", accountId, apiKeyId: null, name: "Grace Hopper" };
    expect((await read(id)).steps.map(({ decidedBy }: Named) => decidedBy)).toEqual([byKey, byPerson]);
    const [logged] = (await server.api("GET", `/audit-log?resourceId=${steps[1]}&accountId=${accountId}`)).json.items;
    expect(logged).toMatchObject({
      actor: "person",
      accountId,
      actorName: "Grace Hopper",
      resourceType: "approval step",
    });
    expect(JSON.parse(logged.after.decidedBy)).toEqual(byPerson);
    const { items } = (await server.api("GET", `/audit-log?accountId=${accountId}&actor=api-key`)).json;
    expect(items).toEqual([]);
  });

  test("a decision is final", async () => {
    const { id, steps } = await make("Board", "Counsel");
    await post(id, "submit");
    await decide(id, steps[0], "APPROVED");
    expect(refusal(await decide(id, steps[0], "REJECTED"))).toEqual(conflict);
    const path = `/approvals/${id}/steps/${steps[0]}`;
    expect(refusal(await server.api("PATCH", path, { name: "x" }))).toEqual(conflict);
    expect(refusal(await server.api("DELETE", path))).toEqual(conflict);
  });

  test("a deleted step leaves no gap, and can leave all that remain approved", async () => {
    const { id, steps } = await make("A", "B", "C");
    await post(id, "submit");
    expect((await server.api("DELETE", `/approvals/${id}/steps/${steps[1]}`)).status).toBe(204);
    const left = (await read(id)).steps.map((step: { name: string; order: number }) => [step.name, step.order]);
    expect(left).toEqual([
      ["A", 1],
      ["C", 2],
    ]);
    await decide(id, steps[0], "APPROVED");
    await server.api("DELETE", `/approvals/${id}/steps/${steps[2]}`);
    expect(await read(id)).toMatchObject({ state: "Approved", steps: [{ name: "A" }] });
  });

  test("a step of another approval, a deleted one and the steps of a deleted approval are 404", async () => {
    const [one, two] = [await make("A"), await make("B")];
    expect((await server.api("GET", `/approvals/${one.id}/steps/${two.steps[0]}`)).status).toBe(404);
    await server.api("DELETE", `/approvals/${two.id}/steps/${two.steps[0]}`);
    expect((await decide(two.id, two.steps[0], "APPROVED")).status).toBe(404);
    await server.api("DELETE", `/approvals/${one.id}`);
    expect((await server.api("GET", `/approvals/${one.id}/steps/${one.steps[0]}`)).status).toBe(404);
    expect((await server.api("GET", `/approvals/${one.id}/steps`)).status).toBe(404);
  });
});

test("whatever is done to the steps, their orders run from 1 without gaps and the state follows from them", async () => {
  const action = fc.record({
    verb: fc.constantFrom("add", "approve", "reject", "delete"),
    place: fc.nat({ max: 4 }),
    isSubmitted: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
      const { id } = await make("A", "B");
      for (const { verb, place, isSubmitted } of actions) {
        if (isSubmitted) await post(id, "submit");
        const stepId = (await read(id)).steps[place]?.id;
        if (verb === "add") await server.api("POST", `/approvals/${id}/steps`, { name: "More" });
        else if (verb === "delete") await server.api("DELETE", `/approvals/${id}/steps/${stepId}`);
        else await decide(id, stepId, verb === "approve" ? "APPROVED" : "REJECTED");
        const { state, steps } = await read(id);
        const statuses: string[] = steps.map((step: { status: string }) => step.status);
        expect(steps.map((step: { order: number }) => step.order)).toEqual(statuses.map((_, i) => i + 1));
        expect(state === "Rejected").toBe(statuses.includes("REJECTED"));
        if (state === "Draft") expect(new Set([...statuses, "PENDING"]).size).toBe(1);
        if (state === "Approved") expect([...new Set(statuses)]).toEqual(["APPROVED"]);
        if (state === "Submitted") expect(statuses.length === 0 || statuses.includes("PENDING")).toBe(true);
      }
    }),
    { numRuns: RELEASE ? 200 : 2 },
  );
});

describe("securities that wait for an approval", () => {
  test("are released by the lock and no sooner, their background work with them, and those of no other approval", async () => {
    const [approval, other] = [await makeIn("Approved"), await makeIn("Approved")];
    const stakeholderId = await makeStakeholder(server);
    const stockClassId = await makeShareClass(server);
    const waiting = async (approvalId: string): Promise<string> => {
      const rest = { type: "STOCK", quantity: "10", grantDate: "2026-01-15", certificateId: `GATED-${approvalId}` };
      const made = await server.api("POST", "/securities", { ...rest, stakeholderId, stockClassId, approvalId });
      return made.json.id;
    };
    const [own, strange] = [await waiting(approval.id), await waiting(other.id)];
    const status = async (id: string): Promise<string> => {
      const { tokenStatus } = (await server.api("GET", `/securities/${id}`)).json;
      return tokenStatus === "MINTED" ? "PENDING" : tokenStatus; // the background work may be that quick
    };
    const work = (id: string) =>
      server.app.reader.sqlite
        .prepare("select kind from outbox where securityId = ? and kind = 'mirror-securities'")
        .all(id);
    expect([await status(own), work(own)]).toEqual(["PENDING_APPROVAL", []]);
    await post(approval.id, "lock");
    expect([await status(own), work(own)]).toEqual(["PENDING", [{ kind: "mirror-securities" }]]);
    expect([await status(strange), work(strange)]).toEqual(["PENDING_APPROVAL", []]);
  });

  test("keep the approval that they name from being deleted", async () => {
    const { id } = await make();
    const given = { stakeholderId: await makeStakeholder(server), stockClassId: await makeShareClass(server) };
    const security = await issueShares(server, given);
    const call = commandLineCall(systemRuntime, server.orgId);
    await server.app.writer.submit((tx) => changeLogged(tx, call, "securities", security, { approvalId: id }));
    expect(refusal(await server.api("DELETE", `/approvals/${id}`))).toEqual([409, "in-use"]);
  });
});
