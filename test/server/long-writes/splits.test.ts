// Splits of more securities than one commit writes: seen at once, written piece by piece, and done first of a security
// that is written between two pieces.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { present } from "../../../src/kernel/assert.ts";
import { callWithoutRequest } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { giveWay } from "../../../src/kernel/threads/give-way.ts";
import { caughtUp, gatherSplit } from "../../../src/ledger/splits/gather-split.ts";
import { splitPiece } from "../../../src/ledger/splits/split-pieces.ts";
import { continueLongWrite, findLongWrite, hasLongWrite, PIECE } from "../../../src/storage/database/long-writes.ts";
import { planJob } from "../../../src/tokens/jobs/mirror.ts";
import { listPlannable } from "../../../src/tokens/jobs/store.ts";
import { listPositions, setTokenization } from "../../../src/tokens/jobs/token-store.ts";
import { COUNT, Company } from "./company.ts";
import { finishCopies } from "./left-unfinished.ts";

setDefaultTimeout(120_000);

const DAY = "2026-06-15";
const ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";

let company: Company;
afterEach(() => company.service.stop());

async function copied(): Promise<void> {
  company = await Company.copy(1);
}

const split = (numerator: number, denominator: number, given: object = {}) =>
  company.api("POST", "/transactions/split", {
    stockClassId: company.stockClassId,
    numerator,
    denominator,
    effectiveDate: DAY,
    ...given,
  });

const clean = () => expect(company.service.differences()).toEqual([]);

/** The quantities that securities show, with how many show each. */
async function quantities(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const shown of Object.values(await company.seen())) {
    const { quantity } = shown as { quantity: string };
    counts[quantity] = (counts[quantity] ?? 0) + 1;
  }
  return counts;
}

const security = (number: number) => company.certificates.get(`CS-${number}`) ?? "";

async function outstanding(): Promise<string> {
  const table = await company.api("GET", `/cap-table?asOf=${DAY}`);
  return table.data.totals.outstanding;
}

