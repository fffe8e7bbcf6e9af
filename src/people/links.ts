// Links created, used and revoked: each row together with its event in the log of accounts.

import { readMaker } from "../resources/api-keys/maker.ts";
import { digestColumns, toldColumns } from "../storage/database/log/account-log.ts";
import type { Tx } from "../storage/database/sql.ts";
import type { AccountCall } from "./call.ts";
import { insertLink, type Link, listOpenResetLinks, revokeLink, useLink } from "./stores/link-store.ts";
import { reportEvent } from "./stores/log-store.ts";

/** A link as it is stored, without its place in the table. */
export type NewLink = Omit<Link, "seq">;

/** Stores a new link. `sessionId` is the session of the person who makes it; null if no person does. */
export function makeLink(tx: Tx, call: AccountCall, link: NewLink, sessionId: string | null): void {
  insertLink(tx, link);
  reportEvent(tx, call, { accountId: link.accountId, event: "link-made", data: toldColumns(link), sessionId });
}

/** Marks an open link as used, by an account. */
export function consumeLink(tx: Tx, call: AccountCall, link: Link, accountId: string): void {
  if (useLink(tx, { id: link.id, at: call.at }) === 0) return;
  reportEvent(tx, call, { accountId, event: "link-used", data: { id: link.id, link: digestLink(link) } });
}

/** The digest of a link's current row. */
export function digestLink(link: Link): string {
  return digestColumns(toldColumns(link));
}

/** Revokes a link; answers whether it was open. */
export function revokeOne(tx: Tx, call: AccountCall, { id, accountId }: Pick<Link, "id" | "accountId">): boolean {
  if (revokeLink(tx, { id, at: call.at }) === 0) return false;
  reportEvent(tx, call, { accountId, event: "link-revoked", data: { id } });
  return true;
}

/** Revokes an account's open reset links. */
export function revokeResetLinks(tx: Tx, call: AccountCall, accountId: string): void {
  for (const link of listOpenResetLinks(tx, { accountId })) revokeOne(tx, call, link);
}

/** Revokes an account's open reset links that were asked for without a sign-in, and no other: anybody can ask. */
export function revokeRecoveries(tx: Tx, call: AccountCall, accountId: string): void {
  for (const link of listOpenResetLinks(tx, { accountId })) {
    if (readMaker(link.madeBy).actor === "job") revokeOne(tx, call, link);
  }
}
