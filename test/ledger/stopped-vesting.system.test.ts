// Where service ends, vesting ends: what stops, in whose hands, what goes on, what a waiver and a return do, and that each
// day shows what was so on it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import { readDocumentFile } from "../../src/views/reports/documents/read-pdf.ts";
import { runCommand } from "../kit/command.ts";
import { makeStakeholder } from "../kit/records.ts";
import {
  type Company,
  differences,
  done,
  foundCompany,
  type Given,
  get,
  lastEntries,
  makeTerms,
  option,
  outcome,
  run,
  stock,
} from "./support.ts";

/** 48 months, a 48th each. */
const MONTHLY = [
  {
    id: "monthly",
    trigger: { type: "TIME_BASED", periodType: "MONTHS", periodLength: 1, occurrences: 48 },
    portion: { numerator: 1, denominator: 48 },
  },
];
const LEFT = "2026-05-23";

let company: Company;
let vestingTermsId: string;
beforeAll(async () => {
  company = await foundCompany();
  vestingTermsId = await makeTerms(company.server, MONTHLY);
});
afterAll(async () => {
  expect(differences(company)).toEqual([]);
  await company.server.stop();
});

const leaver = () => makeStakeholder(company.server, { relationships: ["EMPLOYEE"] });
const leave = (stakeholderId: string, given: Given = {}): Promise<Record<string, unknown>> =>
  done(company, "terminate-service", { stakeholderId, effectiveDate: LEFT, ...given });
/** 4,800 shares from 2024-11-23 on. */
const shares = (stakeholderId: string, given: Given = {}) =>
  stock(company, { stakeholderId, vestingTermsId, quantity: "4800", effectiveDate: "2024-11-23", ...given });
const vesting = (id: string, asOf: string) => get(company, `/securities/${id}/vesting?asOf=${asOf}`);
const figures = async (id: string, asOf: string) => {
  const { vested, unvested, unscheduled, vestingStoppedOn } = await vesting(id, asOf);
  return `${vested} ${unvested} ${unscheduled} ${vestingStoppedOn}`;
};
const transfer = async (securityId: string, fromStakeholderId: string, given: Given = {}) => {
  const toStakeholderId = await makeStakeholder(company.server);
  const body = { securityId, fromStakeholderId, toStakeholderId, quantity: "2400", effectiveDate: LEFT, ...given };
  const { newSecurityId = "" } = await done(company, "transfer", body);
  return { newSecurityId, toStakeholderId };
};

