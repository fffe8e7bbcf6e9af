// Certificate numbers for securities that an operation makes: the next free `{defaultIdPrefix}{n}` of the class.
import { changeUntold } from "../database/logged.ts";
import type { Reader, Row, Tx } from "../database/sql.ts";
import { findCertificateHolder } from "./store.ts";

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

/**
 * Finds the next free number of the class and remembers where the search may start next time. Without a class the
 * origin's own number gets a suffix: `W-7` becomes `W-7-1`.
 */
export function nextCertificateId(
  tx: Tx,
  orgId: string,
  stockClass: Row<"share_classes"> | undefined,
  origin: Row<"securities"> | undefined,
): string {
  const prefix = stockClass?.defaultIdPrefix ?? `${(origin?.certificateId ?? "SEC").slice(0, LENGTH_MAX - 8)}-`;
  const number = nextFree(tx, orgId, prefix, stockClass?.nextCertificateNumber ?? 1);
  if (stockClass) changeUntold(tx, orgId, "share_classes", stockClass.id, { nextCertificateNumber: number + 1 });
  return `${prefix}${number}`;
}
