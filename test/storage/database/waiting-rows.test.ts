// Rows that wait for the end of a batch: whatever a batch is made of, answers and database are those of a writer whose
// rows never wait. Ids and clock follow from the seed, so that each row of one is compared with that of the other.
import { afterAll, expect, spyOn, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { type Runtime, systemRuntime } from "../../../src/kernel/runtime.ts";
import { LocalChanges } from "../../../src/server/changes/local.ts";
import { allRoutes } from "../../../src/server/routes.ts";
import { makeUnnamedOrganization } from "../../../src/server/service/bootstrap.ts";
import { changeLogged } from "../../../src/storage/database/log/logged.ts";
import { DATABASE_FILE, openWritable } from "../../../src/storage/database/open.ts";
import { build, isChangedTable, type Reader, statement, type Tx } from "../../../src/storage/database/sql.ts";
import { adding, WaitingRows } from "../../../src/storage/database/waiting-rows.ts";
import { Writer } from "../../../src/storage/database/writer.ts";
import { writeMigrated } from "../../kit/migrated.ts";
import { seedCount } from "../../kit/proof.ts";
import { type Pick, seeded } from "../../kit/random.ts";

const BATCHES = 12;
/** Of so many kinds of writes the first are issues. */
const KINDS = 16;
const ISSUES = 12;
const SEEDS = seedCount(6, 1000);
const ROUTES = allRoutes("test");
const folder = mkdtempSync(join(tmpdir(), "captable-waiting-"));
await writeMigrated(folder);
// A batch takes what comes within some milliseconds: here all of it, so that both writers have the same batches.
const clock = spyOn(performance, "now").mockReturnValue(0);

afterAll(() => {
  clock.mockRestore();
  rmSync(folder, { recursive: true });
});

interface Asked {
  readonly operationId: string;
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key?: string;
}

/** A company of its own, written by a writer whose rows wait, or one whose rows do not. */
class Side {
  readonly db: Reader;
  readonly writer: Writer;
  readonly #changes: LocalChanges;
  readonly #orgId: Promise<string>;
  #ids = 0;

  constructor(name: string, letsRowsWait: boolean) {
    const file = join(folder, `${name}.db`);
    copyFileSync(join(folder, DATABASE_FILE), file);
    this.db = openWritable(file);
    this.db.sqlite.pragma("synchronous = OFF");
    const runtime: Runtime = {
      nowMs: () => Date.parse("2026-06-01T12:00:00Z"),
      elapsedMs: () => 0,
      newId: () => `0190f5a2-0000-7000-8000-${String(++this.#ids).padStart(12, "0")}`,
      random: () => 0.5,
    };
    this.writer = new Writer(this.db, (error) => expect(error).toBeNull(), { letsRowsWait });
    this.#changes = new LocalChanges({ writer: this.writer, runtime, routes: ROUTES, commands: {} });
    this.#orgId = this.writer.submit((tx) => makeUnnamedOrganization(tx, runtime));
  }

  /** What a write answers, or why it is refused. */
  async write({ operationId, path, params = {}, body, key }: Asked): Promise<string> {
    const by = { actor: "api-key", apiKeyId: "k", accountId: null, actorName: null, sessionId: null } as const;
    const asked = { ...by, orgId: await this.#orgId, requestId: `r-${key}`, method: "POST", path };
    const idempotency = key === undefined ? null : { key, bodyHash: Bun.hash(JSON.stringify(body)).toString(16) };
    try {
      return JSON.stringify(await this.#changes.write({ operationId, asked, params, body, idempotency }));
    } catch (refused) {
      return String(refused);
    }
  }

  /** Every row of every table, in the order in which it was inserted. */
  rows(): string[] {
    const { sqlite } = this.db;
    const tables = sqlite.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all();
    return tables
      .flatMap((table) => sqlite.prepare(`select '${table}' as "table", * from "${table}"`).all())
      .map((row) => JSON.stringify(row));
  }
}

interface Company {
  readonly holders: readonly string[];
  readonly classes: readonly string[];
  readonly plan: string;
  readonly securities: string[];
}

function idIn(answer: string): string {
  return String(/\\"(?:securityId|id)\\":\\"([^\\]+)/.exec(answer)?.[1]);
}

async function found(side: Side): Promise<Company> {
  const make = async (operationId: string, path: string, body: Asked["body"]) =>
    idIn(await side.write({ operationId, path, body }));
  const holder = (displayName: string) =>
    make("createStakeholder", "/stakeholders", { displayName, type: "INDIVIDUAL", name: { legalName: displayName } });
  const stockClass = (name: string, initialSharesAuthorized: string) =>
    make("createShareClass", "/share-classes", {
      ...{
        name,
        classType: "COMMON",
        defaultIdPrefix: `${name}-`,
        initialSharesAuthorized,
        votesPerShare: "1",
        seniority: 1,
      },
    });
  const holders = [await holder("Ann"), await holder("Bo")];
  const classes = [await stockClass("A", "4000"), await stockClass("B", "1000000"), await stockClass("C", "290")];
  const plan = await make("createEquityPlan", "/equity-plans", {
    ...{ planName: "Plan", initialSharesReserved: "3000", stockClassIds: [classes[0]] },
  });
  return { holders, classes, plan, securities: [] };
}

/** Something that is asked of a company: mostly issues; some of it is refused, repeated, dated ahead or only tried. */
function something(pick: Pick, { holders, classes, plan, securities }: Company, at: string, kinds: number): Asked {
  const one = <T>(list: readonly T[]) => list[pick(list.length)] as T;
  const key = `${pick(5) === 0 ? "again" : at}`;
  const effectiveDate = pick(8) === 0 ? "2026-09-01" : "2026-01-15";
  const quantity = String(1 + pick(120));
  const stakeholderId = pick(12) === 0 ? "0190f5a2-0000-7000-8000-ffffffffffff" : one(holders);
  const issued = { stakeholderId, quantity, effectiveDate, certificateId: `${pick(9) === 0 ? "same" : at}` };
  const kind = pick(kinds);
  const security = securities.length === 0 ? "none" : one(securities);
  const operation = (operationId: string, path: string, body: Asked["body"], ...more: unknown[]): Asked => ({
    ...{ operationId, path: `/api/v1/transactions/${path}`, body: pick(14) === 0 ? { ...body, dryRun: true } : body },
    ...(more.length > 0 || pick(3) > 0 ? { key } : {}),
  });
  if (kind < 8)
    return operation("issueShares", "issue-shares", { ...issued, stockClassId: one(classes), pricePerShare: "1" });
  if (kind < 11)
    return operation("issueOptions", "issue-options", {
      ...issued,
      stockPlanId: plan,
      exercisePrice: "1",
      optionType: "NSO",
    });
  if (kind === 11)
    return operation("issueWarrant", "issue-warrant", { ...issued, stockClassId: one(classes), exercisePrice: "1" });
  if (kind === 12)
    return operation("transfer", "transfer", {
      securityId: security,
      toStakeholderId: one(holders),
      quantity,
      effectiveDate,
    });
  if (kind === 13)
    return operation("split", "split", {
      ...{ stockClassId: one(classes), numerator: 3, denominator: 2, rounding: "DOWN", effectiveDate },
    });
  if (kind === 14)
    return operation("cancel", "cancel", { securityId: security, quantity, effectiveDate, cancellationReason: "left" });
  return {
    ...{
      operationId: "updateStakeholder",
      path: `/api/v1/stakeholders/${holders[0]}`,
      params: { id: holders[0] ?? "" },
    },
    body: { status: pick(2) === 0 ? "ACTIVE" : "INACTIVE" },
  };
}

/** Runs the same batches on both; returns how many answers and rows differ, and how many were refused. */
async function compare(
  seed: number,
): Promise<{ readonly differing: number; readonly asked: number; readonly refused: number }> {
  const [one, other] = [new Side(`waits-${seed}`, true), new Side(`never-${seed}`, false)];
  let [differing, asked, refused] = [0, 0, 0];
  try {
    const [company] = [await found(one), await found(other)];
    const pick = seeded(seed);
    for (let batch = 0; batch < BATCHES; batch++) {
      // In half of them nothing but issues, whose rows all wait for the end.
      const kinds = pick(2) === 0 ? ISSUES : KINDS;
      const length = 1 + pick(40);
      const list = Array.from({ length }, (_, at) => something(pick, company, `${batch}-${at}`, kinds));
      const answers = await Promise.all(list.map((each) => one.write(each)));
      const expected = await Promise.all(list.map((each) => other.write(each)));
      differing += answers.filter((answer, at) => answer !== expected[at]).length;
      asked += list.length;
      refused += answers.filter((answer) => !answer.startsWith("{")).length;
      company.securities.push(...answers.filter((answer) => answer.includes("securityId")).map(idIn));
    }
    const [rows, same] = [one.rows(), other.rows()];
    differing += Math.abs(rows.length - same.length) + rows.filter((row, at) => row !== same[at]).length;
  } finally {
    one.db.sqlite.close();
    other.db.sqlite.close();
  }
  return { differing, asked, refused };
}

test("answers and rows are those of a writer whose rows never wait", async () => {
  const settled = spyOn(WaitingRows.prototype, "settle");
  let [asked, refused] = [0, 0];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const outcome = await compare(seed);
    expect({ seed, differing: outcome.differing }).toEqual({ seed, differing: 0 });
    asked += outcome.asked;
    refused += outcome.refused;
  }
  // Rows did wait, statements did ask for them before the end, and not everything was refused.
  expect(settled.mock.calls.filter(([tables]) => tables === undefined).length).toBeGreaterThan(SEEDS * 5);
  expect(settled.mock.calls.filter(([tables]) => tables !== undefined).length).toBeGreaterThan(SEEDS * 5);
  expect(refused / asked).toBeGreaterThan(0.05);
  expect(refused / asked).toBeLessThan(0.8);
  settled.mockRestore();
}, 1_800_000);

test("it finds rows that are not inserted", async () => {
  const { settle } = WaitingRows.prototype;
  const lost = spyOn(WaitingRows.prototype, "settle").mockImplementation(function (this: WaitingRows, tables) {
    settle.call(this, tables ?? ["transactions", "audit_log", "idempotency_keys"]);
  });
  expect((await compare(1)).differing).toBeGreaterThan(0);
  lost.mockRestore();
});

/** Why the last of three issues of a batch is refused: the second is dated ahead, and the third is more than authorized. */
async function refusalBeside(name: string, letsRowsWait: boolean): Promise<string> {
  const side = new Side(name, letsRowsWait);
  const { holders, classes } = await found(side);
  const issue = (quantity: string, effectiveDate: string) => {
    const issued = { stakeholderId: holders[0], stockClassId: classes[2], quantity, effectiveDate };
    const body = { ...issued, certificateId: `${quantity} of ${effectiveDate}`, pricePerShare: "1" };
    return side.write({ operationId: "issueShares", path: "/issue", body });
  };
  const days = ["2026-01-15", "2026-09-01", "2026-01-16"];
  const answers = await Promise.all(days.map((day, at) => issue(String(90 + 10 * at), day)));
  side.db.sqlite.close();
  return String(answers.at(-1));
}

test("an issue knows of the entries before it in its batch that are dated ahead", async () => {
  const expected = await refusalBeside("ahead-never", false);
  expect(expected).toContain("On 2026-09-01 the share class would have 300 shares");
  expect(await refusalBeside("ahead-waits", true)).toBe(expected);
  const stale = spyOn(WaitingRows.prototype, "forget").mockImplementation(() => undefined);
  expect(await refusalBeside("ahead-stale", true)).not.toBe(expected);
  stale.mockRestore();
});

test("it finds changes that are not written before they are read, or not remembered", async () => {
  const { settle } = WaitingRows.prototype;
  const unread = spyOn(WaitingRows.prototype, "settle").mockImplementation(function (this: WaitingRows, tables) {
    settle.call(
      this,
      tables?.filter((table) => !isChangedTable(table)),
    );
  });
  expect((await compare(1)).differing).toBeGreaterThan(0);
  unread.mockRestore();
  const behind = spyOn(WaitingRows.prototype, "change").mockImplementation(function (this: WaitingRows, change) {
    change.write(this.tx, change.columns);
  });
  expect((await compare(1)).differing).toBeGreaterThan(0);
  behind.mockRestore();
});

/** The class's name after work that renames it and fails, beside other work that succeeds. */
async function nameAfterFailure(name: string): Promise<unknown> {
  const side = new Side(name, true);
  const { classes } = await found(side);
  const { orgId, id } = side.db.sqlite.prepare("select orgId, id from share_classes").get() as Record<string, string>;
  expect(id).toBe(String(classes[0]));
  const call = commandLineCall(systemRuntime, String(orgId));
  const change = (changes: Parameters<typeof changeLogged<"share_classes">>[4]) => (tx: Tx) =>
    changeLogged(tx, call, "share_classes", String(id), changes);
  const renameAndFail = (tx: Tx) => {
    change({ name: "Not this" })(tx);
    throw new Error("refused");
  };
  const outcomes = await Promise.allSettled([
    side.writer.submit(renameAndFail, "waiting"),
    side.writer.submit(change({ comments: "kept" }), "waiting"),
  ]);
  const row = side.db.sqlite.prepare("select name, comments from share_classes where id = ?").get(id);
  side.db.sqlite.close();
  return [row, ...outcomes.map(({ status }) => status)];
}

test("a change that waits is undone with the work that fails after it, and no other", async () => {
  const expected = [{ name: "A", comments: "kept" }, "rejected", "fulfilled"];
  expect(await nameAfterFailure("undone")).toEqual(expected);
  const count = Object.getOwnPropertyDescriptor(WaitingRows.prototype, "count") ?? {};
  Object.defineProperty(WaitingRows.prototype, "count", { ...count, get: () => 0 });
  expect(await nameAfterFailure("not-undone")).not.toEqual(expected);
  Object.defineProperty(WaitingRows.prototype, "count", count);
});

test("a row that is refused when a later request reads its table fails its own request", async () => {
  const file = join(folder, "refused.db");
  copyFileSync(join(folder, DATABASE_FILE), file);
  const db = openWritable(file);
  const writer = new Writer(db, (error) => expect(error).toBeNull());
  const add = adding("outbox", ["id"]);
  const jobs = statement(() => build.selectFrom("outbox").select("id"));
  const outcomes = await Promise.allSettled([
    writer.submit((tx) => add(tx, { id: "without an organization" }), "waiting"),
    writer.submit((tx) => jobs.all(tx, undefined), "waiting"),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  db.sqlite.close();
});
