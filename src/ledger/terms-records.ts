// What is loaded for operations that change how classes and convertibles convert. Types only.
import type { Row } from "../database/sql.ts";

export type TermsRow = Pick<Row<"share_classes">, "id" | "classType" | "pricePerShare" | "conversionRights">;
export type ConvertibleRow = Pick<Row<"securities">, "id" | "grantDate" | "convertibleTerms">;

/** All classes that are there, oldest first, and the open convertibles. */
export interface TermsRecords {
  readonly classes: readonly TermsRow[];
  readonly convertibles: readonly ConvertibleRow[];
}
