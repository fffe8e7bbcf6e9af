// Certificate numbers for securities that an operation makes: the next free `{defaultIdPrefix}{n}` of the class.
import { changeUntold } from "../database/logged.ts";
import type { Row, Tx } from "../database/sql.ts";
import { findCertificateHolder } from "./store.ts";

const LENGTH_MAX = 50;

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
  let number = stockClass?.nextCertificateNumber ?? 1;
  while (findCertificateHolder(tx, orgId, `${prefix}${number}`) !== null) number++;
  if (stockClass) changeUntold(tx, orgId, "share_classes", stockClass.id, { nextCertificateNumber: number + 1 });
  return `${prefix}${number}`;
}
