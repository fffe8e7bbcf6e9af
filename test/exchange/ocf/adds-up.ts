// Whether an organization's export adds up to what the organization has: for a reader of our own, and for the oracle
// where it is at hand.
import { expect } from "bun:test";
import { type Decimal, formatDecimal, parseDecimal, sum, ZERO } from "../../../src/kernel/numbers/decimal.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import type { TestServer } from "../../kit/service.ts";
import { type Exported, exportOf, tool } from "./export/support.ts";
import { type ReadTotals, readTotals } from "./reader.ts";

interface SecurityShown {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly quantity: string;
  readonly stakeholderId: string | null;
  readonly stockClassId: string | null;
}

const FAMILIES: Readonly<Record<string, string>> = { STOCK_OPTION: "EQUITY_COMPENSATION" };

/** A number without needless zeros; a word as it is. */
function plain(text: string): string {
  return /^-?[0-9.]+$/.test(text) ? formatDecimal(parseDecimal(text)) : text;
}

/** Reads every item of a list that the API has. */
export type ReadAll = <T>(path: string) => Promise<T[]>;

function allFrom(server: TestServer, orgId: string): ReadAll {
  return async <T>(path: string) => {
    const items: T[] = [];
    for (let cursor = ""; ; ) {
      const { json } = await server.api("GET", `${path}?limit=100${cursor}`, undefined, { orgId });
      items.push(...json.items);
      if (!json.nextCursor) return items;
      cursor = `&cursor=${json.nextCursor}`;
    }
  };
}

/** What the API shows, in the reader's terms. */
export function shownTotals(server: TestServer, orgId: string): Promise<ReadTotals> {
  return totalsOf(allFrom(server, orgId));
}

/** What lists of the API show, in the reader's terms. */
export async function totalsOf(allOf: ReadAll): Promise<ReadTotals> {
  const [holdings, classes] = [new Map<string, Decimal>(), new Map<string, Decimal>()];
  const add = (to: Map<string, Decimal>, key: string, quantity: string) =>
    void to.set(key, (to.get(key) ?? ZERO) + parseDecimal(quantity));
  for (const each of await allOf<SecurityShown>("/securities")) {
    if (each.status !== "ACTIVE") continue;
    const classId = each.type === "STOCK" ? String(each.stockClassId) : "";
    if (each.type === "STOCK") add(classes, classId, each.quantity);
    add(holdings, `${each.stakeholderId}|${FAMILIES[each.type] ?? each.type}|${classId}`, each.quantity);
  }
  const plans = await allOf<Record<string, string>>("/equity-plans");
  const shareClasses = await allOf<Record<string, string>>("/share-classes");
  const texts = (from: ReadonlyMap<string, Decimal>) =>
    Object.fromEntries([...from].filter(([, held]) => held !== ZERO).map(([key, held]) => [key, formatDecimal(held)]));
  return {
    classes: texts(classes),
    authorized: Object.fromEntries(
      shareClasses.map(({ id = "", currentSharesAuthorized = "" }) => [id, plain(currentSharesAuthorized)]),
    ),
    holdings: texts(holdings),
    plans: Object.fromEntries(
      plans.map(({ id = "", totalSharesReserved = "", currentSharesReserved = "" }) => [
        id,
        { reserved: plain(totalSharesReserved), available: plain(currentSharesReserved) },
      ]),
    ),
  };
}

/** The export adds up to what the API shows, summary included, and the ledger explains every row. */
export async function expectAddsUp(server: TestServer, orgId: string): Promise<ReadTotals> {
  const [shown, exported] = [await shownTotals(server, orgId), await exportOf(server, orgId)];
  expect(readTotals(exported.objects)).toEqual(shown);
  const summary = (await server.api("GET", "/cap-table/summary", undefined, { orgId })).json.data;
  const issued = formatDecimal(sum(Object.values(shown.classes).map(parseDecimal)));
  expect(plain(summary.totalIssued)).toBe(issued);
  expect(verifyDatabase(server.app.reader, orgId).differences).toEqual([]);
  await expectOracleAgrees(exported, issued);
  return shown;
}

async function expectOracleAgrees({ path }: Exported, issued: string): Promise<void> {
  const printed = JSON.parse(await tool("ocf-oracle.mjs", path, "--partial=reduce", "--all", "--brief"));
  expect(plain(printed.totalIssued)).toBe(issued);
}
