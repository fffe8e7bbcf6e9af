// The tables of long writes: what a commit has decided for more rows than it changed.
import type { Generated } from "kysely";
import type { Json } from "../../records/columns.ts";

export interface LongWritesTable {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly kind: "release" | "forget-valuation" | "expect-tokens" | "retry-tokens" | "split";
  readonly subject: string;
  readonly after: number;
  readonly origin: Json;
}

export interface SplitsUnderWayTable {
  readonly orgId: string;
  readonly transactionId: string;
  readonly stockClassId: string;
  readonly numerator: string;
  readonly denominator: string;
  readonly rounding: string;
  readonly equityPlanIds: Json;
  /** The row number of the newest security that it concerns. */
  readonly upTo: number;
  /** When it was recorded. */
  readonly at: string;
}

export interface SplitsApartTable {
  readonly orgId: string;
  readonly securitySeq: number;
}

/** The tables by their names. */
export interface LongWriteTables {
  readonly long_writes: LongWritesTable;
  readonly splits_under_way: SplitsUnderWayTable;
  readonly splits_apart: SplitsApartTable;
}
