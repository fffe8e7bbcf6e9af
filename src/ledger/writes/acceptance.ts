// What a security says of its acceptance: asked for, given, and no longer holding once the security is another. Each
// change that makes its holder be asked sets `acceptanceAskedAt`, so that the log's row of it is where to see that one is
// asked (the feed tells `security.updated` with that member, or `security.created`).
import { present } from "../../kernel/assert.ts";
import type { Call } from "../../kernel/call.ts";
import { changeLogged, insertLogged } from "../../storage/database/log/logged.ts";
import { findAny } from "../../storage/database/records.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import type { AcceptanceStatus } from "../../storage/database/tables/acceptance-schema.ts";
import { findHead } from "../store.ts";

type Standing = Pick<Row<"securities">, "asksAcceptance" | "acceptedAt">;

/** The word for what the two columns say. */
export function acceptanceStatusOf({ asksAcceptance, acceptedAt }: Standing): AcceptanceStatus {
  if (acceptedAt !== null) return "ACCEPTED";
  return asksAcceptance === 1 ? "PENDING" : "NOT_ASKED";
}

/** Changes the columns, and those that follow. */
function write(tx: Tx, call: Call, row: Row<"securities">, changes: Partial<Standing>): void {
  const after = { asksAcceptance: row.asksAcceptance, acceptedAt: row.acceptedAt, ...changes };
  const acceptanceStatus = acceptanceStatusOf(after);
  const isAskedNow = acceptanceStatus === "PENDING" && row.acceptanceStatus !== "PENDING";
  const asked = isAskedNow ? { acceptanceAskedAt: call.at } : {};
  changeLogged(tx, call, "securities", row.id, { ...after, acceptanceStatus, ...asked, updatedAt: call.at });
}

function rowOf(tx: Tx, { orgId }: Call, id: string): Row<"securities"> {
  return present(findAny(tx, "securities", orgId, id), `security ${id}`);
}

/** Whether it is to be accepted. */
export function setAsksAcceptance(tx: Tx, call: Call, securityId: string, asks: boolean): void {
  const row = rowOf(tx, call, securityId);
  const asksAcceptance = asks ? 1 : 0;
  if (row.asksAcceptance !== asksAcceptance) write(tx, call, row, { asksAcceptance });
}

/** It was accepted. */
function setAccepted(tx: Tx, call: Call, securityId: string, acceptedAt: string): void {
  write(tx, call, rowOf(tx, call, securityId), { acceptedAt });
}

/** What was accepted is no longer what there is: another figure, other terms, or another holder, who is asked anew. */
export function endAcceptance(tx: Tx, call: Call, securityId: string, { isOthers }: { isOthers: boolean }): void {
  const row = rowOf(tx, call, securityId);
  if (row.acceptedAt !== null) write(tx, call, row, { acceptedAt: null });
  else if (isOthers && row.acceptanceStatus === "PENDING") askAgain(tx, call, securityId);
}

/** Asks once more for what is waited for. */
export function askAgain(tx: Tx, call: Call, securityId: string): void {
  changeLogged(tx, call, "securities", securityId, { acceptanceAskedAt: call.at, updatedAt: call.at });
}

/** An acceptance to record; the rest of its row follows. */
export type GivenAcceptance = Pick<Row<"acceptances">, "securityId" | "stakeholderId" | "kind" | "acceptedAt"> &
  Partial<Omit<Row<"acceptances">, "seq" | "orgId" | "ledgerSequence" | "ledgerHead" | "createdAt">>;

/** Records an acceptance, by which the security is accepted from now on; returns its id. */
export function recordAcceptance(tx: Tx, call: Call, given: GivenAcceptance): string {
  const { sequence: ledgerSequence, hash: ledgerHead } = findHead(tx, call.orgId);
  const id = given.id ?? call.newId();
  const row = { ...given, id, orgId: call.orgId, ledgerSequence, ledgerHead, createdAt: call.at };
  insertLogged(tx, call, "acceptances", row);
  setAccepted(tx, call, given.securityId, given.acceptedAt);
  return id;
}
