// A database that the program of the version before has filled through its API: it migrates, verifies, and shows every
// figure that was right as it was. What the migration had to interpret is said.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { addDays } from "../../src/kernel/date.ts";
import { type Ask, asking } from "../kit/company.ts";
import { newDataDir, runProgram, serveProgram } from "../kit/program.ts";
import { firstSeed, proved } from "../kit/proof.ts";
import { RELEASE } from "../kit/release.ts";
import { type Counts, live } from "./random-life.ts";

setDefaultTimeout(1_200_000);

/** The executable of the version before, where it is there. */
const BEFORE = process.env.CAPTABLE_BEFORE ?? join(import.meta.dir, "../../../before/captable");
const ENTRIES = RELEASE ? 10_000 : 300;
const TODAY = new Date().toISOString().slice(0, 10);
const DAYS = [-550, -300, -100, -30, 0].map((days) => addDays(TODAY, days));

/** A record as it is shown, without what background work may change at any moment. */
type Shown = Readonly<{ [name: string]: unknown }>;
const PASSING = /^(?:token.*|knownAt|updatedAt)$/;

/** What a program shows of an organization. */
interface Figures {
  readonly tables: readonly Shown[];
  readonly classes: readonly Shown[];
  readonly plans: readonly Shown[];
  readonly securities: readonly Shown[];
  readonly entries: readonly Shown[];
  readonly vesting: Readonly<{ [securityId: string]: Shown }>;
}

/** Without the members that background work may change. */
function lasting<T>(shown: T): T {
  return JSON.parse(JSON.stringify(shown), (name, value) => (PASSING.test(name) ? undefined : value));
}

async function all(ask: Ask, path: string): Promise<Shown[]> {
  const found: Shown[] = [];
  let cursor = "";
  do {
    const page = await ask("GET", `${path}?limit=100${cursor}`);
    found.push(...(page.items ?? page.data));
    cursor = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : "";
  } while (cursor !== "");
  return found;
}

async function figuresOf(ask: Ask): Promise<Figures> {
  const securities = await all(ask, "/securities");
  const vesting: { [securityId: string]: Shown } = {};
  for (const { id } of securities) vesting[String(id)] = await ask("GET", `/securities/${id}/vesting`);
  const tables: Shown[] = [];
  for (const day of DAYS) tables.push(await ask("GET", `/cap-table?asOf=${day}`));
  tables.push(await ask("GET", "/cap-table"), await ask("GET", "/cap-table/summary"));
  const classes = await all(ask, "/share-classes");
  const [plans, entries] = [await all(ask, "/equity-plans"), await all(ask, "/transactions")];
  return lasting({ tables, classes, plans, securities, entries, vesting });
}

describe.skipIf(!existsSync(BEFORE))(
  "a company of the version before (skipped where that program is not there)",
  () => {
    const dataDir = newDataDir();
    let counts: Counts;
    let before: Figures;
    let after: Figures;
    let said: string;

    beforeAll(async () => {
      const old = await serveProgram(dataDir, {}, { program: [BEFORE] });
      try {
        counts = await live(asking(old.url, old.key), ENTRIES, TODAY, firstSeed());
        before = await figuresOf(asking(old.url, old.key));
      } finally {
        await old.end();
      }
      const migrated = await runProgram(["migrate", "--data-dir", dataDir]);
      expect([migrated.status, migrated.stderr]).toEqual([0, ""]);
      said = migrated.stdout;
      const served = await serveProgram(dataDir);
      try {
        after = await figuresOf(asking(served.url, served.key));
      } finally {
        await served.end();
      }
    });
    afterAll(() => rmSync(dirname(dataDir), { recursive: true, force: true }));

    test("did everything in its life, and is told what was interpreted", () => {
      const kinds = ["issue-options", "transfer", "exercise", "convert", "cancel", "repurchase", "retract", "split"];
      expect(kinds.filter((kind) => counts[kind] === undefined)).toEqual([]);
      expect(before.entries.length).toBeGreaterThanOrEqual(ENTRIES);
      expect(said).toMatch(/\d+ transfers and exercises go on vesting by the terms that what they made inherited\./);
    });

    test("verifies without a difference", async () => {
      const ended = await runProgram(["verify", "--data-dir", dataDir]);
      expect([ended.status, ended.stdout.includes("No difference.")]).toEqual([0, true]);
    });

    test("shows the same cap table, on every day", () => {
      for (const [index, table] of before.tables.entries()) {
        expect(after.tables[index]).toMatchObject(table);
      }
    });

    test("shows the same classes and plans", () => {
      expect(after.classes).toMatchObject([...before.classes]);
      expect(after.plans).toMatchObject([...before.plans]);
    });

    test("shows the same securities and the same ledger", () => {
      expect(after.securities).toMatchObject([...before.securities]);
      expect(after.entries).toMatchObject([...before.entries]);
    });

    test("vests as it did, what was never divided", () => {
      const whole = undivided(before);
      expect(whole.length).toBeGreaterThan(ENTRIES / 50);
      for (const id of whole) expect(after.vesting[id]).toMatchObject({ ...before.vesting[id] });
      const what = `entries of the version before, migrated (${Object.entries(counts).map((each) => each.join(" "))})`;
      proved({ fault: "U3", what, count: before.entries.length, seed: String(firstSeed()), result: "0 differences" });
    });
  },
);

/** The securities that have vested by the terms of their grant alone: nothing was taken off them or corrected. */
function undivided({ securities, entries }: Figures): string[] {
  const plain = /^(?:VESTING_|TX_.*ISSUANCE|.*ISSUANCE$|STOCK_SPLIT)/;
  const touched = new Set(entries.flatMap(({ type, securityId }) => (plain.test(String(type)) ? [] : [securityId])));
  const isPlain = ({ id, originSecurityId }: Shown) => originSecurityId === null && !touched.has(id);
  return securities.filter(isPlain).map(({ id }) => String(id));
}
