// Certificate numbers of new securities: the next free `{defaultIdPrefix}{n}` of the class.
import { changeUntold } from "../../storage/database/log/logged.ts";
import type { SecurityType } from "../../storage/database/schema.ts";
import type { Reader, Row, Tx } from "../../storage/database/sql.ts";
import { findCertificateHolder } from "../store.ts";

const LENGTH_MAX = 50;

/** The number of the next free certificate behind a prefix, from `number` on. */
function nextFree(db: Reader, orgId: string, prefix: string, number: number): number {
  let free = number;
  while (findCertificateHolder(db, orgId, `${prefix}${free}`) !== null) free++;
  return free;
}

/** The certificate number that an operation on the class would give now; nothing is reserved by asking. */
export function peekCertificateId(
  db: Reader,
  { orgId, defaultIdPrefix, nextCertificateNumber }: Row<"share_classes">,
): string {
  return `${defaultIdPrefix}${nextFree(db, orgId, defaultIdPrefix, nextCertificateNumber)}`;
}

/** The free number after the highest of some, with the same beginning: `ES-11` after `ES-9` and `ES-10`. */
export function peekNumberAfter(
  db: Reader,
  orgId: string,
  taken: readonly (string | null)[],
  beginning: string,
): string {
  let [head, highest] = [beginning, 0];
  for (const id of taken) {
    const found = /^(.*?)(\d{1,9})$/.exec(id ?? "");
    if (found === null || Number(found[2]) <= highest) continue;
    [head, highest] = [found[1] ?? "", Number(found[2])];
  }
  return `${head}${nextFree(db, orgId, head, highest + 1)}`;
}

/** A security that needs a number, and its origin. */
interface Numbered {
  readonly type: SecurityType;
  readonly stockClass: Row<"share_classes"> | undefined;
  readonly origin: Row<"securities"> | undefined;
}

/**
 * The number of a security that an operation makes. Of stock it is the next free one of its class, and the class
 * remembers where the search may start next time. A part of an option, a warrant or a convertible is numbered behind
 * what it came of: `ES-1` becomes `ES-1-1`, also where it is for shares of a class.
 */
export function nextCertificateId(tx: Tx, orgId: string, { type, stockClass: classOfIt, origin }: Numbered): string {
  const stockClass = type === "STOCK" ? classOfIt : undefined;
  const prefix = stockClass?.defaultIdPrefix ?? `${(origin?.certificateId ?? "SEC").slice(0, LENGTH_MAX - 8)}-`;
  const number = nextFree(tx, orgId, prefix, stockClass?.nextCertificateNumber ?? 1);
  if (stockClass) changeUntold(tx, orgId, "share_classes", stockClass.id, { nextCertificateNumber: number + 1 });
  return `${prefix}${number}`;
}
