// The columns of a record that hold its object's references, and the ids in them. Pure.
import { DEFAULT_CURRENCY } from "../../../../kernel/text/currency.ts";
import { issuanceFromOcf } from "../../codec/issuance.ts";
import type { CodecTable } from "../../codec/record-codec.ts";
import type { AnyCodec } from "../../codec/registry.ts";
import type { JsonObject } from "../../json.ts";
import type { SecurityFamily } from "../../schemas/schema-registry.ts";
import { NAMED } from "./named-records.ts";

/** A column that names records, and the ids that the object gives for it. */
export interface NamedColumn {
  readonly column: string;
  readonly table: CodecTable;
  /** OCF's member. */
  readonly member: string;
  readonly ids: readonly string[];
  /** Whether the column is a JSON list of ids. */
  readonly isList: boolean;
}

/** The references of an object that is not a transaction; nothing else of it depends on other objects. */
export function namedByRecord({ references, fromOcf }: AnyCodec, value: JsonObject): readonly NamedColumn[] {
  if (references.length === 0) return [];
  const columns: Readonly<Record<string, unknown>> = fromOcf(value, { seniority: 1, currency: DEFAULT_CURRENCY });
  return references.map(({ column, table, member }) => {
    const named = columns[column];
    const isList = member.endsWith("_ids");
    const ids: readonly string[] = typeof named !== "string" ? [] : isList ? JSON.parse(named) : [named];
    return { column, table, member, ids, isList };
  });
}

/** The references of an issuance, except for those that placeholders stand in for. */
export function namedByIssuance(family: SecurityFamily, value: JsonObject): readonly NamedColumn[] {
  const { references, classPath, stockLegendIds } = issuanceFromOcf(family, value);
  const one = (column: string, table: CodecTable, member: string, id: string | null): NamedColumn => {
    return { column, table, member, ids: id === null ? [] : [id], isList: false };
  };
  return [
    one("stakeholderId", NAMED.holder.table, NAMED.holder.path, references.stakeholderId),
    one("stockClassId", NAMED.stockClass.table, String(classPath.at(-1)), references.stockClassId),
    one("vestingTermsId", NAMED.terms.table, NAMED.terms.path, references.vestingTermsId),
    {
      column: "stockLegendIds",
      table: NAMED.legends.table,
      member: NAMED.legends.path,
      ids: [...new Set(stockLegendIds)],
      isList: true,
    },
  ];
}
