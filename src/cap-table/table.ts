// Lays a replayed cap table out as the API shows it: by class, plan and holder, with exact sums and rounded shares of
// the whole. Pure.
import type { Row } from "../database/sql.ts";
import type { CalendarDate } from "../kernel/date.ts";
import { type Decimal, divideHalfEven, formatDecimal, max, sum, ZERO } from "../kernel/decimal.ts";
import type { Timestamp } from "../kernel/runtime.ts";
import type { Counted } from "../ledger/counting.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { SecurityState } from "../ledger/types.ts";

/** The moment that a table shows: what counted on `asOf` by what was known at `knownAt`. */
export interface Moment {
  readonly asOf: CalendarDate;
  readonly knownAt: Timestamp;
}

/** Names for what the ledger knows by id, oldest first, deleted records included. */
export interface Names {
  readonly classes: readonly Row<"share_classes">[];
  readonly plans: readonly Row<"equity_plans">[];
  readonly stakeholders: readonly Pick<Row<"stakeholders">, "id" | "displayName">[];
}

interface Holding {
  readonly stock: Map<string, Decimal>;
  options: Decimal;
  warrants: Decimal;
}

/** Builds the answer of `GET /cap-table` out of a replayed state. */
export function layOutTable(moment: Moment, state: LedgerState, counted: Counted, names: Names) {
  const open = [...state.securities.values()].filter(({ status, quantity }) => status === "ACTIVE" && quantity > ZERO);
  const equityPlans = layOutPlans(moment, state, counted, names.plans);
  const ofType = (type: SecurityState["type"]) =>
    sum(open.filter((security) => security.type === type).map(({ quantity }) => quantity));
  const [outstanding, options, warrants] = [ofType("STOCK"), ofType("STOCK_OPTION"), ofType("WARRANT")];
  // A plan that an import overdrew has nothing available; it takes nothing from the others' shares either.
  const poolAvailable = sum(equityPlans.map(({ available }) => max(available, ZERO)));
  const fullyDiluted = outstanding + options + warrants + poolAvailable;
  return {
    ...moment,
    shareClasses: layOutClasses(moment, state, counted, names.classes),
    equityPlans: equityPlans.map((plan) => ({ ...plan, available: formatDecimal(plan.available) })),
    stakeholders: layOutHolders(open, names, outstanding, fullyDiluted),
    convertibles: open
      .filter(({ type }) => type === "CONVERTIBLE")
      .map(({ id, stakeholderId, quantity }) => ({ securityId: id, stakeholderId, quantity: formatDecimal(quantity) })),
    totals: {
      outstanding: formatDecimal(outstanding),
      options: formatDecimal(options),
      warrants: formatDecimal(warrants),
      poolAvailable: formatDecimal(poolAvailable),
      fullyDiluted: formatDecimal(fullyDiluted),
    },
  };
}

/** What says when a class or a plan is there. */
interface Lasting {
  readonly id: string;
  readonly createdAt: string;
  readonly deletedAt: string | null;
}

const DATE_LENGTH = 10;

/**
 * Whether a class or plan counts (TRUTH section 4): it was known, its day has come, or that of the first counted entry
 * which names it, and it is not deleted. One that is deleted counts before its deletion where a counted entry names it.
 */
function counts(row: Lasting, since: CalendarDate | null, moment: Moment, { named }: Counted): boolean {
  if (row.createdAt > moment.knownAt) return false;
  const first = named.get(row.id);
  const begins = since ?? row.createdAt.slice(0, DATE_LENGTH);
  if (begins > moment.asOf && (first === undefined || first > moment.asOf)) return false;
  if (row.deletedAt === null || row.deletedAt > moment.knownAt) return true;
  return first !== undefined && row.deletedAt.slice(0, DATE_LENGTH) > moment.asOf;
}

/** The earlier of a class's approvals. */
function approvedOn({ boardApprovalDate: board, stockholderApprovalDate: holders }: Row<"share_classes">) {
  if (board === null || holders === null) return board ?? holders;
  return board < holders ? board : holders;
}

