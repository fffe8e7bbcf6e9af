// Compares the records that a row made with the row, cell by cell. A row of an operation may state wrong values, which
// are reported at their cells. A difference in a row that issues is a fault of the program, and nothing may be written.

import { formatDecimal, isSameFigure, multiply, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { getRecord } from "../../../storage/database/records.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { type NamedIds, recordedSecurity } from "../codec/security-columns.ts";
import type { Importing } from "../record/importing.ts";
import { headerOf, placeOf, said } from "../rows/read-field.ts";
import { tell } from "../rows/row.ts";
import type { SheetRow } from "../rows/understand.ts";
import { meansOf, type Recorded, type Said } from "./made.ts";

/** An operation that made the security of a row. */
export interface Operated {
  readonly how: "TRANSFER" | "EXERCISE" | "CONVERSION";
  /** The number of the security that it took from, and how many shares. */
  readonly from: string;
  readonly taken: string;
  /** The price of a share, for an exercise. */
  readonly strike: string | undefined;
}

/** The record of a row differs from the row: a fault of the program, and nothing may be written. */
export class NotAsWritten extends Error {
  override readonly name = "NotAsWritten";

  constructor(row: SheetRow, field: string, made: string) {
    const place = `${placeOf(row)}, ${headerOf(row, field)}`;
    super(`${place}: the row says ${said(row, field)}, and ${made} was recorded. Nothing was written.`);
  }
}

/** Reads back the securities that a row made. */
export function readBack(importing: Importing, id: string, operated: Operated | null): Recorded {
  const { tx, orgId, names } = importing;
  const row = getRecord<Row<"securities">>(tx, "securities", orgId, id);
  const recorded = { ...recordedSecurity(row, names), ...paidOf(row, operated) };
  if (operated === null) return recorded;
  const plain = (text: string): Said => ({ text, means: text });
  return { ...recorded, how: plain(operated.how), from: plain(operated.from), fromQuantity: plain(operated.taken) };
}

/** The payment: an exercise's is its strike for each share that it took; else the stated one. */
function paidOf(row: Row<"securities">, operated: Operated | null): Recorded {
  if (row.type !== "STOCK" && row.type !== "WARRANT") return {};
  const { strike, taken = "0" } = operated ?? {};
  const exercised = strike === undefined ? null : formatDecimal(multiply(parseDecimal(strike), parseDecimal(taken)));
  const paid = operated?.how === "EXERCISE" ? exercised : row.purchasePrice;
  return { consideration: paid === null ? null : { text: paid, means: paid } };
}

/** The fields of a row that only identify the holder. */
const WHO: ReadonlySet<string> = new Set(["holderNumber"]);

/** The fields of a row that its record has otherwise, or not at all. */
export function differing(row: SheetRow, recorded: Recorded, ids: NamedIds): readonly string[] {
  const named: Readonly<Record<string, string | undefined>> = {
    holder: ids.holderId,
    class: ids.classId,
    plan: ids.planId,
    terms: ids.termsId,
    legends: meansOf(ids.legends),
  };
  return [...row.fields.keys()].filter((field) => {
    const made = recorded[field];
    const written = named[field] ?? said(row, field);
    if (made === undefined || written === undefined || WHO.has(field)) return false;
    return made === null || !isSameFigure(made.means, written);
  });
}

/** Throws {@link NotAsWritten} if a row that issues was recorded otherwise than it reads. */
export function assertAsWritten(row: SheetRow, recorded: Recorded, ids: NamedIds): void {
  const [field] = differing(row, recorded, ids);
  if (field !== undefined) throw new NotAsWritten(row, field, recorded[field]?.text ?? "nothing");
}

const WORDS = { TRANSFER: "transfer", EXERCISE: "exercise", CONVERSION: "conversion" } as const;

/** Reports each cell of a row that differs from the result of its operation; returns whether all cells agree. */
export function tellDifferences(
  importing: Importing,
  row: SheetRow,
  { recorded, ids, operated }: { readonly recorded: Recorded; readonly ids: NamedIds; readonly operated: Operated },
): boolean {
  const fields = differing(row, recorded, ids);
  for (const field of fields) {
    const some = field === "quantity" ? `${operated.taken} from ` : "";
    const act = `the ${WORDS[operated.how]} of ${some}${operated.from}`;
    const made = recorded[field]?.text;
    const does = made === undefined ? `${act} makes none` : `${act} makes ${made}`;
    const detail = field === "holder" && made !== undefined ? `${act} is ${made}'s` : does;
    tell(
      importing,
      row,
      "differs-from-source",
      field,
      `${said(row, "certificate")} says ${said(row, field)}; ${detail}`,
    );
  }
  return fields.length === 0;
}
