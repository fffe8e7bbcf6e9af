// What the registers work out without a browser: steps of vesting and of limits, descent, files, the chain of hashes.
import { describe, expect, test } from "bun:test";
import { csvText } from "../../src/kernel/files/csv.ts";
import { hashEntry } from "../../src/ledger/hash.ts";
import { limitSteps } from "../../src/web/pages/classes/limit-steps.ts";
import { preferenceOf } from "../../src/web/pages/classes/preference.ts";
import { hashOf } from "../../src/web/pages/ledger/hash.ts";
import { subjectOf } from "../../src/web/pages/ledger/subject.ts";
import { successorsOf } from "../../src/web/pages/security/descent.ts";
import { lessOf, nextStep, stepsOfVesting } from "../../src/web/parts/charts/vesting-points.ts";
import { csvName, csvRows } from "../../src/web/parts/tables/table-csv.ts";

describe("vesting", () => {
  const events = [
    { date: "2026-02-01", quantity: "0.5" },
    { date: "2026-01-01", quantity: "10" },
    { date: "2026-02-01", quantity: "9007199254740993" },
  ];
  test("is summed by day, exactly, in the order of days", () => {
    expect(stepsOfVesting(events)).toEqual([
      { date: "2026-01-01", quantity: "10", total: "10" },
      { date: "2026-02-01", quantity: "9007199254740993.5", total: "9007199254741003.5" },
    ]);
  });
  test("knows what comes next", () => {
    const steps = stepsOfVesting(events);
    expect([nextStep(steps, "2025-12-31"), nextStep(steps, "2026-01-01")].map((step) => step?.date)).toEqual([
      "2026-01-01",
      "2026-02-01",
    ]);
    expect(nextStep(steps, "2026-02-01")).toBeNull();
    expect([lessOf("10", "2.5"), lessOf("1", "2")]).toEqual(["7.5", "0"]);
  });
});

describe("limits", () => {
  const entry = (sequence: number, type: string, metadata: Record<string, unknown>) => {
    return { id: String(sequence), type, sequence, effectiveDate: "2026-01-01", metadata };
  };
  const entries = [
    entry(3, "STOCK_CLASS_ADJUSTMENT", { stockClassId: "c", newSharesAuthorized: "30" }),
    entry(2, "STOCK_SPLIT", { stockClassId: "c", numerator: 2, denominator: 1, equityPlanIds: ["p"] }),
    entry(4, "STOCK_CLASS_ADJUSTMENT", { stockClassId: "other", newSharesAuthorized: "1" }),
    entry(5, "STOCK_SPLIT", { stockClassId: "c", numerator: 3, denominator: 1, isStockOnly: true }),
    entry(6, "STOCK_PLAN_ADJUSTMENT", { equityPlanId: "p", newSharesReserved: "9" }),
  ];
  test("of a class change by its own entries and its splits", () => {
    const steps = limitSteps({ kind: "class", id: "c" }, entries);
    expect(steps.map(({ entry: { sequence }, limit, ratio }) => [sequence, limit, ratio?.numerator])).toEqual([
      [2, null, "2"],
      [3, "30", undefined],
    ]);
  });
  test("of a plan follow the splits that name it", () => {
    const steps = limitSteps({ kind: "plan", id: "p" }, entries);
    expect(steps.map(({ entry: { sequence } }) => sequence)).toEqual([2, 6]);
  });
});

test("a security's successors are those that entries about it made, each once", () => {
  const made = (sequence: number, securityId: string, metadata: Record<string, unknown> | null) => {
    return { sequence, securityId, metadata };
  };
  const entries = [
    made(9, "a", { resultingSecurityIds: ["d", "c"] }),
    made(2, "a", { newSecurityId: "b", balanceSecurityId: "c" }),
    made(3, "b", { newSecurityId: "x" }),
    made(4, "a", null),
  ];
  expect(successorsOf("a", entries)).toEqual(["b", "c", "d"]);
});

test("an entry is about its security, else its holder, class or plan", () => {
  const none = { securityId: null, stakeholderId: null };
  expect(subjectOf({ securityId: "s", stakeholderId: "h", metadata: null })).toBe("s");
  expect(subjectOf({ ...none, stakeholderId: "h", metadata: null })).toBe("h");
  expect(subjectOf({ ...none, metadata: { equityPlanId: "p" } })).toBe("p");
  expect(subjectOf({ ...none, metadata: { stockClassId: 7 } })).toBeNull();
});

test("a preference is told in words", () => {
  const preferred = { classType: "PREFERRED", liquidationPreferenceMultiple: "1.5" } as const;
  const told = [
    { ...preferred, isParticipating: false, participationCapMultiple: null },
    { ...preferred, isParticipating: true, participationCapMultiple: null },
    { ...preferred, isParticipating: true, participationCapMultiple: "3" },
  ].map(preferenceOf);
  expect(told).toEqual(["1.5×", "1.5×, participating", "1.5×, participating up to 3×"]);
});

test("a file has every digit, and no formula", () => {
  type Row = readonly [name: string, quantity: string, since: string];
  const columns = [
    { label: "Name", sortBy: ([name]: Row) => name },
    { label: "Quantity", isFigure: true, sortBy: ([, quantity]: Row) => quantity },
    { label: "Since", isDay: true, sortBy: ([, , since]: Row) => since },
    { label: "Number", sortBy: ([, , since]: Row) => since },
  ];
  const text = csvText(csvRows(columns, [["=1+1", "-45000.5", "2026-01-15"]]));
  expect(text).toBe("\ufeffName,Quantity,Since,Number\r\n'=1+1,-45000.5,2026-01-15,'2026-01-15\r\n");
  expect(csvName("ledger", "Acme Robotics, Inc.", "2026-01-15")).toBe("ledger-acme-robotics-inc-2026-01-15.csv");
});

test("an entry is hashed in browsers as the server hashes it", async () => {
  const entry = {
    ...{ id: "id-1", orgId: "org", sequence: 1, type: "STOCK_ISSUANCE", securityId: null },
    ...{ stakeholderId: "é", quantity: "1.5", effectiveDate: "2026-01-01", recordOnly: false },
    ...{ metadata: { b: 1, a: ["ü", { z: null, y: true }] } },
    ...{ createdAt: "2026-01-01T00:00:00.000Z", previousHash: "0".repeat(64) },
  };
  const hash = hashEntry(entry);
  expect(await hashOf({ ...entry, hash })).toBe(hash);
  expect(await hashOf({ ...entry, hash, quantity: "2" })).not.toBe(hash);
});
