// The figure of a class or plan that a reader of the exported adjustments ends with: that of the latest day, and within
// a day the last one. The ledger goes by the order of recording within a day, and imported originals stand before
// entries that were recorded here; if that differs, settle.ts states the figure once more. Pure bookkeeping.
import { type Decimal, parseDecimal } from "../../../../kernel/numbers/decimal.ts";
import type { LedgerEvent } from "../../../../ledger/replay/event.ts";
import { decimalOf, type JsonObject, textOf } from "../../json.ts";

interface Figure {
  readonly date: string;
  readonly figure: Decimal;
}

/** The figures by class or plan. */
export class AdjustedFigures {
  readonly #imported = new Map<string, Figure>();
  readonly #own = new Map<string, Figure>();

  /** Records an imported adjustment, in the order of import. */
  pass({ kind, entry, said }: LedgerEvent): void {
    const { effectiveDate: date } = entry;
    const { stockClassId, equityPlanId, newSharesAuthorized, newSharesReserved } = said;
    const [id, figure] = [stockClassId ?? equityPlanId, newSharesAuthorized ?? newSharesReserved];
    if (kind !== "adjusted" || id === null || figure === null) return;
    put(this.#imported, id, { date, figure: parseDecimal(figure) });
  }

  /** Records an object that is exported after the originals. */
  read(object: JsonObject): void {
    const id = textOf(object, "stock_class_id") ?? textOf(object, "stock_plan_id");
    const figure = decimalOf(object, "new_shares_authorized") ?? decimalOf(object, "shares_reserved");
    if (id !== null && figure !== null) put(this.#own, id, { date: textOf(object, "date") ?? "", figure });
  }

  /** A reader's last figure; null without adjustments. */
  of(id: string): Decimal | null {
    const [imported, own] = [this.#imported.get(id), this.#own.get(id)];
    const isImportedLast = own === undefined || (imported !== undefined && imported.date > own.date);
    return (isImportedLast ? imported : own)?.figure ?? null;
  }
}

function put(figures: Map<string, Figure>, id: string, figure: Figure): void {
  if (figure.date >= (figures.get(id)?.date ?? "")) figures.set(id, figure);
}
