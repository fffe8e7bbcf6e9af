// A database of its own for each import, and what the cap table in it adds up to, in the words of the oracle.
import { rmSync } from "node:fs";
import type { ImportReport } from "../../../src/exchange/ocf/import/report.ts";
import { importPackage } from "../../../src/exchange/ocf/import/run.ts";
import { isObject } from "../../../src/exchange/ocf/json.ts";
import { type OcfPackage, packageOf } from "../../../src/exchange/ocf/package.ts";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "../../../src/kernel/numbers/decimal.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { listOrganizations } from "../../../src/resources/organization/store.ts";
import { makeFirstOrganization, prepareDatabase } from "../../../src/server/service/bootstrap.ts";
import { openDataDirectory } from "../../../src/storage/data-dir/directory.ts";
import type { Reader, Row } from "../../../src/storage/database/sql.ts";
import { Writer } from "../../../src/storage/database/writer.ts";
import { migratedDataDir } from "../../kit/migrated.ts";

/** An organization in a fresh database. */
export interface Company {
  readonly db: Reader;
  readonly writer: Writer;
  readonly orgId: string;
  import(ocf: OcfPackage): Promise<ImportReport>;
  close(): void;
}

/** Makes a fresh database with one organization that has no name yet. */
export async function newCompany(): Promise<Company> {
  const dataDir = await migratedDataDir();
  const db = openDataDirectory(dataDir);
  db.sqlite.pragma("synchronous = OFF");
  const environment = await prepareDatabase(db, "test");
  const writer = new Writer(db, (error) => {
    throw error;
  });
  await writer.submit((tx) => makeFirstOrganization(tx, systemRuntime, environment));
  const orgId = listOrganizations(db)[0]?.id ?? "";
  return {
    db,
    writer,
    orgId,
    import: (ocf) => importPackage({ writer, call: () => commandLineCall(systemRuntime, orgId) }, ocf),
    close() {
      db.sqlite.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A package of the given objects, each in the file of its kind. */
export function packageWith(objects: readonly Readonly<Record<string, unknown>>[], issuer: object = {}): OcfPackage {
  const files: Record<string, { file_type: string; items: unknown[] }> = {};
  for (const object of objects) {
    const kind = String(object.object_type);
    const name = /^(TX|CE)_/.test(kind) ? "TRANSACTIONS" : (FILES.get(kind) ?? "TRANSACTIONS");
    files[name.toLowerCase()] ??= { file_type: `OCF_${name}_FILE`, items: [] };
    files[name.toLowerCase()]?.items.push(object);
  }
  const named = Object.fromEntries(Object.entries(files).map(([name, file]) => [`${name}.json`, file]));
  return packageOf({ ...MANIFEST, issuer: { ...ISSUER, ...issuer } }, named);
}

const MANIFEST = { ocf_version: "1.2.0", as_of: "2026-01-01", generated_at: "2026-01-01T00:00:00Z" };
const ISSUER = {
  object_type: "ISSUER",
  id: "issuer",
  legal_name: "Acme",
  formation_date: "2019-05-01",
  country_of_formation: "US",
};

const FILES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    STAKEHOLDER: "STAKEHOLDERS",
    STOCK_CLASS: "STOCK_CLASSES",
    STOCK_PLAN: "STOCK_PLANS",
    STOCK_LEGEND_TEMPLATE: "STOCK_LEGEND_TEMPLATES",
    VESTING_TERMS: "VESTING_TERMS",
    VALUATION: "VALUATIONS",
    DOCUMENT: "DOCUMENTS",
    FINANCING: "FINANCINGS",
  }),
);

/** Sums by name, as decimal texts; zeros are left out. */
type Sums = Readonly<Record<string, string>>;

/** What a cap table adds up to. Holdings are keyed `holder|kind|class or plan`. */
export interface Totals {
  readonly classes: Readonly<Record<string, { readonly issued: string; readonly authorized: string }>>;
  readonly plans: Readonly<Record<string, { readonly reserved: string; readonly available: string }>>;
  readonly holdings: Sums;
}

/** The totals in the database. */
export function storedTotals({ db, orgId }: Company): Totals {
  const all = <R>(table: string) =>
    db.sqlite.prepare<[string], R>(`select * from ${table} where orgId = ? and deletedAt is null`).all(orgId);
  const sums = new Map<string, Decimal>();
  for (const row of all<Row<"securities">>("securities")) {
    if (row.status !== "ACTIVE" || row.stakeholderId === null) continue;
    const key = `${row.stakeholderId}|${row.type}|${bucket(row)}`;
    sums.set(key, (sums.get(key) ?? ZERO) + parseDecimal(row.quantity));
  }
  const classes = all<Row<"share_classes">>("share_classes").map(({ id, issued, currentSharesAuthorized }) => {
    return [id, { issued, authorized: plain(currentSharesAuthorized) }] as const;
  });
  const plans = all<Row<"equity_plans">>("equity_plans").map(({ id, totalSharesReserved, currentSharesReserved }) => {
    return [id, { reserved: plain(totalSharesReserved), available: plain(currentSharesReserved) }] as const;
  });
  return { classes: Object.fromEntries(classes), plans: Object.fromEntries(plans), holdings: texts(sums) };
}

function bucket({ type, stockClassId, equityPlanId }: Row<"securities">): string {
  if (type === "STOCK") return stockClassId ?? "";
  return type === "STOCK_OPTION" ? (equityPlanId ?? "") : "";
}

function texts(sums: ReadonlyMap<string, Decimal>): Sums {
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== ZERO).map(([key, sum]) => [key, formatDecimal(sum)]));
}

/** A number without needless zeros; a word as it is. */
function plain(text: string): string {
  return /^[0-9.]+$/.test(text) ? formatDecimal(parseDecimal(text)) : text;
}

type Tree = Readonly<Record<string, unknown>>;

/** The totals that the oracle prints, but for holders that the package does not hold. */
export function oracleTotals(printed: Tree, holders: ReadonlySet<string>): Totals {
  const tree = (value: unknown): Tree => (isObject(value) ? value : {});
  const entries = (value: unknown) => Object.entries(tree(value)).map(([id, each]) => [id, tree(each)] as const);
  const classes = entries(printed.stockClasses).map(([id, each]) => {
    return [
      id,
      { issued: String(each.issued), authorized: plain(String(each.authorized ?? "NOT APPLICABLE")) },
    ] as const;
  });
  const plans = entries(printed.stockPlans).map(([id, each]) => {
    return [id, { reserved: String(each.reserved), available: String(each.available) }] as const;
  });
  const sums = new Map<string, Decimal>();
  const add = (key: string, quantity: unknown) => {
    sums.set(key, (sums.get(key) ?? ZERO) + parseDecimal(String(quantity)));
  };
  for (const [holder, each] of entries(printed.stakeholders)) {
    if (!holders.has(holder)) continue;
    for (const [id, quantity] of Object.entries(tree(each.stock))) add(`${holder}|STOCK|${id}`, quantity);
    for (const [id, quantity] of Object.entries(tree(each.equityCompensation))) {
      add(`${holder}|STOCK_OPTION|${id === "(no plan)" ? "" : id}`, quantity);
    }
    add(`${holder}|WARRANT|`, each.warrants ?? "0");
    for (const quantity of Object.values(tree(each.convertibles))) add(`${holder}|CONVERTIBLE|`, quantity);
  }
  return { classes: Object.fromEntries(classes), plans: Object.fromEntries(plans), holdings: texts(sums) };
}
