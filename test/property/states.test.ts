// The state machines of records, every state against every event. The tables are written by hand: an event and the
// state that follows it, or the status with which it is refused.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { commandLineCall } from "../../src/kernel/call.ts";
import { changeLogged } from "../../src/storage/database/log/logged.ts";
import type { TokenizationStatus } from "../../src/storage/database/schema.ts";
import { TestCompany } from "../fuzz/company.ts";
import { Service } from "../kit/in-process.ts";
import type { Answer } from "../kit/service.ts";

let service: Service;
let company: TestCompany;

beforeAll(async () => {
  service = await Service.start(1);
  company = await TestCompany.create(service);
});
afterAll(async () => {
  expect(service.differences()).toEqual([]);
  expect(service.failures).toEqual([]);
  await service.stop();
});

async function done(method: string, path: string, body?: unknown): Promise<Answer["json"]> {
  const { status, text, json } = await company.api(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return json.data ?? json;
}

/** What comes of an event: the state after it, `gone`, or the status of the refusal, which changes nothing. */
type Expected = string | number;

async function expectOutcome(answer: Answer, path: string, member: string, before: string, expected: Expected) {
  const { status, json } = await company.api("GET", path);
  const after = status === 404 ? "gone" : (json.data ?? json)[member];
  if (typeof expected === "number") {
    expect({ status: answer.status, text: answer.text, after }).toEqual({
      status: expected,
      text: expect.stringContaining("/problems/invalid-state"),
      after: before,
    });
  } else {
    expect({ isDone: answer.status < 300, text: answer.text, after }).toEqual({
      isDone: true,
      text: expect.any(String),
      after: expected,
    });
  }
}

describe("an approval", () => {
  type State = "Draft" | "Submitted" | "Approved" | "Rejected" | "Locked";
  /** Each is made with one step that is PENDING where that can be; `Approved` and `Locked` have none. */
  const STATES: readonly State[] = ["Draft", "Submitted", "Approved", "Rejected", "Locked"];

  // What was submitted is decided as it stands: only a draft changes; `Rejected` and `Locked` are final.
  const TABLE: Readonly<Record<string, readonly [Expected, Expected, Expected, Expected, Expected]>> = {
    patch: ["Draft", 409, 409, 409, 409],
    delete: ["gone", 409, 409, 409, 409],
    submit: ["Submitted", 409, 409, 409, 409],
    lock: [409, 409, "Locked", 409, 409],
    "add a step": ["Draft", "Submitted", 409, 409, 409],
    "approve the step": [409, "Approved", 409, 409, 409],
    "reject the step": [409, "Rejected", 409, 409, 409],
    "rename the step": ["Draft", "Submitted", 409, 409, 409],
    "delete the step": ["Draft", "Submitted", 409, 409, 409],
  };

  async function make(state: State): Promise<{ path: string; stepPath: string }> {
    const steps = [{ name: "Board" }, ...(state === "Rejected" ? [{ name: "Counsel" }] : [])];
    const { id } = await done("POST", "/approvals", { title: state, entityType: "Other", steps });
    const path = `/approvals/${id}`;
    const [first, second] = await done("GET", `${path}/steps`);
    if (state !== "Draft") await done("POST", `${path}/submit`);
    const status = state === "Rejected" ? "REJECTED" : "APPROVED";
    if (!["Draft", "Submitted"].includes(state)) await done("PATCH", `${path}/steps/${first.id}`, { status });
    if (state === "Locked") await done("POST", `${path}/lock`);
    expect((await done("GET", path)).state).toBe(state);
    return { path, stepPath: `${path}/steps/${(second ?? first).id}` };
  }

  const EVENTS: Readonly<Record<string, (path: string, stepPath: string) => Promise<Answer>>> = {
    patch: (path) => company.api("PATCH", path, { title: "New" }),
    delete: (path) => company.api("DELETE", path),
    submit: (path) => company.api("POST", `${path}/submit`),
    lock: (path) => company.api("POST", `${path}/lock`),
    "add a step": (path) => company.api("POST", `${path}/steps`, { name: "More" }),
    "approve the step": (_, stepPath) => company.api("PATCH", stepPath, { status: "APPROVED" }),
    "reject the step": (_, stepPath) => company.api("PATCH", stepPath, { status: "REJECTED", comment: "No" }),
    "rename the step": (_, stepPath) => company.api("PATCH", stepPath, { name: "Another" }),
    "delete the step": (_, stepPath) => company.api("DELETE", stepPath),
  };

  test.each(
    STATES.flatMap((state, place) =>
      Object.keys(EVENTS).map((event) => [state, event, TABLE[event]?.[place]] as const),
    ),
  )("that is %s: %s → %p", async (state, event, expected) => {
    const { path, stepPath } = await make(state);
    const answer = await EVENTS[event]?.(path, stepPath);
    if (!answer || expected === undefined) throw new Error(`${event} is not in the table`);
    await expectOutcome(answer, path, "state", state, expected);
  });

  test("becomes Approved when what was left to decide is deleted", async () => {
    const { id } = await done("POST", "/approvals", {
      title: "Two",
      entityType: "Other",
      steps: [{ name: "A" }, { name: "B" }],
    });
    await done("POST", `/approvals/${id}/submit`);
    const [first, second] = await done("GET", `/approvals/${id}/steps`);
    await done("PATCH", `/approvals/${id}/steps/${first.id}`, { status: "APPROVED" });
    expect((await done("GET", `/approvals/${id}`)).state).toBe("Submitted");
    expect((await company.api("DELETE", `/approvals/${id}/steps/${second.id}`)).status).toBe(204);
    expect((await done("GET", `/approvals/${id}`)).state).toBe("Approved");
  });
});

describe("a vesting milestone", () => {
  const TABLE: readonly (readonly [state: string, event: string, Expected])[] = [
    ["PENDING", "patch", "PENDING"],
    ["PENDING", "complete", "COMPLETED"],
    ["PENDING", "delete", "gone"],
    ["COMPLETED", "patch", 409],
    ["COMPLETED", "complete", 409],
    ["COMPLETED", "delete", "gone"],
  ];

  test.each(TABLE)("that is %s: %s → %p", async (state, event, expected) => {
    const { id } = await done("POST", "/vesting-milestones", { name: "First customer" });
    const path = `/vesting-milestones/${id}`;
    if (state === "COMPLETED") await done("POST", `${path}/complete`);
    const [method, at, body] = {
      patch: ["PATCH", path, { name: "New" }],
      complete: ["POST", `${path}/complete`],
      delete: ["DELETE", path],
    }[event] as [string, string, unknown];
    await expectOutcome(await company.api(method, at, body), path, "status", state, expected);
  });
});

/** Every pair of the given states. */
function pairsOf(states: readonly string[]): (readonly [string, string])[] {
  return states.flatMap((from) => states.map((to) => [from, to] as const));
}

describe("a valuation may be given any status from any", () => {
  test.each(pairsOf(["DRAFT", "PENDING_APPROVAL", "APPROVED", "EXPIRED"]))("%s → %s", async (from, to) => {
    const stockClassId = company.ids.get("share-classes")?.[0];
    const body = { type: "409A", stockClassId, pricePerShare: "1", effectiveDate: "2026-01-01", status: from };
    const { id, status } = await done("POST", "/valuations", body);
    expect(status).toBe(from);
    expect((await done("PATCH", `/valuations/${id}`, { status: to })).status).toBe(to);
    expect((await company.api("DELETE", `/valuations/${id}`)).status).toBe(204);
  });
});

describe("a corporate action may be given any status from any", () => {
  test.each(pairsOf(["Draft", "In Review", "Approved", "Finalized"]))("%s → %s", async (from, to) => {
    const body = { type: "Termination", title: "End", effectiveDate: "2026-01-01", status: from };
    const { id, status } = await done("POST", "/corporate-actions", body);
    expect(status).toBe(from);
    expect((await done("PATCH", `/corporate-actions/${id}`, { status: to })).status).toBe(to);
    expect((await company.api("DELETE", `/corporate-actions/${id}`)).status).toBe(204);
  });
});

describe("a security", () => {
  const STATUSES = ["ACTIVE", "CANCELLED", "EXERCISED", "CONVERTED", "REPURCHASED", "TRANSFERRED"];
  let certificates = 0;

  async function make(
    type: "STOCK" | "STOCK_OPTION",
    status: string,
  ): Promise<{ id: string; body: Record<string, unknown> }> {
    const [stakeholderId, toStakeholderId] = company.ids.get("stakeholders") ?? [];
    const [stockClassId, other] = company.ids.get("share-classes") ?? [];
    const grant =
      type === "STOCK"
        ? { stockClassId }
        : {
            stockPlanId: company.ids.get("equity-plans")?.[0],
            optionType: "NSO",
            exercisePrice: "1",
            vestingTermsId: company.ids.get("vesting-terms")?.[1],
          };
    const certificateId = `STATE-${++certificates}`;
    const { id } = await done("POST", "/securities", {
      type,
      status,
      stakeholderId,
      certificateId,
      quantity: "4",
      grantDate: "2024-01-01",
      ...grant,
    });
    return {
      id,
      body: { securityId: id, effectiveDate: "2026-06-15", stakeholderId, toStakeholderId, stockClassId: other },
    };
  }

  test.each(pairsOf(STATUSES))("that is %s may be set to %s by a direct edit", async (from, to) => {
    const { id } = await make("STOCK", from);
    const patched = await done("PATCH", `/securities/${id}`, { status: to });
    expect({ status: patched.status, quantity: patched.quantity }).toEqual({ status: to, quantity: "4" });
    await done("PATCH", `/securities/${id}`, { quantity: "1" });
    expect((await company.api("DELETE", `/securities/${id}`)).status).toBe(204);
  });

  type Made = Awaited<ReturnType<typeof make>>["body"];
  const OPERATIONS: readonly (readonly [
    route: string,
    type: "STOCK" | "STOCK_OPTION",
    after: string,
    body: (made: Made) => unknown,
  ])[] = [
    [
      "transfer",
      "STOCK",
      "TRANSFERRED",
      ({ securityId, effectiveDate, stakeholderId, toStakeholderId }) => ({
        securityId,
        effectiveDate,
        fromStakeholderId: stakeholderId,
        toStakeholderId,
        quantity: "4",
      }),
    ],
    [
      "cancel",
      "STOCK",
      "CANCELLED",
      ({ securityId, effectiveDate }) => ({
        securityId,
        effectiveDate,
        quantity: "4",
        cancellationReason: "FORFEITURE",
      }),
    ],
    [
      "convert",
      "STOCK",
      "CONVERTED",
      ({ securityId, effectiveDate, stockClassId }) => ({
        securityId,
        effectiveDate,
        stockClassId,
        resultingQuantity: "2",
      }),
    ],
    [
      "repurchase",
      "STOCK",
      "REPURCHASED",
      ({ securityId, effectiveDate }) => ({ securityId, effectiveDate, quantity: "4", pricePerShare: "1" }),
    ],
    [
      "retract",
      "STOCK",
      "CANCELLED",
      ({ securityId, effectiveDate }) => ({ securityId, effectiveDate, reason: "Error" }),
    ],
    [
      "exercise",
      "STOCK_OPTION",
      "EXERCISED",
      ({ securityId, effectiveDate }) => ({
        securityId,
        effectiveDate,
        quantity: "4",
        exercisePrice: "1",
        earlyExercise: true,
      }),
    ],
    [
      "cancel",
      "STOCK_OPTION",
      "CANCELLED",
      ({ securityId, effectiveDate }) => ({
        securityId,
        effectiveDate,
        quantity: "4",
        cancellationReason: "TERMINATION",
        returnToPool: true,
      }),
    ],
    ["start-vesting", "STOCK_OPTION", "ACTIVE", ({ securityId, effectiveDate }) => ({ securityId, effectiveDate })],
    [
      "accelerate-vesting",
      "STOCK_OPTION",
      "ACTIVE",
      ({ securityId, effectiveDate }) => ({ securityId, effectiveDate, quantity: "1", reason: "Sale" }),
    ],
    [
      "record-vesting-event",
      "STOCK_OPTION",
      "ACTIVE",
      ({ securityId, effectiveDate }) => ({ securityId, effectiveDate, conditionId: "sale" }),
    ],
  ];

  test.each(
    OPERATIONS.flatMap(([route, type, after, body]) =>
      STATUSES.map((status) => [type, status, route, status === "ACTIVE" ? after : 409, body] as const),
    ),
  )("%s that is %s: %s → %p", async (type, status, route, expected, body) => {
    const made = await make(type, status);
    const answer = await company.api("POST", `/transactions/${route}`, body(made.body));
    await expectOutcome(answer, `/securities/${made.id}`, "status", status, expected);
  });
});

describe("a share class's tokenization, from outside", () => {
  // What the background work does with each is tried in test/jobs.
  const TABLE: readonly (readonly [state: TokenizationStatus, event: string, Expected])[] = [
    ["NOT_STARTED", "retokenize", 409],
    ["PENDING", "retokenize", 409],
    ["FAILED", "retokenize", "PENDING"],
    ["DEPLOYED", "retokenize", "DEPLOYED"],
    ["NOT_STARTED", "patch", "NOT_STARTED"],
    ["PENDING", "patch", "PENDING"],
    ["FAILED", "patch", "FAILED"],
    ["DEPLOYED", "patch", "DEPLOYED"],
  ];

  test.each(TABLE)("%s: %s → %p", async (state, event, expected) => {
    const body = {
      name: "Token",
      classType: "COMMON",
      defaultIdPrefix: "T-",
      initialSharesAuthorized: "1",
      votesPerShare: "1",
      seniority: 1,
    };
    const made = await done("POST", "/share-classes", body);
    expect(made.tokenizationStatus).toBe("NOT_STARTED");
    const call = commandLineCall(service.runtime, company.orgId);
    const set = { tokenizationStatus: state } as const;
    await service.writer.submit((tx) => changeLogged(tx, call, "share_classes", made.id, set));
    const path = `/share-classes/${made.id}`;
    const answer =
      event === "patch"
        ? await company.api("PATCH", path, { name: "New" })
        : await company.api("POST", `${path}/retokenize`);
    await expectOutcome(answer, path, "tokenizationStatus", state, expected);
    const jobs = service.db.sqlite
      .prepare<[string], number>("select count(*) from outbox where stockClassId = ?")
      .pluck();
    const isEnqueued = event === "patch" || state === "FAILED";
    expect(jobs.get(made.id)).toBe(isEnqueued ? 2 : 1);
  });
});
