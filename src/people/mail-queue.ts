// Mails with links: queued in the transaction that makes the link, with its token sealed, and sent by the follow thread.

import { dirname } from "node:path";
import { problem, refuse } from "../kernel/problem.ts";
import { accountsKeyFile } from "../storage/data-dir/names.ts";
import type { Reader, Tx } from "../storage/database/sql.ts";
import { Seal } from "./sign-in/seal.ts";
import { findMailUrl, type NewMail, queueMail } from "./stores/mail-store.ts";

/** Throws `422` at `#/isMailed` where the service sends no mail. */
export function requireMail(db: Reader): void {
  if (findMailUrl(db) === null) refuse([["#/isMailed", "cannot be true: this server sends no mail"]]);
}

/** Throws `404` where the service sends no mail. */
export function refuseWithoutMail(db: Reader): void {
  if (findMailUrl(db) === null) throw problem("not-found", "This server sends no mail.");
}

/** The seal of links in mails: the key lies beside the database. */
export function sealBeside({ sqlite }: Reader): Seal {
  return new Seal(accountsKeyFile(dirname(sqlite.name)));
}

/** Queues a mail that leads to a link. */
export function queueLinkMail(
  tx: Tx,
  call: { readonly at: string; newId(): string },
  { token, ...mail }: NewMail & { readonly token: string; readonly expiresAt: string },
): void {
  queueMail(tx, call, mail, (id) => sealBeside(tx).seal(token, id));
}