describe("unvested stock", () => {
  test("stops on the day: 1,800 of 4,800 have vested for good", async () => {
    const stakeholderId = await leaver();
    const securityId = await shares(stakeholderId);
    const data = await leave(stakeholderId);
    const [entry] = await lastEntries(company, 2);
    expect(entry).toMatchObject({
      ...{ type: "VESTING_EVENT", securityId, quantity: null, effectiveDate: LEFT, stakeholderId },
      metadata: { vestingStopped: true },
    });
    expect(data).toMatchObject({
      cancelled: [],
      stopped: [{ transactionId: entry?.id, securityId, stakeholderId, quantity: "3000" }],
      repurchasable: [{ securityId, stakeholderId, quantity: "3000", pricePerShare: null }],
      warnings: [],
    });
    expect(await figures(securityId, "2026-05-22")).toBe("1700 3100 0 null");
    for (const day of [LEFT, "2026-11-23", "2028-11-23", "2040-01-01"]) {
      expect(await figures(securityId, day)).toBe("1800 3000 3000 2026-05-23");
    }
    const { parcels } = (await vesting(securityId, LEFT)) as { parcels: readonly Given[] };
    expect(parcels.filter(({ date }) => date === null)).toHaveLength(30);
    expect(parcels.every((each) => !("stopped" in each))).toBe(true);
  });

  test("is told in the record and in the position of each day", async () => {
    const stakeholderId = await leaver();
    const securityId = await shares(stakeholderId);
    expect(await get(company, `/securities/${securityId}`)).toMatchObject({ vestingStoppedOn: null });
    await leave(stakeholderId);
    expect(await get(company, `/securities/${securityId}`)).toMatchObject({ vestingStoppedOn: LEFT });
    const { items } = (await get(company, `/securities?stakeholderId=${stakeholderId}`)) as { items: Given[] };
    const [listed] = items ?? [];
    expect(listed === undefined ? LEFT : listed.vestingStoppedOn).toBe(LEFT);
    const on = async (day: string) => {
      const position = await get(company, `/stakeholders/${stakeholderId}/position?asOf=${day}`);
      const [held] = position.securities as Record<string, unknown>[];
      return [held?.vested, held?.unvested, held?.vestingStoppedOn];
    };
    expect(await on("2026-05-22")).toEqual(["1700", "3100", null]);
    expect(await on("2028-11-23")).toEqual(["1800", "3000", LEFT]);
  });

  test("goes on where the leaver is back: the next 100 on 2026-09-21, in place of 2026-06-23", async () => {
    const stakeholderId = await leaver();
    const securityId = await shares(stakeholderId);
    await leave(stakeholderId);
    expect(outcome(await run(company, "start-vesting", { securityId, effectiveDate: "2026-05-22" }))).toBe(
      "422 #/effectiveDate",
    );
    const started = (await get(company, `/securities/${securityId}`)).vestingStartDate;
    await done(company, "start-vesting", { securityId, effectiveDate: "2026-08-21" });
    expect(await figures(securityId, "2026-08-20")).toBe("1800 3000 3000 2026-05-23");
    expect(await figures(securityId, "2026-08-21")).toBe("1800 3000 0 null");
    expect(await figures(securityId, "2026-09-20")).toBe("1800 3000 0 null");
    expect(await figures(securityId, "2026-09-21")).toBe("1900 2900 0 null");
    expect(await get(company, `/securities/${securityId}`)).toMatchObject({
      ...{ vestingStoppedOn: null, vestingStartDate: started },
    });
    const again = await run(company, "start-vesting", { securityId, effectiveDate: "2026-08-22" });
    expect(outcome(again)).toBe("409 invalid-state");
  });

  test("vests by a waiver, and by nothing else", async () => {
    const stakeholderId = await leaver();
    const securityId = await shares(stakeholderId);
    await leave(stakeholderId);
    const on = { securityId, effectiveDate: "2026-06-01" };
    const others = [
      run(company, "record-vesting-event", { ...on, quantity: "1" }),
      run(company, "record-vesting-event", { ...on, conditionId: "monthly" }),
      run(company, "start-vesting", { ...on, conditionId: "monthly" }),
      company.server.api("PATCH", `/securities/${securityId}`, { vestingStartDate: "2025-01-01" }),
      company.server.api("PATCH", `/securities/${securityId}`, { vestingTermsId: null }),
    ];
    for (const each of await Promise.all(others)) expect(outcome(each)).toBe("409 invalid-state");
    await done(company, "accelerate-vesting", { ...on, quantity: "1000", reason: "Severance" });
    expect(await figures(securityId, "2026-06-01")).toBe("2800 2000 2000 2026-05-23");
    await done(company, "accelerate-vesting", { ...on, quantity: "2000", reason: "Severance" });
    expect(await figures(securityId, "2026-06-01")).toBe("4800 0 0 null");
    expect(await get(company, `/securities/${securityId}`)).toMatchObject({ vestingStoppedOn: null });
  });

  test("is not moved by other terms, whenever they are changed", async () => {
    const terms = await makeTerms(company.server, MONTHLY);
    const stakeholderId = await leaver();
    const securityId = await shares(stakeholderId, { vestingTermsId: terms });
    await leave(stakeholderId);
    const [condition] = MONTHLY;
    const vestingConditions = [{ ...condition, portion: { numerator: 1, denominator: 24 } }];
    await company.server.api("PATCH", `/vesting-terms/${terms}`, { vestingConditions });
    expect(await figures(securityId, "2028-11-23")).toBe("1800 3000 3000 2026-05-23");
  });

  test("takes a milestone reached meanwhile on the day of the return, and one reached later on its own", async () => {
    const stakeholderId = await leaver();
    const [first, second] = [await shares(stakeholderId), await shares(stakeholderId)];
    const milestone = async (securityId: string) => {
      const body = { name: "Launch", description: "It is out", securityId, quantity: "600", targetDate: "2027-01-01" };
      return (await company.server.api("POST", "/vesting-milestones", body)).json.id as string;
    };
    const [one, two] = [await milestone(first), await milestone(second)];
    await leave(stakeholderId, { effectiveDate: new Date().toISOString().slice(0, 10) });
    const today = new Date().toISOString().slice(0, 10);
    const vestedOn = async (id: string) => Number((await vesting(id, today)).vested);
    const before = await vestedOn(first);
    await company.server.api("POST", `/vesting-milestones/${one}/complete`, {});
    expect(await vestedOn(first)).toBe(before);
    for (const securityId of [first, second])
      await done(company, "start-vesting", { securityId, effectiveDate: today });
    expect([await vestedOn(first), await vestedOn(second)]).toEqual([before + 600, before]);
    await company.server.api("POST", `/vesting-milestones/${two}/complete`, {});
    expect(await vestedOn(second)).toBe(before + 600);
  });
});

