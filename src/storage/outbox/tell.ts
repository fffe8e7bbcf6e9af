// The outbox: a write enqueues rows for the background work in its own commit, without knowing which job processes
// them.

import type { Call } from "../../kernel/call.ts";
import type { Tx } from "../database/sql.ts";
import { adding } from "../database/waiting-rows.ts";

/** Topics, as far as they concern tokens. */
export type ToldKind =
  /** The class needs a token, or its token needs the class's present cap. */
  | "tokenize-class"
  /** An entry moved shares of the class. Payload `{movements}`. */
  | "mirror-entry"
  /** The named securities may differ from their tokens on chain. Payload `{securityIds}`. */
  | "mirror-securities"
  /**
   * Any stock of the class that a holder has may differ. Payload `{stakeholderId, after, keys}`, the last two as below.
   */
  | "mirror-holder"
  /** Any security of the class may differ. Payload `{after}`: the `seq` of the last security checked. */
  | "mirror-class";

/** Its subject: a share class, or a record of one. */
export interface Subject {
  readonly stockClassId: string;
  readonly securityId?: string | null | undefined;
  /** The ledger entry that caused it. */
  readonly transactionId?: string;
}

/** One row of the outbox. */
export interface Told {
  readonly kind: ToldKind;
  readonly subject: Subject;
  readonly payload?: Readonly<Record<string, unknown>>;
}

const addToOutbox = adding("outbox", [
  ...(["orgId", "id", "kind", "stockClassId", "securityId", "transactionId", "payload", "createdAt"] as const),
]);

/** Enqueues it in the caller's commit. */
export function tell(tx: Tx, call: Call, { kind, subject, payload = {} }: Told): void {
  const { stockClassId, securityId = null, transactionId = null } = subject;
  addToOutbox(tx, {
    orgId: call.orgId,
    id: call.newId(),
    kind,
    stockClassId,
    securityId,
    transactionId,
    payload: JSON.stringify(payload),
    createdAt: call.at,
  });
}
