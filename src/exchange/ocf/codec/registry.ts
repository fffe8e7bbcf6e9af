// The registry of record codecs: every kind of record that OCF and the service both know, by table and by object type.
import { type FileType, fileKind } from "../file-types.ts";
import { objectType } from "../schemas/schema-registry.ts";
import { DOCUMENT } from "./document.ts";
import type { CodecTable, RecordCodec } from "./record-codec.ts";
import { STAKEHOLDER } from "./stakeholder.ts";
import { STOCK_CLASS } from "./stock-class.ts";
import { STOCK_LEGEND } from "./stock-legend.ts";
import { STOCK_PLAN } from "./stock-plan.ts";
import { VALUATION } from "./valuation.ts";
import { VESTING_TERMS } from "./vesting-terms.ts";

/** The kinds by table, in an order in which the target of a reference comes first. */
export const CODECS: { readonly [T in CodecTable]: RecordCodec<T> } = {
  documents: DOCUMENT,
  stock_legends: STOCK_LEGEND,
  stakeholders: STAKEHOLDER,
  share_classes: STOCK_CLASS,
  equity_plans: STOCK_PLAN,
  vesting_terms: VESTING_TERMS,
  valuations: VALUATION,
};

/** A codec of any table. */
export type AnyCodec = (typeof CODECS)[CodecTable];

const BY_TYPE: ReadonlyMap<string, AnyCodec> = new Map(
  Object.values(CODECS).map((codec) => [codec.objectType, codec] as const),
);

/** The types of object that become records, in the order of {@link CODECS}. */
export const RECORD_TYPES: readonly string[] = [...BY_TYPE.keys()];

/** How objects of a type become records; null where only their originals are kept. */
export function codecOf(type: string): AnyCodec | null {
  return BY_TYPE.get(type) ?? null;
}

/** The key in `include=` of the file of a table's objects. */
export function fileKeyOf(table: CodecTable): string {
  return fileKeyOfType(objectType(CODECS[table].objectType)?.fileType ?? null);
}

/** The key in `include=` of a file; objects of no file of their own go with the transactions. */
export function fileKeyOfType(fileType: FileType | null): string {
  return fileKind(fileType)?.exportKey ?? "transactions";
}
