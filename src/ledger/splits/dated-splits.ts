// Dated splits: an organization's splits by day, and the split-adjusted price of earlier valuations.

import type { CalendarDate } from "../../kernel/date.ts";
import { splitPrice } from "../../kernel/numbers/split-figures.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { membersOf } from "../members.ts";
import { splitIn, toDraft } from "../replay/replay.ts";
import { listSplits } from "../replay/replay-store.ts";
import type { Split } from "./stock-split.ts";

/** A split with its day, and the place in the ledger of its first entry. */
export interface DatedSplit extends Split {
  readonly date: CalendarDate;
  readonly sequence: number;
}

/** The splits by day, those of one day in the order of recording. A split of several entries is one split. */
export function listDatedSplits(db: Reader, orgId: string): readonly DatedSplit[] {
  const seen = new Set<string>();
  const splits = listSplits(db, orgId).flatMap((row): DatedSplit[] => {
    const draft = toDraft(row);
    const split = splitIn(row);
    if (draft === null || split === null) return [];
    // An import splits piece by piece, and stock that it brings after a split made here by an entry that names that.
    const piece = `${split.stockClassId} ${membersOf(draft).imported.objectId ?? row.id}`;
    if (seen.has(piece)) return [];
    seen.add(piece);
    return [{ ...split, date: row.effectiveDate, sequence: row.sequence }];
  });
  return splits.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

type Priced = Pick<Row<"valuations">, "effectiveDate" | "stockClassId" | "pricePerShare">;
/**
 * A valuation's price in shares of its class as they are on a day: after the splits of the class since the valuation,
 * up to that day.
 */
export function priceInSharesOn(day: CalendarDate, valuation: Priced, splits: readonly DatedSplit[]): string {
  const upTo = splits.filter(({ date }) => date <= day);
  return priceInSharesOf({ type: "STOCK", grantDate: day }, valuation, upTo);
}

type Held = Pick<Row<"securities">, "type" | "grantDate">;

/**
 * A valuation's price in the shares of a security: after all splits since the valuation. An imported split moves stock
 * alone: for an option or a warrant it counts only if that was issued after it.
 */
export function priceInSharesOf(
  { type, grantDate }: Held,
  { effectiveDate, stockClassId, pricePerShare }: Priced,
  splits: readonly DatedSplit[],
): string {
  const moved = ({ date, isStockOnly, ...split }: DatedSplit) =>
    split.stockClassId === stockClassId &&
    date > effectiveDate &&
    (!isStockOnly || type === "STOCK" || date <= grantDate);
  return splits.filter(moved).reduce((price, split) => splitPrice(price, split) ?? price, pricePerShare);
}
