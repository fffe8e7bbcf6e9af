// The sheet Pool: the use of each plan's reserve, and its available part. Pure.
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { Company } from "../report-company.ts";
import { type Column, type Sheet, sheetOf } from "../sheet.ts";
import { less, percent, summed, text } from "../sheet-columns.ts";

/** A plan's roll-forward. */
export interface PoolLine {
  readonly name: string;
  readonly reserved: Decimal;
  readonly granted: Decimal;
  readonly stockIssued: Decimal;
  readonly adjusted: Decimal;
  readonly exercised: Decimal;
  readonly cancelled: Decimal;
  readonly returned: Decimal;
  readonly outstanding: Decimal;
  readonly available: Decimal;
}

/** The plans, by creation. */
export function poolLines(company: Company): readonly PoolLine[] {
  const { flows, view, table } = company;
  const used = new Map(
    table.equityPlans.map(({ id }) => [id, { outstanding: ZERO, exercised: ZERO, cancelled: ZERO }]),
  );
  for (const flow of flows.securities.values()) {
    const state = view.state.securities.get(flow.id);
    const use = used.get(state?.equityPlanId ?? "");
    if (!use || state?.type !== "STOCK_OPTION") continue;
    if (state.status === "ACTIVE") use.outstanding += state.quantity;
    use.exercised += flow.exercisedNow;
    use.cancelled += flow.cancelledNow;
  }
  return table.equityPlans.map((plan): PoolLine => {
    const { outstanding, exercised, cancelled } = used.get(plan.id) ?? {
      outstanding: ZERO,
      exercised: ZERO,
      cancelled: ZERO,
    };
    const [reserved, available] = [parseDecimal(plan.reserved), parseDecimal(plan.available)];
    const stockIssued = flows.stockIssued.get(plan.id) ?? ZERO;
    const granted = parseDecimal(plan.granted) - stockIssued;
    return {
      name: plan.name,
      reserved,
      granted,
      stockIssued,
      adjusted: outstanding - granted + exercised + cancelled,
      exercised,
      cancelled,
      returned: available - reserved + granted + stockIssued,
      outstanding,
      available,
    };
  });
}

/** Lays the sheet out. */
export function poolSheet(company: Company): Sheet {
  const rows = poolLines(company);
  const figure = (key: Exclude<keyof PoolLine, "name">, header: string) =>
    summed<PoolLine>(key, header, (line) => formatDecimal(line[key]));
  const columns: Column<PoolLine>[] = [
    text("name", "Plan", ({ name }) => name),
    figure("reserved", "Reserved"),
    figure("granted", "Options granted"),
    figure("stockIssued", "Stock issued"),
    figure("adjusted", "Adjusted"),
    figure("exercised", "Exercised"),
    figure("cancelled", "Cancelled"),
    figure("returned", "Returned to pool"),
    summed(
      "outstanding",
      "Options outstanding",
      (line) => formatDecimal(line.outstanding),
      less(["granted", "adjusted"], "exercised", "cancelled"),
    ),
    summed(
      "available",
      "Available",
      (line) => formatDecimal(line.available),
      less(["reserved", "returned"], "granted", "stockIssued"),
    ),
    percent("used", "% used", ({ reserved, available }) => ({ part: reserved - available, whole: reserved }), {
      formula: { kind: "share", plus: ["reserved"], minus: ["available"], of: { column: "reserved" } },
    }),
  ];
  return sheetOf({ key: "pool", name: "Pool", isSnapshot: true, frozen: 1, columns, rows: () => rows });
}
