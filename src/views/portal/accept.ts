// Accepting in the portal: what waits for a person, and the record of accepting it. The digest is made anew in the
// transaction, so that nothing but what was shown is accepted.

import type { Call } from "../../kernel/call.ts";
import { notFound, problem } from "../../kernel/problem.ts";
import { recordAcceptance } from "../../ledger/writes/acceptance.ts";
import { showAcceptance } from "../../resources/acceptances/present-acceptance.ts";
import { getAcceptance, refuseUnacceptable } from "../../resources/acceptances/routes.ts";
import { findNewestBy } from "../../resources/acceptances/store.ts";
import { findRecord, hasRecord } from "../../storage/database/records.ts";
import type { Reader, Row, Tx } from "../../storage/database/sql.ts";
import { type Acceptable, readAcceptable, sealed } from "./acceptable.ts";
import type { Own } from "./own.ts";
import { findAcceptingSession, listOwnSecurities } from "./store.ts";

/** What waits for the person, and what was accepted of what the person holds; the caller holds a snapshot. */
export function listAcceptable(db: Reader, own: Own, today: string) {
  const held = listOwnSecurities(db, own.params).filter(
    ({ status, deletedAt, acceptanceStatus }) =>
      status === "ACTIVE" && deletedAt === null && acceptanceStatus !== "NOT_ASKED",
  );
  const items = held.flatMap((row) =>
    row.acceptanceStatus === "PENDING" ? waiting(db, row, today) : [accepted(db, row)],
  );
  return [...items.filter(({ state }) => state === "PENDING"), ...items.filter(({ state }) => state !== "PENDING")];
}

const NONE = { terms: null, documents: [], text: null, digest: null } as const;

function waiting(db: Reader, row: Row<"securities">, today: string) {
  const acceptable = readAcceptable(db, row, today);
  if (acceptable === null) return [];
  return [{ ...stateOf(row), ...told(acceptable), digest: sealed(acceptable).digest, acceptanceId: null }];
}

/** As it was accepted: on paper, and by what an import brought, nothing was shown. */
function accepted(db: Reader, row: Row<"securities">) {
  const { orgId, id: securityId, stakeholderId } = row;
  const found = findNewestBy(db, { orgId, securityId, stakeholderId: stakeholderId ?? "" });
  const shown = found?.shown == null ? NONE : told(JSON.parse(found.shown) as Acceptable);
  return { ...stateOf(row), ...shown, digest: found?.digest ?? null, acceptanceId: found?.id ?? null };
}

function stateOf({ id: securityId, certificateId, acceptanceStatus: state, acceptedAt }: Row<"securities">) {
  return { securityId, certificateId, state, acceptedAt };
}

function told({ terms, documents, text }: Acceptable) {
  return { terms, documents, text };
}

/**
 * Records that the person of a call accepts a security. Throws `404` for another's, `409 invalid-state` where nothing
 * waits, and `412` where it is no longer what was shown.
 */
export function accept(tx: Tx, call: Call, asked: { readonly securityId: string; readonly digest: string }) {
  const { orgId, sessionId, accountId } = call;
  const member = findAcceptingSession(tx, { orgId, sessionId: sessionId ?? "", accountId: accountId ?? "" });
  if (member === null) throw problem("unauthorized", "The session has ended: sign in again.");
  const row = findRecord(tx, "securities", orgId, asked.securityId);
  const own = (JSON.parse(member.stakeholderIds) as string[]).filter((id) => hasRecord(tx, "stakeholders", orgId, id));
  if (row === null || row.stakeholderId === null || !own.includes(row.stakeholderId)) throw notFound("security");
  refuseUnacceptable(row);
  if (row.acceptanceStatus !== "PENDING")
    throw problem("invalid-state", "The organization does not ask for its acceptance.");
  const acceptable = readAcceptable(tx, row, call.today);
  if (acceptable === null) throw problem("invalid-state", `The security is not there yet: it is of ${row.grantDate}.`);
  const { shown, digest } = sealed(acceptable);
  if (digest !== asked.digest) {
    throw problem("precondition-failed", "The terms or documents are no longer what was shown: read them again.");
  }
  const { method, hasSecondFactor, address, userAgent, name, email } = member;
  const id = recordAcceptance(tx, call, {
    ...{ securityId: row.id, stakeholderId: row.stakeholderId, kind: "PORTAL", acceptedAt: call.at, shown, digest },
    ...{ accountId, name, email, method, hasSecondFactor, sessionId, address, userAgent },
  });
  return showAcceptance(getAcceptance(tx, orgId, id), "STAKEHOLDER");
}