function layOutClasses(moment: Moment, state: LedgerState, counted: Counted, rows: readonly Row<"share_classes">[]) {
  const shown = rows.filter(
    (row) => counts(row, approvedOn(row), moment, counted) || state.stockClass(row.id).issued !== ZERO,
  );
  return shown.map((row) => {
    const { authorized, issued } = state.stockClass(row.id);
    const { id, name, classType, initialSharesAuthorized: word } = row;
    return {
      id,
      name,
      classType,
      authorized: authorized === null ? word : formatDecimal(authorized),
      issued: formatDecimal(issued),
      available: authorized === null ? word : formatDecimal(authorized - issued),
    };
  });
}

/** The plans with their whole reserve: only entries have dates, and creating a plan is none. */
function layOutPlans(moment: Moment, state: LedgerState, counted: Counted, rows: readonly Row<"equity_plans">[]) {
  const shown = rows.filter((row) => counts(row, row.adoptedDate ?? row.boardApprovalDate, moment, counted));
  return shown.map(({ id, planName }) => {
    const { reserved, available } = state.plan(id);
    const { granted, exercised } = counted.uses.of(id);
    return {
      id,
      name: planName,
      reserved: formatDecimal(reserved),
      granted: formatDecimal(granted),
      exercised: formatDecimal(exercised),
      available,
    };
  });
}

/** Everybody who holds something, the largest first, ties by creation. */
function layOutHolders(open: readonly SecurityState[], names: Names, outstanding: Decimal, fullyDiluted: Decimal) {
  const holdings = collectHoldings(open);
  const classOrder = names.classes.map(({ id }) => id);
  const known = [...names.stakeholders, { id: null, displayName: null }];
  const rows = known.flatMap(({ id, displayName }) => {
    const holding = holdings.get(id);
    if (!holding) return [];
    const stock = sum(holding.stock.values());
    return [{ id, displayName, holding, stock, total: stock + holding.options + holding.warrants }];
  });
  rows.sort((a, b) => (a.total === b.total ? 0 : a.total > b.total ? -1 : 1));
  return rows.map(({ id, displayName, holding, stock, total }) => ({
    id,
    displayName,
    outstanding: formatDecimal(stock),
    options: formatDecimal(holding.options),
    warrants: formatDecimal(holding.warrants),
    fullyDiluted: formatDecimal(total),
    percentOutstanding: formatPercent(stock, outstanding),
    percentFullyDiluted: formatPercent(total, fullyDiluted),
    holdings: classOrder.flatMap((stockClassId) => {
      const quantity = holding.stock.get(stockClassId);
      return quantity === undefined ? [] : [{ stockClassId, quantity: formatDecimal(quantity) }];
    }),
  }));
}

/** What each holder has. Securities without a holder, which only an import can bring, are under null. */
function collectHoldings(open: readonly SecurityState[]): Map<string | null, Holding> {
  const holdings = new Map<string | null, Holding>();
  for (const { type, stakeholderId, stockClassId, quantity } of open) {
    const holding = holdings.get(stakeholderId) ?? { stock: new Map(), options: ZERO, warrants: ZERO };
    holdings.set(stakeholderId, holding);
    if (type === "STOCK" && stockClassId !== null) {
      holding.stock.set(stockClassId, (holding.stock.get(stockClassId) ?? ZERO) + quantity);
    }
    if (type === "STOCK_OPTION") holding.options += quantity;
    if (type === "WARRANT") holding.warrants += quantity;
  }
  return holdings;
}

const PERCENT_PLACES = 6;

/** `part` of `whole` in percent with 6 places, rounded half even; `"0.000000"` of nothing. */
export function formatPercent(part: Decimal, whole: Decimal): string {
  const units = whole === ZERO ? 0n : divideHalfEven(part * 100n * 10n ** BigInt(PERCENT_PLACES), whole);
  const digits = units.toString().padStart(PERCENT_PLACES + 1, "0");
  return `${digits.slice(0, -PERCENT_PLACES)}.${digits.slice(-PERCENT_PLACES)}`;
}
