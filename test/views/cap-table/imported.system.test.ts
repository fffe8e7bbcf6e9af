// Views of imported packages on days in the past, against the oracle, an independent calculator that takes a date too.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject, textOf } from "../../../src/exchange/ocf/json.ts";
import { itemsOf, type OcfPackage } from "../../../src/exchange/ocf/package.ts";
import { formatDecimal, parseDecimal, ZERO } from "../../../src/kernel/numbers/decimal.ts";
import { END_OF_TIME } from "../../../src/kernel/runtime.ts";
import { inSnapshot } from "../../../src/storage/database/snapshot.ts";
import { capTableAsOf } from "../../../src/views/cap-table/as-of-route.ts";
import { shownAt } from "../../../src/views/cap-table/fold.ts";
import { layOutTable } from "../../../src/views/cap-table/table.ts";
import { readView, View } from "../../../src/views/cap-table/view.ts";
import { type Company, newCompany, oracleTotals } from "../../exchange/ocf/import-support.ts";
import { readPackage } from "../../exchange/ocf/reading.ts";
import { type CapTable, expectSound } from "../../kit/cap-table.ts";
import { loaded } from "../../kit/loaded-routes.ts";
import { GENERATOR, MATERIAL, ORACLE, PACKAGES } from "../../kit/ocf-material.ts";
import { jsonOf } from "../../kit/reply.ts";
import { runTool } from "../../kit/tool.ts";

const ROOT = join(import.meta.dir, "../../..");
const DAYS = 4;
const LOOKED_UP = 40;

const objectsOf = (ocf: OcfPackage) => [...itemsOf(ocf)].map(({ value }) => value).filter(isObject);

/** Days on which something happened, spread over the package's history. */
function daysOf(ocf: OcfPackage, count = DAYS): string[] {
  const dates = objectsOf(ocf)
    .filter((object) => String(object.object_type).startsWith("TX_"))
    .map((object) => textOf(object, "date"));
  const days = [...new Set(dates.filter((date) => date !== null))].sort();
  const step = Math.max(1, Math.floor(days.length / count));
  return days.filter((_, index) => index % step === 0);
}

async function oracle(path: string, ocf: OcfPackage, asOf: string) {
  const printed = JSON.parse(await runTool(ORACLE, [path, "--partial=reduce", "--all", `--as-of=${asOf}`]));
  const idsOf = (type: string) =>
    new Set(
      objectsOf(ocf)
        .filter((object) => object.object_type === type)
        .map((object) => textOf(object, "id") ?? ""),
    );
  return oracleTotals(printed, idsOf("STAKEHOLDER"));
}

await loaded([capTableAsOf]);

function tableOf({ db, orgId }: Company, asOf: string): CapTable {
  const reply = capTableAsOf.run(db, { orgId, params: {}, query: { asOf }, nowMs: Date.UTC(2100, 0, 1) });
  return (jsonOf(reply) as { readonly data: CapTable }).data;
}

/** Sums by holder and kind (stock by class), zeros left out. */
function sumsOf(parts: readonly (readonly [key: string, quantity: string])[]): Record<string, string> {
  const sums = new Map<string, bigint>();
  for (const [key, quantity] of parts) sums.set(key, (sums.get(key) ?? ZERO) + parseDecimal(quantity));
  return Object.fromEntries(
    [...sums]
      .filter(([, sum]) => sum !== ZERO)
      .map(([key, sum]) => [key, formatDecimal(sum)])
      .sort(),
  );
}

/** What known holders have. The oracle leaves out holdings of stakeholders that the package does not define. */
function shownHoldings({ stakeholders, convertibles }: CapTable) {
  const known = stakeholders.filter(({ id }) => id !== null);
  const open = convertibles.filter(({ stakeholderId }) => stakeholderId !== null);
  return sumsOf([
    ...known.flatMap(({ id, options, warrants, holdings }) => [
      ...holdings.map(({ stockClassId, quantity }) => [`${id}|STOCK|${stockClassId}`, quantity] as const),
      [`${id}|STOCK_OPTION`, options] as const,
      [`${id}|WARRANT`, warrants] as const,
    ]),
    ...open.map(({ stakeholderId, quantity }) => [`${stakeholderId}|CONVERTIBLE`, quantity] as const),
  ]);
}

/** What the oracle has of a day, without the classes and plans that had not begun: of those nothing was issued yet. */
function begun<F extends Figures>(figures: Readonly<Record<string, F>>, shown: readonly { readonly id: string }[]) {
  const ids = new Set(shown.map(({ id }) => id));
  return Object.fromEntries(
    Object.entries(figures).filter(([id, { issued, reserved, available }]) => {
      const isUnused = issued === "0" || (reserved !== undefined && reserved === available);
      return ids.has(id) || !isUnused;
    }),
  );
}

interface Figures {
  readonly issued?: string;
  readonly reserved?: string;
  readonly available?: string;
}

/** Days of imported ledgers, most of them short, are looked up as they are replayed. */
function expectLookedUp({ db, orgId }: Company, days: readonly string[]): void {
  for (const asOf of days) {
    const moment = { asOf, knownAt: END_OF_TIME };
    const [shown, view] = inSnapshot(db, () => [
      shownAt(db, orgId, moment, { today: "2100-01-01", keptFrom: 0 }),
      readView(db, orgId, moment),
    ]);
    expect(shown).not.toBeInstanceOf(View);
    expect({ asOf, told: layOutTable(shown) }).toEqual({ asOf, told: layOutTable(view) });
  }
}

/** Imports a package and compares its views with the oracle's, day by day. */
async function expectSameViews(path: string): Promise<void> {
  const ocf = await readPackage(path);
  const company = await newCompany();
  await company.import(ocf);
  expectLookedUp(company, daysOf(ocf, LOOKED_UP));
  for (const day of daysOf(ocf)) {
    const table = tableOf(company, day);
    expectSound(table);
    const expected = await oracle(path, ocf, day);
    const holdings = Object.entries(expected.holdings).map(([key, quantity]) => {
      const [holder, kind] = key.split("|");
      return [kind === "STOCK" ? key : `${holder}|${kind}`, quantity] as const;
    });
    expect([day, shownHoldings(table)]).toEqual([day, sumsOf(holdings)]);
    // What only stands in for a class or plan that the package lacks is unknown to the oracle before its first security.
    const classes = table.shareClasses
      .filter(({ id, issued }) => id in expected.classes || issued !== "0")
      .map(({ id, issued, authorized }) => [id, { issued, authorized }]);
    expect([day, Object.fromEntries(classes)]).toEqual([day, begun(expected.classes, table.shareClasses)]);
    const plans = table.equityPlans
      .filter(({ id, available }) => id in expected.plans || available !== "0")
      .map(({ id, reserved, available }) => [id, { reserved, available }]);
    expect([day, Object.fromEntries(plans)]).toEqual([day, begun(expected.plans, table.equityPlans)]);
  }
  company.close();
}

describe("the oracle agrees with every view of", () => {
  for (const path of PACKAGES) test(path.slice(MATERIAL.length + 1), () => expectSameViews(path), 60_000);

  test("a generated package", async () => {
    const folder = mkdtempSync(join(tmpdir(), "captable-views-"));
    const path = join(folder, "generated.zip");
    const command = [process.execPath, GENERATOR, "400", "7", path, "--layout=ocf"];
    const env = { ...process.env, NODE_PATH: join(ROOT, "node_modules") };
    expect(await Bun.spawn(command, { cwd: ROOT, env, stdout: "ignore" }).exited).toBe(0);
    await expectSameViews(path);
    rmSync(folder, { recursive: true });
  }, 60_000);
});
