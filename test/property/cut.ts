// A package in two parts: as an organization exports it, and as it may have been some while before.
import fc from "fast-check";
import { EXPORT_KEYS } from "../../src/exchange/ocf/export/include.ts";
import { packageFiles } from "../../src/exchange/ocf/export/package-files.ts";
import { type OcfPackage, packageOf } from "../../src/exchange/ocf/package.ts";
import type { Reader } from "../../src/storage/database/sql.ts";
import type { Fields } from "../exchange/ocf/objects.ts";
import { TODAY } from "./model/dates.ts";

/** An export, parsed. */
export interface Exported {
  readonly manifest: Fields;
  /** The item files by name, without their transactions. */
  readonly records: Readonly<Record<string, Fields>>;
  readonly transactions: readonly Fields[];
}

const TRANSACTIONS = "transactions.json";
const NO_MD5 = "0".repeat(32);

/** What an organization exports now. */
export function exportedFrom(db: Reader, orgId: string): Exported {
  const files = packageFiles(db, orgId, new Set(EXPORT_KEYS), Date.parse(`${TODAY}T12:00:00Z`));
  const md5s = new Map(files.map(({ name }) => [name, NO_MD5]));
  const parsed = files.map((file) => [file.name, JSON.parse([...file.chunks(md5s)].join(""))] as const);
  const {
    "ocf_manifest.json": manifest,
    [TRANSACTIONS]: list,
    "issuer.json": _,
    ...records
  } = Object.fromEntries(parsed);
  return { manifest, records, transactions: list.items };
}

/** All objects of an export, with these transactions. */
export function objectsOf({ records, transactions }: Exported): Fields[] {
  return [...Object.values(records).flatMap(({ items }) => items as Fields[]), ...transactions];
}

/** The export as a package; fresh each time. */
export function packageWith({ manifest, records, transactions }: Exported): OcfPackage {
  return packageOf(manifest, {
    ...records,
    [TRANSACTIONS]: { file_type: "OCF_TRANSACTIONS_FILE", items: transactions },
  });
}

/** Where a package is cut. */
export interface Cut {
  /** In thousandths of its transactions. */
  readonly place: number;
  /** Whether it is a package that can have been: with what makes its securities, and all that this makes. */
  readonly isWhole: boolean;
}

export const cuts: fc.Arbitrary<Cut> = fc.record({
  place: fc.integer({ min: 0, max: 1000 }),
  isWhole: fc.integer({ min: 0, max: 3 }).map((number) => number > 0),
});

/** The transactions before a cut, in the order of the package. */
export function firstPart(transactions: readonly Fields[], { place, isWhole }: Cut): Fields[] {
  const kept = new Set(transactions.slice(0, Math.round((transactions.length * place) / 1000)));
  if (isWhole)
    for (let size = -1; size !== kept.size; ) {
      size = kept.size;
      for (const each of transactions) if (!kept.has(each) && isNeeded(each, transactions, kept)) kept.add(each);
    }
  return transactions.filter((each) => kept.has(each));
}

/** Whether what is kept speaks of what this one issues, or has what this one makes. */
function isNeeded(object: Fields, transactions: readonly Fields[], kept: ReadonlySet<Fields>): boolean {
  const issued = issuedIn(object);
  if (issued !== null) {
    return [...kept].some(
      (other) => (issuedIn(other) === null && other.security_id === issued) || madeIn(other).includes(issued),
    );
  }
  return madeIn(object).some((id) => [...kept].some((other) => issuedIn(other) === id && transactions.includes(other)));
}

/** The security that an issuance is of; null for other objects. */
export function issuedIn({ object_type: type, security_id: id }: Fields): string | null {
  return String(type).endsWith("_ISSUANCE") ? String(id) : null;
}

/** The securities that a transaction names as its results and balance. */
export function madeIn(object: Fields): string[] {
  const { resulting_security_ids: results, balance_security_id: balance } = object;
  return [...(Array.isArray(results) ? results : []), ...(balance ? [balance] : [])].map(String);
}

export function isSplit({ object_type: type }: Fields): boolean {
  return type === "TX_STOCK_CLASS_SPLIT";
}
