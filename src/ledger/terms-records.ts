// What is loaded for operations that change how classes and convertibles convert, or convert stock. Types only.

import type { CalendarDate } from "../kernel/date.ts";
import type { Timestamp } from "../kernel/runtime.ts";
import type { Row } from "../storage/database/sql.ts";

export type TermsRow = Pick<Row<"share_classes">, "id" | "classType" | "pricePerShare" | "conversionRights">;
export type ConvertibleRow = Pick<Row<"securities">, "id" | "convertibleTerms">;

/** All classes that are there, oldest first, and the open convertibles. */
export interface TermsRecords {
  readonly classes: readonly TermsRow[];
  readonly convertibles: readonly ConvertibleRow[];
}

/** An entry that may tell of terms. */
export interface TermsEntry {
  readonly type: string;
  readonly sequence: number;
  readonly effectiveDate: CalendarDate;
  readonly createdAt: Timestamp;
  readonly metadata: string | null;
}

/** All classes that are there, oldest first, and the entries that told how one converts, in the order of recording. */
export interface Conversions {
  readonly classes: readonly TermsRow[];
  readonly entries: readonly TermsEntry[];
}