describe("what was made of it", () => {
  test("stops with it, whatever its holder, and what is made of it later has stopped too", async () => {
    const stakeholderId = await leaver();
    const securityId = await shares(stakeholderId);
    const { newSecurityId: early, toStakeholderId: trust } = await transfer(securityId, stakeholderId, {
      effectiveDate: "2026-01-27",
    });
    const data = await leave(stakeholderId);
    expect(data.stopped).toMatchObject([
      { securityId, stakeholderId, quantity: "1500" },
      { securityId: early, stakeholderId: trust, quantity: "1500" },
    ]);
    const { newSecurityId: late } = await transfer(securityId, stakeholderId, {
      ...{ quantity: "1200", effectiveDate: "2026-06-01" },
    });
    for (const [id, expected] of [
      [securityId, "450 750 750 2026-05-23"],
      [early, "900 1500 1500 2026-05-23"],
      [late, "450 750 750 2026-05-23"],
    ] as const) {
      expect(await figures(id, "2028-11-23")).toBe(expected);
      expect(await get(company, `/securities/${id}`)).toMatchObject({ vestingStoppedOn: LEFT });
    }
    await done(company, "start-vesting", { securityId: late, effectiveDate: "2026-08-21" });
    expect(await figures(late, "2026-09-20")).toBe("450 750 0 null");
    expect(Number((await vesting(late, "2026-09-21")).vested)).toBe(475);
  });

  test("is multiplied by a split in between, and taken by its former days", async () => {
    const stockClassId = company.preferred;
    const stakeholderId = await leaver();
    const securityId = await shares(stakeholderId, { stockClassId });
    await leave(stakeholderId);
    const split = { stockClassId, numerator: 2, denominator: 1, effectiveDate: "2026-06-15" };
    await done(company, "split", split);
    expect(await figures(securityId, "2026-06-14")).toBe("1800 3000 3000 2026-05-23");
    expect(await figures(securityId, "2026-06-15")).toBe("3600 6000 6000 2026-05-23");
    await done(company, "repurchase", {
      ...{ securityId, quantity: "5000", pricePerShare: "0.01", effectiveDate: "2026-07-01" },
    });
    await done(company, "start-vesting", { securityId, effectiveDate: "2026-08-21" });
    expect(await figures(securityId, "2026-09-20")).toBe("3600 1000 0 null");
    expect((await vesting(securityId, "2026-09-21")).vested).toBe("3800");
    expect((await vesting(securityId, "2027-02-01")).vested).toBe("4600");
  });

  test("of options: the trust's part is cancelled too, with its holder", async () => {
    const stakeholderId = await leaver();
    const securityId = await option(company, {
      ...{ stakeholderId, vestingTermsId, quantity: "4800", effectiveDate: "2025-11-23", optionType: "NSO" },
    });
    const { newSecurityId, toStakeholderId } = await transfer(securityId, stakeholderId, {
      effectiveDate: "2026-01-27",
    });
    const data = await leave(stakeholderId, { effectiveDate: "2026-11-23" });
    expect(data.cancelled).toMatchObject([
      { securityId, stakeholderId, quantity: "1800", returnToPool: true },
      { securityId: newSecurityId, stakeholderId: toStakeholderId, quantity: "1800", returnToPool: true },
    ]);
    expect(data.exercisable).toMatchObject([
      { securityId, stakeholderId, quantity: "600" },
      { securityId: newSecurityId, stakeholderId: toStakeholderId, quantity: "600" },
    ]);
    expect((data.warnings as { code: string }[]).map(({ code }) => code)).toEqual(["no-window", "no-window"]);
    expect(await get(company, `/stakeholders/${toStakeholderId}`)).toMatchObject({ status: "CURRENT" });
  });
});

