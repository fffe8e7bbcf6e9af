// A problem names all that is wrong with a body at once, so that a client mends it in one go: each member by itself,
// and rules between members.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../kit/service.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const pointersOf = async (method: string, path: string, body: object): Promise<string[]> => {
  const answer = await server.api(method, path, body, { headers: { "idempotency-key": "not visible" } });
  expect(answer.status).toBe(422);
  return answer.json.errors.map(({ pointer, header }: Record<string, string>) => pointer ?? header).sort();
};

const STAKEHOLDER = { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" };
const CLASS = {
  name: "Common",
  classType: "COMMON",
  defaultIdPrefix: "CS-",
  initialSharesAuthorized: "10",
  votesPerShare: "1",
  seniority: 1,
};
const SECURITY = { stakeholderId: "a", certificateId: "CS-1", quantity: "1", grantDate: "2026-01-01" };
const CONDITION = { id: "a", trigger: { type: "EVENT_BASED" }, portion: { numerator: 1, denominator: 1 } };
const TERMS = { name: "Terms", description: "All at once", vestingConditions: [CONDITION] };
const SCHEDULE = { totalMonths: 48, cliffMonths: 12, cliffPercent: 25, vestingFrequency: "MONTHLY" };

const KEY = "Idempotency-Key";
const CASES: readonly (readonly [path: string, body: object, wrong: readonly string[]])[] = [
  ["/stakeholders", { ...STAKEHOLDER, type: 7, walletAddress: "0x12" }, ["#/type", "#/walletAddress", KEY]],
  ["/stakeholders", { ...STAKEHOLDER, walletAddress: 12 }, ["#/walletAddress", KEY]],
  [
    "/share-classes",
    { ...CLASS, name: "", isParticipating: true, participationCapMultiple: "2" },
    ["#/isParticipating", "#/name", "#/participationCapMultiple", KEY],
  ],
  ["/share-classes", { ...CLASS, classType: "OTHER", isParticipating: true }, ["#/classType", KEY]],
  [
    "/share-classes",
    { ...CLASS, isParticipating: 3, participationCapMultiple: "2" },
    ["#/isParticipating", "#/participationCapMultiple", KEY],
  ],
  ["/securities", { ...SECURITY, type: "STOCK", quantity: "0" }, ["#/quantity", "#/stockClassId", KEY]],
  [
    "/securities",
    { ...SECURITY, type: "STOCK_OPTION", optionType: "X", grantDate: "2026-02-30" },
    ["#/grantDate", "#/optionType", "#/stockPlanId", KEY],
  ],
  ["/securities", { ...SECURITY, quantity: "1" }, ["#/type", KEY]],
  ["/documents", { relatedObjects: {} }, ["#/path", "#/relatedObjects", KEY]],
  ["/documents", { path: 7, uri: "https://example.com/a" }, ["#/path", KEY]],
  ["/documents", { path: "a.pdf", uri: "https://example.com/a", md5: 1 }, ["#/md5", "#/uri", KEY]],
  ["/vesting-milestones", { name: "", quantity: "5" }, ["#/name", "#/securityId", KEY]],
  [
    "/vesting-terms",
    { ...TERMS, name: "", schedule: SCHEDULE, totalVestingMonths: 36, cliffMonths: -1 },
    ["#/cliffMonths", "#/name", KEY],
  ],
  [
    "/vesting-terms",
    { ...TERMS, name: "", schedule: SCHEDULE, totalVestingMonths: 36, vestingConditions: [CONDITION, CONDITION] },
    ["#/name", "#/totalVestingMonths", "#/vestingConditions/1/id", "#/vestingConditions/1/portion", KEY],
  ],
];

describe("a refused body is told at once", () => {
  for (const [path, body, wrong] of CASES) {
    test(`${path}: ${wrong.join(", ")}`, async () => {
      expect(await pointersOf("POST", path, body)).toEqual([...wrong].sort());
    });
  }

  test("PATCH of an approval's step: a comment without a decision, beside a wrong name", async () => {
    const given = { title: "Grant", entityType: "Stock Issuance", steps: [{ name: "Board" }] };
    const approval = await server.api("POST", "/approvals", given);
    const { id, steps } = approval.json.data;
    const path = `/approvals/${id}/steps/${steps[0].id}`;
    expect(await pointersOf("PATCH", path, { comment: "Yes", nothing: 1 })).toEqual(["#/comment", "#/nothing"]);
  });

  test("a body that is no object has that one fault", async () => {
    expect(await pointersOf("POST", "/documents", [])).toEqual(["#", KEY]);
  });
});
