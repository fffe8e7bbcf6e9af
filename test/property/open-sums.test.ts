// The sums of open options and warrants that classes, plans and the organization keep: after each step of random histories
// they are what listing the open securities gives. Warnings of too few authorized shares come from these sums alone.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Tx } from "../../src/storage/database/sql.ts";
import { firstSeed, mustMeetAll, proved } from "../kit/proof.ts";
import { QUICK } from "../kit/release.ts";
import { checkHistories } from "./check.ts";
import type { Choice } from "./choosing.ts";
import { Company } from "./company.ts";
import { decide } from "./model/decide.ts";
import { newModel } from "./model/start.ts";
import type { Step } from "./model/step.ts";
import { show, units } from "./model/units.ts";
import { openPlace, type Place } from "./place.ts";
import { choiceOfAll, histories } from "./steps.ts";
import { Tally } from "./tally.ts";

const FILE = "test/property/open-sums.test.ts";
const HISTORIES = { quick: QUICK ? 30 : 300, most: 600, release: 10_000, from: 1 };
/** Within how many histories a way that forgets the sums must be noticed. */
const WITHIN = 60;
const STEPS = 25;
const TIMEOUT_MS = 3_600_000;
/** Every way in which an open quantity changes, and those of records that sums stand with. */
const WAYS: readonly Step["op"][] = [
  ...(["issue-options", "issue-warrant", "post-security", "transfer", "exercise", "cancel", "retract"] as const),
  ...(["delete-security", "patch-security", "split", "terminate-service"] as const),
];
const OTHERS: readonly Step["op"][] = ["issue-shares", "convert", "patch-plan-classes", "delete-plan", "delete-class"];

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

/** Sums by their places, as text; a place without a sum is left out. */
type Sums = Readonly<Record<string, string>>;

const KEPT = `
  select 'class ' || id || ' options' as place, openOptions as sum from share_classes where orgId = :orgId
  union all select 'class ' || id || ' warrants', openWarrants from share_classes where orgId = :orgId
  union all select 'plan ' || id || ' options', openOptions from equity_plans where orgId = :orgId
  union all select 'organization options', openOptions from organizations where id = :orgId`;
const LISTED = `
  select type, quantity, stockClassId, equityPlanId from securities
  where orgId = :orgId and status = 'ACTIVE' and deletedAt is null and type in ('STOCK_OPTION', 'WARRANT')`;

/** The sums that the records keep. */
function keptIn({ tx, orgId }: Company): Sums {
  const rows = tx.sqlite.prepare<[object], { place: string; sum: string }>(KEPT).all({ orgId });
  return Object.fromEntries(rows.filter(({ sum }) => sum !== "0").map((row) => [row.place, row.sum]));
}

/** The sums of the securities, one by one. */
function listedIn({ tx, orgId }: Company): Sums {
  const sums = new Map<string, bigint>();
  const rows = tx.sqlite.prepare<[object], Record<string, string | null>>(LISTED).all({ orgId });
  for (const { type, quantity, stockClassId, equityPlanId } of rows) {
    const isOption = type === "STOCK_OPTION";
    if (!isOption && stockClassId === null) continue;
    const holder =
      stockClassId !== null ? `class ${stockClassId}` : equityPlanId !== null ? `plan ${equityPlanId}` : "organization";
    const at = `${holder} ${isOption ? "options" : "warrants"}`;
    sums.set(at, (sums.get(at) ?? 0n) + units(quantity ?? ""));
  }
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0n).map(([at, sum]) => [at, show(sum)]));
}

/** Writes sums back, as if a step had not moved them. */
function restore(
  { tx, orgId }: Company,
  kept: readonly (readonly [sql: string, id: string, sums: readonly string[]])[],
) {
  for (const [sql, id, sums] of kept) tx.sqlite.prepare(sql).run(...sums, orgId, id);
}

function columnsIn({ tx, orgId }: Company) {
  const of = (table: string, columns: readonly string[], idOf: string) =>
    tx.sqlite
      .prepare<[string], Record<string, string>>(`select id, ${columns} from ${table} where ${idOf} = ?`)
      .all(orgId)
      .map((row) => {
        const set = columns.map((name) => `${name} = ?`);
        const sums = columns.map((name) => row[name] ?? "");
        return [`update ${table} set ${set} where ${idOf} = ? and id = ?`, row.id ?? "", sums] as const;
      });
  return [
    ...of("share_classes", ["openOptions", "openWarrants"], "orgId"),
    ...of("equity_plans", ["openOptions"], "orgId"),
    ...of("organizations", ["openOptions"], "id"),
  ];
}

/** Does choices and compares the sums after each step; `forgets` names a way that leaves the sums as they were. */
function live(tx: Tx, choices: readonly Choice[], tally?: Tally, forgets?: Step["op"]): void {
  const company = new Company(tx);
  let model = newModel();
  for (const choose of choices) {
    const step = choose(model);
    if (step === null) continue;
    const before = forgets === step.op ? columnsIn(company) : [];
    const { isDone } = company.run(step);
    const decided = decide(model, step);
    // The model knows no certificate number that the service chose, and allows what is refused for one.
    if (isDone && !("after" in decided)) throw new Error(`${JSON.stringify(step)} was done against the model`);
    tally?.count(step.op, isDone);
    if (isDone && "after" in decided) model = decided.after;
    restore(company, before);
    expect({ step, sums: keptIn(company) }).toEqual({ step, sums: listedIn(company) });
  }
}

const often = histories(STEPS, choiceOfAll([...WAYS, ...OTHERS]));

test(
  "open options and warrants add up to the sums that their classes, plans and the organization keep",
  async () => {
    const tally = new Tally();
    const missing = () => tally.missing([...WAYS, ...OTHERS], []);
    const count = await checkHistories({
      file: FILE,
      ...HISTORIES,
      isMet: () => missing().length === 0,
      choices: often,
      run: (choices) => place.writer.submit((tx) => live(tx, choices, tally)),
    });
    if (mustMeetAll(count)) expect(missing()).toEqual([]);
    const what = `random histories whose sums of open options and warrants were listed after each step (${tally})`;
    proved({ fault: "P1", what, count, seed: String(firstSeed(HISTORIES.from)), result: "0 differences" });
  },
  TIMEOUT_MS,
);

/** Whether a history of this seed notices a way that forgets the sums. */
async function isNoticed(seed: number, forgets: Step["op"]): Promise<boolean> {
  const choices = histories(STEPS, choiceOfAll(["issue-options", "issue-warrant", "issue-shares", forgets]));
  const chosen = fc.sample(choices, { seed, numRuns: 1 }).flat();
  return place.writer.submit((tx) => {
    try {
      live(tx, chosen, undefined, forgets);
      return false;
    } catch (error) {
      if (error instanceof Error && error.message.includes("sums")) return true;
      throw error;
    }
  });
}

// A transfer within a class moves no sum.
test.each(WAYS.filter((op) => op !== "transfer"))("noticed: %s leaves the sums as they were", async (forgets) => {
  for (let seed = 1; seed <= WITHIN; seed++) if (await isNoticed(seed, forgets)) return;
  throw new Error(`not noticed within ${WITHIN} histories`);
});
