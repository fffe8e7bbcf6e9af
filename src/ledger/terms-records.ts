// Facts for operations that change conversion terms, or convert stock. Types only.

import type { CalendarDate } from "../kernel/date.ts";
import type { Timestamp } from "../kernel/runtime.ts";
import type { Row } from "../storage/database/sql.ts";

export type TermsRow = Pick<Row<"share_classes">, "id" | "classType" | "pricePerShare" | "conversionRights">;
export type ConvertibleRow = Pick<Row<"securities">, "id" | "convertibleTerms">;

/** All existing classes, oldest first, and the open convertibles. */
export interface TermsRecords {
  readonly classes: readonly TermsRow[];
  readonly convertibles: readonly ConvertibleRow[];
}

/** An entry that may set terms. */
export interface TermsEntry {
  readonly type: string;
  readonly sequence: number;
  readonly effectiveDate: CalendarDate;
  readonly createdAt: Timestamp;
  readonly metadata: string | null;
}

/** All existing classes, oldest first, and the entries that set how one converts, in the order of recording. */
export interface Conversions {
  readonly classes: readonly TermsRow[];
  readonly entries: readonly TermsEntry[];
}