describe("what goes on", () => {
  test("is named, among what the leaving concerns", async () => {
    const stakeholderId = await leaver();
    const [kept, ends] = [await shares(stakeholderId), await shares(stakeholderId)];
    const another = await shares(await leaver());
    const wrong = { stakeholderId, effectiveDate: LEFT, continues: [kept, another, "nothing"] };
    expect(outcome(await run(company, "terminate-service", wrong))).toBe("422 #/continues/1 #/continues/2");
    const data = await leave(stakeholderId, { continues: [kept] });
    expect(data.stopped).toMatchObject([{ securityId: ends }]);
    expect(data.repurchasable).toMatchObject([{ securityId: ends }]);
    expect(await figures(kept, "2026-06-23")).toBe("1900 2900 0 null");
  });

  test("is not the leaver's part of another holder's grant: that ends too, with a warning", async () => {
    const grantee = await leaver();
    const securityId = await shares(grantee);
    const { newSecurityId, toStakeholderId } = await transfer(securityId, grantee, { effectiveDate: "2026-01-27" });
    const data = await leave(toStakeholderId);
    expect(data).toMatchObject({
      stopped: [{ securityId: newSecurityId, quantity: "1500" }],
      warnings: [{ code: "vests-by-another", detail: expect.stringContaining(newSecurityId) }],
    });
    expect(await figures(securityId, "2028-11-23")).toBe("2400 0 0 null");
    expect((await leave(grantee)).stopped).toMatchObject([{ securityId, quantity: "1500" }]);
  });
});