describe("a split of much stock", () => {
  test("is seen at once, and done piece by piece", async () => {
    await copied();
    const { data } = await split(3, 2);
    expect(data.securitiesAdjusted).toBe(COUNT);
    expect(company.stored(`quantity = '10'`)).toBe(COUNT);
    expect([await quantities(), await outstanding()]).toEqual([{ 15: COUNT }, String(15 * COUNT)]);
    clean();
    await company.pieces.step();
    expect(company.stored(`quantity = '15'`)).toBe(PIECE);
    expect(await quantities()).toEqual({ 15: COUNT });
    clean();
    await company.finish();
    expect(company.stored(`quantity = '15'`)).toBe(COUNT);
    expect([await quantities(), hasLongWrite(company.service.reader)]).toEqual([{ 15: COUNT }, false]);
    clean();
  });

  test("is told in the log of each row, in the name and at the moment of who asked for it", async () => {
    await copied();
    await split(2, 1);
    await company.pieces.step();
    await company.api("PATCH", `/securities/${security(COUNT)}`, { comments: "Meanwhile" });
    await company.finish();
    const rows = company.service.reader.sqlite
      .prepare(
        `select actor, method, path, count(*) as count from audit_log
          where "orgId" = ? and "resourceType" = 'security' and before like '%"quantity"%' group by 1, 2, 3`,
      )
      .all(company.orgId);
    expect(rows).toEqual([{ actor: "api-key", method: "POST", path: "/api/v1/transactions/split", count: COUNT }]);
    const moments = company.service.reader.sqlite
      .prepare(`select count(distinct "updatedAt") as count from securities where "orgId" = ? and comments is null`)
      .get(company.orgId);
    expect(moments).toEqual({ count: 1 });
  });

  test("is done first of a security that is written between two pieces", async () => {
    await copied();
    await split(2, 1);
    await company.pieces.step();
    const parties = { fromStakeholderId: company.stakeholderId, toStakeholderId: company.otherHolderId };
    const moved = { securityId: security(COUNT), ...parties, quantity: "8", effectiveDate: DAY };
    await company.api("POST", "/transactions/transfer", moved);
    await company.api("PATCH", `/securities/${security(COUNT - 1)}`, { quantity: "7" });
    const after = { 20: COUNT - 2, 12: 1, 8: 1, 7: 1 };
    expect(await quantities()).toEqual(after);
    clean();
    await company.finish();
    expect(await quantities()).toEqual(after);
    clean();
  });

  test("counts what was written while its facts were gathered", async () => {
    await copied();
    const parties = { fromStakeholderId: company.stakeholderId, toStakeholderId: company.otherHolderId };
    const others = [1, 2, 3, 4, 5, 6].map((number) =>
      company.api("POST", "/transactions/transfer", {
        securityId: security(number),
        ...parties,
        quantity: String(number),
        effectiveDate: DAY,
      }),
    );
    await Promise.all([split(1, 3, { rounding: "UP" }), ...others]);
    clean();
    await company.finish();
    clean();
  });

  test("waits for the rows of another one", async () => {
    await copied();
    await split(2, 1);
    const second = split(3, 1);
    await Bun.sleep(0);
    await company.finish();
    await second;
    expect(await quantities()).toEqual({ 60: COUNT });
    await company.finish();
    expect(await quantities()).toEqual({ 60: COUNT });
    clean();
  });

  test.each([0, 1, 2, 3, 4, 5, 6])(
    "that was asked for %i turns of the event loop after another one counts in the shares of after that",
    async (turns) => {
      await copied();
      const first = split(2, 1);
      for (let turn = 0; turn < turns; turn++) await giveWay();
      let isAnswered = false;
      const both = Promise.all([first, split(3, 1)]).finally(() => {
        isAnswered = true;
      });
      while (!isAnswered) {
        await company.pieces.step();
        await giveWay();
      }
      expect((await both).map(({ data }) => data.securitiesAdjusted)).toEqual([COUNT, COUNT]);
      clean();
      await company.finish();
      expect([await quantities(), await outstanding()]).toEqual([{ 60: COUNT }, String(60 * COUNT)]);
      clean();
    },
  );

  test("whose facts were gathered while another one was under way has them gathered anew", async () => {
    await copied();
    const { orgId, stockClassId, service } = company;
    const of = { orgId, stockClassId };
    const ratio = { numerator: 3n, denominator: 1n, rounding: "DOWN" } as const;
    await split(2, 1);
    const beside = gatherSplit(service.reader, of, ratio);
    expect(caughtUp(service.reader, of, ratio, beside)).toBeNull();
    await company.finish();
    expect(caughtUp(service.reader, of, ratio, beside)).toBeNull();
    const after = gatherSplit(service.reader, of, ratio);
    expect(after.sums.issued).toBe(beside.sums.issued);
    expect(caughtUp(service.reader, of, ratio, after)).toBe(after);
  });

  test("leaves the write that came in its place alone, with a piece that was asked for before", async () => {
    await copied();
    await split(2, 1);
    const { service, stockClassId, valuationId, orgId } = company;
    const found = present(findLongWrite(service.reader), "the split");
    const body = { stockClassId, numerator: 1, denominator: 21, effectiveDate: DAY };
    const operations = [
      { method: "POST", path: "/api/v1/transactions/split", body },
      { method: "DELETE", path: `/api/v1/valuations/${valuationId}` },
    ];
    await company.api("POST", "/batch", { operations });
    const other = present(findLongWrite(service.reader), "the other write");
    expect([other.seq, other.kind]).toEqual([found.seq, "forget-valuation"]);
    const call = callWithoutRequest(systemRuntime, orgId, "job");
    await service.writer.submit((tx) => continueLongWrite(tx, call, found, splitPiece));
    expect(findLongWrite(service.reader)).toEqual(other);
    await company.finish();
    expect(company.stored(`"valuationId" is not null`)).toBe(0);
    await service.writer.submit((tx) => continueLongWrite(tx, call, found, splitPiece));
    clean();
  });

  test("that closes securities is written whole, and so is one of few, and a dry run leaves nothing", async () => {
    await copied();
    const dry = await split(2, 1, { dryRun: true });
    expect([dry.data.securitiesAdjusted, hasLongWrite(company.service.reader)]).toEqual([COUNT, false]);
    await split(1, 11);
    expect([company.stored(`status = 'CANCELLED'`), hasLongWrite(company.service.reader)]).toEqual([COUNT, false]);
    await company.issue("CS-NEW");
    await split(2, 1);
    expect([company.stored(`quantity = '20'`), hasLongWrite(company.service.reader)]).toEqual([1, false]);
    clean();
  });

  test("tells in a dry run of a batch what it tells in one of its own", async () => {
    await copied();
    const alone = await split(3, 1, { dryRun: true });
    const body = { stockClassId: company.stockClassId, numerator: 3, denominator: 1, effectiveDate: DAY };
    const operations = [{ method: "POST", path: "/api/v1/transactions/split", body }];
    const { data } = await company.api("POST", "/batch", { operations, dryRun: true });
    const told = (effects: readonly object[]) => effects.map((effect) => JSON.stringify(effect)).sort();
    expect(told(alone.data.effects).length).toBeGreaterThan(COUNT);
    expect(told(data.effects)).toEqual(told(alone.data.effects.map((effect: object) => ({ operation: 0, ...effect }))));
    expect([await quantities(), hasLongWrite(company.service.reader)]).toEqual([{ 10: COUNT }, false]);
  });

  test("gives tokens the shares of after it, whatever is written of it yet", async () => {
    await copied();
    await company.api("PATCH", `/stakeholders/${company.stakeholderId}`, { walletAddress: ADDRESS });
    await company.api("POST", `/approvals/${company.approvalId}/lock`);
    await company.finish();
    const job = callWithoutRequest(systemRuntime, company.orgId, "job");
    const { service, orgId, stockClassId } = company;
    const deployed = { tokenizationStatus: "DEPLOYED", tokenAddress: ADDRESS } as const;
    await service.writer.submit((tx) => setTokenization(tx, job, stockClassId, deployed));
    const planAll = async () => {
      for (;;) {
        const [next] = listPlannable(service.reader, { limit: 1 });
        if (next === undefined) return;
        await service.writer.submit((tx) => planJob(tx, job, next, 0));
      }
    };
    const tokens = () => new Set(listPositions(service.reader, { orgId, stockClassId }).map((each) => each.quantity));
    await planAll();
    const [before] = tokens();
    await split(3, 1);
    await company.pieces.step();
    await planAll();
    expect([...tokens()]).toEqual([(BigInt(before ?? 0) * 3n).toString()]);
    await company.finish();
    await planAll();
    expect([...tokens()]).toEqual([(BigInt(before ?? 0) * 3n).toString()]);
    clean();
  });
});

test("a split that no entry decided is not done, whatever a row of the database says, and is found until then", async () => {
  await copied();
  const { sqlite } = company.service.db;
  const put = `insert into long_writes ("orgId", kind, subject, "after", origin) values (?, 'split', 'none', 0, '{}')`;
  sqlite.prepare(put).run(company.orgId);
  sqlite
    .prepare(`insert into splits_under_way values (?, 'none', ?, '2', '1', 'DOWN', '[]', 1000000, '2026-06-15')`)
    .run(company.orgId, company.stockClassId);
  expect(company.service.differences().map(({ code }) => code)).toContain("security-differs");
  await company.finish();
  expect(company.stored(`quantity = '10'`)).toBe(COUNT);
  clean();
});

test("a split that ends between two pieces goes on with them, from its files and from a backup of then", async () => {
  await copied();
  await split(2, 1);
  await company.pieces.step();
  await finishCopies(company, `quantity <> '20'`);
});
