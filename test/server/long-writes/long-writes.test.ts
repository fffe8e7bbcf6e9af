// Writes of more rows than one commit takes: a caller that reads or writes between two pieces finds the result, as if
// all of it had been written at once.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { changeLogged } from "../../../src/storage/database/log/logged.ts";
import { findLongWrite, PIECE } from "../../../src/storage/database/long-writes.ts";
import { Service } from "../../kit/in-process.ts";
import { Random } from "../../kit/random.ts";
import { RELEASE } from "../../kit/release.ts";
import { COUNT, Company } from "./company.ts";
import { finishCopies } from "./left-unfinished.ts";

setDefaultTimeout(120_000);

describe("what a commit has decided", () => {
  let service: Service;
  afterEach(() => service.stop());

  /** The company, and the service that has it. */
  async function copied(): Promise<Company> {
    const company = await Company.copy(1);
    service = company.service;
    return company;
  }

  const clean = () => expect(service.differences()).toEqual([]);

  test("of an approval's stock is seen at once, and done piece by piece", async () => {
    const company = await copied();
    expect(await company.countOf("PENDING_APPROVAL")).toBe(COUNT);
    await company.api("POST", `/approvals/${company.approvalId}/lock`);
    expect(company.stored(`"isGated" = 1`)).toBe(COUNT - PIECE);
    expect([await company.countOf("PENDING"), await company.countOf("PENDING_APPROVAL")]).toEqual([COUNT, 0]);
    const token = await company.api("GET", `/share-classes/${company.stockClassId}/token`);
    expect(token.awaitingApproval).toBe("0");
    clean();
    expect(await company.finish()).toBe(2);
    expect([company.stored(`"isGated" = 1`), company.stored(`"tokenStatus" = 'PENDING'`)]).toEqual([0, COUNT]);
    clean();
  });

  test("is told in the log of each row, in the name of who asked for it", async () => {
    const company = await copied();
    await company.api("POST", `/approvals/${company.approvalId}/lock`);
    await company.finish();
    const rows = service.reader.sqlite
      .prepare(
        `select distinct actor, method, path from audit_log
          where "orgId" = ? and "resourceType" = 'security' and before like '%isGated%'`,
      )
      .all(company.orgId);
    expect(rows).toEqual([{ actor: "api-key", method: "POST", path: `/api/v1/approvals/${company.approvalId}/lock` }]);
    const told = service.reader.sqlite
      .prepare(`select payload from outbox where "orgId" = ? and kind = 'mirror-securities'`)
      .all(company.orgId) as { payload: string }[];
    expect(told.flatMap(({ payload }) => JSON.parse(payload).securityIds).length).toBe(COUNT);
  });

  test("of a deleted valuation is seen at once, and done piece by piece", async () => {
    const company = await copied();
    await company.api("DELETE", `/valuations/${company.valuationId}`);
    expect(company.stored(`"valuationId" is not null`)).toBe(COUNT - PIECE);
    expect(Object.values(await company.seen()).filter((row) => (row as { valuation: unknown }).valuation)).toEqual([]);
    const last = await company.api("GET", `/securities/${company.certificates.get(`CS-${COUNT}`)}`);
    expect(last.valuationId).toBeNull();
    clean();
    expect(await company.finish()).toBe(2);
    expect(company.stored(`"valuationId" is not null`)).toBe(0);
    clean();
  });

  test("of a class that is to get tokens is seen at once, done piece by piece, and not outrun by its jobs", async () => {
    const company = await copied();
    await company.fail();
    await company.api("POST", `/share-classes/${company.stockClassId}/retokenize`);
    expect(company.stored(`"tokenStatus" = 'FAILED'`)).toBe(COUNT - PIECE);
    expect([await company.countOf("PENDING_APPROVAL"), await company.countOf("FAILED")]).toEqual([COUNT, 0]);
    clean();
    expect(await company.finish()).toBe(2);
    expect(company.stored(`"tokenStatus" = 'PENDING_APPROVAL' and "tokenError" is null`)).toBe(COUNT);
    clean();
  });

  test("of a holder's wallet is one job for a class, whatever the holder has", async () => {
    const company = await copied();
    const walletAddress = "0x52908400098527886E0F7030069857D2E4169EE7";
    await company.api("PATCH", `/stakeholders/${company.stakeholderId}`, { walletAddress });
    const jobs = service.reader.sqlite
      .prepare(`select payload from outbox where "orgId" = ? and kind = 'mirror-holder'`)
      .all(company.orgId);
    expect(jobs).toEqual([{ payload: JSON.stringify({ stakeholderId: company.stakeholderId }) }]);
  });

  test("is done of nothing that was not decided, whatever a row of the database says", async () => {
    service = await Service.start(1);
    const company = await Company.make(service, 10);
    const put = service.db.sqlite.prepare(
      `insert into long_writes ("orgId", kind, subject, "after", origin) values (?, ?, ?, 0, '{}')`,
    );
    put.run(company.orgId, "release", company.approvalId);
    put.run(company.orgId, "forget-valuation", company.valuationId);
    await company.finish();
    expect([company.stored(`"isGated" = 1`), company.stored(`"valuationId" is not null`)]).toEqual([10, 10]);
  });

  test("of few rows is done at once", async () => {
    service = await Service.start(1);
    const company = await Company.make(service, 20);
    await company.api("POST", `/approvals/${company.approvalId}/lock`);
    await company.api("DELETE", `/valuations/${company.valuationId}`);
    expect(findLongWrite(service.reader)).toBeNull();
    expect(company.stored(`"isGated" = 1 or "valuationId" is not null`)).toBe(0);
  });
});

