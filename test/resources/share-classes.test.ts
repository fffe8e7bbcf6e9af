import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { refusal } from "./support.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const common = {
  name: "Common",
  classType: "COMMON",
  defaultIdPrefix: "CS-",
  initialSharesAuthorized: "1000",
  votesPerShare: "1",
  seniority: 1,
};

test("what only a preferred class may have is a fault of the body, found before what it names is looked for", async () => {
  const given = { ...common, liquidationPreferenceMultiple: "1", sourceDocumentId: crypto.randomUUID() };
  const answer = await server.api("POST", "/share-classes", given);
  expect(refusal(answer)).toEqual([422, "validation-failed", "#/liquidationPreferenceMultiple"]);
  const preferred = await server.api("POST", "/share-classes", { ...given, classType: "PREFERRED" });
  expect(refusal(preferred)).toEqual([404, "not-found"]);
});

test("a preferred class becomes common only without what common ones may not have", async () => {
  const given = { ...common, classType: "PREFERRED", participationCapMultiple: "2", isParticipating: true };
  const { id } = (await server.api("POST", "/share-classes", given)).json;
  const path = `/share-classes/${id}`;
  const kept = await server.api("PATCH", path, { classType: "COMMON" });
  expect(refusal(kept).slice(0, 2)).toEqual([422, "validation-failed"]);
  const cleared = { classType: "COMMON", participationCapMultiple: null, isParticipating: false };
  expect((await server.api("PATCH", path, cleared)).json).toMatchObject(cleared);
  const late = await server.api("PATCH", path, { isParticipating: true });
  expect(refusal(late)).toEqual([422, "validation-failed", "#/isParticipating"]);
});

test("a conversion price is null or positive, as an adjustment of it is", async () => {
  const right = { stockClassId: null, ratio: { numerator: "1", denominator: "1" } };
  const given = { ...common, classType: "PREFERRED", conversionRights: [{ ...right, conversionPrice: "0" }] };
  const at = "#/conversionRights/0/conversionPrice";
  expect(refusal(await server.api("POST", "/share-classes", given))).toEqual([422, "validation-failed", at]);
  const { id } = (await server.api("POST", "/share-classes", { ...given, conversionRights: [right] })).json;
  const { conversionRights } = given;
  const patched = await server.api("PATCH", `/share-classes/${id}`, { conversionRights });
  expect(refusal(patched)).toEqual([422, "validation-failed", at]);
});

test("what of a round adjusts a conversion price is said of preferred classes, null until then", async () => {
  const refused = await server.api("POST", "/share-classes", { ...common, antiDilutionCounts: "CONVERSIONS" });
  expect(refusal(refused)).toEqual([422, "validation-failed", "#/antiDilutionCounts"]);
  const preferred = { ...common, name: "Seed", classType: "PREFERRED", antiDilution: "BROAD_BASED" };
  const { id, antiDilutionCounts } = (await server.api("POST", "/share-classes", preferred)).json;
  expect(antiDilutionCounts).toBeNull();
  const path = `/share-classes/${id}`;
  for (const said of ["NEW_MONEY_ONLY", "CONVERSIONS", null]) {
    expect((await server.api("PATCH", path, { antiDilutionCounts: said })).json.antiDilutionCounts).toBe(said);
  }
  const wrong = await server.api("PATCH", path, { antiDilutionCounts: "ALL" });
  expect(refusal(wrong)).toEqual([422, "validation-failed", "#/antiDilutionCounts"]);
});