describe("the day", () => {
  test("must suit each security concerned", async () => {
    const stakeholderId = await leaver();
    const securityId = await shares(stakeholderId);
    await transfer(securityId, stakeholderId, { effectiveDate: "2026-06-01" });
    const early = await run(company, "terminate-service", { stakeholderId, effectiveDate: LEFT });
    expect(outcome(early)).toBe("409 invalid-state");
    expect(outcome(await run(company, "terminate-service", { stakeholderId, effectiveDate: "2026-06-01" }))).toBe(
      "200",
    );
  });

  test("may be tomorrow: today all vests as ever", async () => {
    const [today, tomorrow] = [0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
    const stakeholderId = await leaver();
    const securityId = await shares(stakeholderId);
    await leave(stakeholderId, { effectiveDate: tomorrow });
    expect((await vesting(securityId, today ?? "")).vestingStoppedOn).toBe(null);
    expect((await vesting(securityId, today ?? "")).unscheduled).toBe("0");
    expect((await vesting(securityId, tomorrow ?? "")).vestingStoppedOn).toBe(tomorrow);
  });

  test("of an end before a return that is recorded for later counts the time once", async () => {
    const stakeholderId = await leaver();
    const securityId = await shares(stakeholderId);
    const today = new Date().toISOString().slice(0, 10);
    await leave(stakeholderId);
    await done(company, "start-vesting", { securityId, effectiveDate: "2030-05-23" });
    await leave(stakeholderId, { effectiveDate: today });
    expect(await figures(securityId, "2040-01-01")).toBe("1800 3000 3000 2030-05-23");
    await done(company, "start-vesting", { securityId, effectiveDate: "2030-06-22" });
    // 1,491 days after the stop: 2026-06-23 becomes 2030-07-23.
    expect((await vesting(securityId, "2030-07-22")).vested).toBe("1800");
    expect((await vesting(securityId, "2030-07-23")).vested).toBe("1900");
  });

  test("is undone by nothing but a return: a second end of service finds nothing to stop", async () => {
    const stakeholderId = await leaver();
    await shares(stakeholderId);
    expect((await leave(stakeholderId)).stopped).toHaveLength(1);
    expect(await leave(stakeholderId, { effectiveDate: "2026-06-01" })).toMatchObject({
      stopped: [],
      repurchasable: [{ quantity: "3000" }],
    });
  });
});

test("what was retracted and is given shares again by hand has stopped as before, in its record too", async () => {
  const stakeholderId = await leaver();
  const securityId = await shares(stakeholderId);
  await leave(stakeholderId);
  await done(company, "retract", { securityId, reason: "Never signed", effectiveDate: LEFT });
  expect((await get(company, `/securities/${securityId}`)).vestingStoppedOn).toBeNull();
  const back = { quantity: "4800", status: "ACTIVE" };
  expect((await company.server.api("PATCH", `/securities/${securityId}`, back)).status).toBe(200);
  expect((await get(company, `/securities/${securityId}`)).vestingStoppedOn).toBe(LEFT);
  expect(differences(company)).toEqual([]);
});

test("a dry run tells what stops, and stops nothing", async () => {
  const stakeholderId = await leaver();
  const securityId = await shares(stakeholderId);
  const { stopped, effects } = await leave(stakeholderId, { dryRun: true });
  expect(stopped).toEqual([{ transactionId: null, securityId, stakeholderId, quantity: "3000" }]);
  expect(effects).toContainEqual({
    ...{ resourceType: "security", id: securityId, field: "vestingStoppedOn", before: null, after: LEFT },
  });
  expect(await figures(securityId, "2026-06-23")).toBe("1900 2900 0 null");
});

test("papers and the command say so, as of each day", async () => {
  const stakeholderId = await leaver();
  const certificateId = "STOPPED-1";
  const securityId = await shares(stakeholderId, { certificateId });
  await company.server.api("PATCH", "/organization", { legalName: "Acme, Inc." }, { role: "ADMIN" });
  await leave(stakeholderId);
  const paper = async (path: string) => {
    const answer = await fetch(`${company.server.url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${await company.server.key("VIEWER")}` },
    });
    return readDocumentFile(await answer.bytes()).facts?.facts.statement ?? [];
  };
  const said = "Vesting stopped on 2026-05-23";
  expect(await paper(`/securities/${securityId}/certificate.pdf`)).toContainEqual(["Vesting", said]);
  const before = await paper(`/securities/${securityId}/certificate.pdf?asOf=2026-05-22`);
  expect(before.map(([label]) => label)).not.toContain("Vesting");
  const statement = await paper(`/stakeholders/${stakeholderId}/statement.pdf`);
  expect(statement).toContainEqual(["Vesting", `${certificateId}: ${said}`]);
  const { stdout } = await runCommand(["holder", stakeholderId, "--data-dir", company.server.dataDir]);
  expect(stdout).toContain(`${certificateId}: ${said}.`);
});

describe("a cancellation or repurchase", () => {
  test("that takes vested shares while some are unvested, unasked, says how many", async () => {
    const stakeholderId = await leaver();
    const securityId = await shares(stakeholderId);
    await leave(stakeholderId);
    const codes = async (route: string, given: Given) => {
      const own = route === "cancel" ? { cancellationReason: "FORFEITURE" } : { pricePerShare: "0.01" };
      const body = { securityId, effectiveDate: "2026-06-01", dryRun: true, ...own, ...given };
      const { warnings } = (await done(company, route, body)) as unknown as { warnings: readonly Given[] };
      return warnings.map(({ code, detail }) => `${code} ${String(detail).match(/[\d.]+/)?.[0]}`);
    };
    for (const route of ["cancel", "repurchase"]) {
      expect(await codes(route, { quantity: "3000" })).toEqual([]);
      expect(await codes(route, { quantity: "3500" })).toEqual(["takes-vested 500"]);
      expect(await codes(route, { quantity: "3500", vestedQuantity: "500" })).toEqual([]);
    }
  });
});

describe("verify", () => {
  test("finds a day that a row says and the ledger does not", async () => {
    const stakeholderId = await leaver();
    const securityId = await shares(stakeholderId);
    await leave(stakeholderId);
    let told: unknown[] = [];
    const undo = new Error("undone");
    await company.server.app.writer
      .submit((tx) => {
        tx.sqlite.prepare("UPDATE securities SET vestingStoppedOn = '2026-05-24' WHERE id = ?").run(securityId);
        told = verifyDatabase(tx).differences.map(({ code, subject }) => [code, subject]);
        throw undo;
      })
      .catch((error) => expect(error).toBe(undo));
    expect(told).toContainEqual(["security-differs", `security ${securityId}`]);
  });
});