/** How a wrong program would write between two pieces. */
type Mutant = "names another approval without the release first" | "forgets the rest" | null;

/** One of the writes that meet a long one. `turn` makes certificate numbers. */
async function write(company: Company, choice: number, at: number, turn: number, mutant: Mutant): Promise<void> {
  const ids = [...company.certificates.values()];
  const id = ids[at % ids.length] ?? "";
  if (choice === 0) {
    if (mutant === "names another approval without the release first") {
      const call = commandLineCall(systemRuntime, company.orgId);
      const approvalId = company.otherApprovalId;
      await company.service.writer.submit((tx) => changeLogged(tx, call, "securities", id, { approvalId }));
    } else await company.api("PATCH", `/securities/${id}`, { approvalId: company.otherApprovalId });
  } else if (choice === 1) await company.api("PATCH", `/securities/${id}`, { approvalId: null, valuationId: null });
  else if (choice === 2) await company.api("PATCH", `/securities/${id}`, { quantity: String(20 + turn) });
  else if (choice === 3) {
    const { status } = await company.api("GET", `/securities/${id}`);
    if (status !== "ACTIVE") return;
    const [fromStakeholderId, toStakeholderId] = [company.stakeholderId, company.otherHolderId];
    const parties = { securityId: id, fromStakeholderId, toStakeholderId };
    const given = { ...parties, quantity: "4", effectiveDate: "2026-06-15" };
    await company.api("POST", "/transactions/transfer", given);
  } else {
    const { status } = await company.api("GET", `/securities/${id}`);
    if (status !== "ACTIVE") return;
    const given = { securityId: id, quantity: "10", reason: "over", effectiveDate: "2026-06-15" };
    await company.api("POST", "/transactions/cancel", given).catch(() => undefined);
  }
}

/** Whether a company whose long writes are interrupted by others shows, at every step, what one shows where none are. */
async function agrees(seed: number, mutant: Mutant = null): Promise<boolean> {
  const random = new Random(seed);
  const [slow, quick] = [await Company.copy(seed), await Company.copy(seed)];
  try {
    return await agree(slow, quick, random, mutant);
  } finally {
    for (const { service } of [slow, quick]) await service.stop();
  }
}

async function agree(slow: Company, quick: Company, random: Random, mutant: Mutant): Promise<boolean> {
  const both = [slow, quick];
  for (const company of both) {
    await company.fail();
    await company.api("POST", `/share-classes/${company.stockClassId}/retokenize`);
  }
  const begins = [
    (company: Company) => company.api("POST", `/approvals/${company.approvalId}/lock`),
    (company: Company) => company.api("DELETE", `/valuations/${company.valuationId}`),
  ];
  const order = random.below(2) === 0 ? begins : begins.toReversed();
  for (let turn = 0; turn < 12; turn++) {
    const begin = turn < 2 ? order[turn] : undefined;
    if (begin) for (const company of both) await begin(company);
    // The quick one has nothing under way when others write; the slow one does a piece now and then.
    if (mutant === "forgets the rest") slow.service.db.sqlite.exec("delete from long_writes");
    await quick.finish();
    const [choice, at] = [random.below(5), random.below(COUNT)];
    for (const company of both) await write(company, choice, at, turn, company === slow ? mutant : null);
    if (random.below(3) === 0) await slow.pieces.step();
    if (!Bun.deepEquals(await slow.seen(), await quick.seen())) return false;
    if (slow.service.differences().length > 0) return false;
  }
  await slow.finish();
  const stillGated = (company: Company) => company.stored(`"isGated" = 1`);
  return Bun.deepEquals(await slow.seen(), await quick.seen()) && stillGated(slow) === stillGated(quick);
}

describe("reads and writes between the pieces", () => {
  test("find what was decided, whatever comes in between", async () => {
    for (let seed = 1; seed <= (RELEASE ? 40 : 1); seed++) expect([seed, await agrees(seed)]).toEqual([seed, true]);
  });

  test.each(["names another approval without the release first", "forgets the rest"] as const)(
    "and it is noticed where a program %s",
    async (mutant) => {
      let noticed = false;
      for (let seed = 1; seed <= 12 && !noticed; seed++) noticed = !(await agrees(seed, mutant));
      expect(noticed).toBe(true);
    },
  );
});

test("what ends between two pieces goes on with them, from its files and from a backup of then", async () => {
  const company = await Company.copy(7);
  try {
    await company.api("POST", `/approvals/${company.approvalId}/lock`);
    await company.api("DELETE", `/valuations/${company.valuationId}`);
    await company.pieces.step();
    await finishCopies(company, `"isGated" = 1 or "valuationId" is not null`);
  } finally {
    await company.service.stop();
  }
});
