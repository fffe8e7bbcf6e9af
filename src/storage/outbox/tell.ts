// What a write tells the background work, in its own commit. It knows nobody who follows: rows wait in the outbox until
// somebody takes them up.

import type { Call } from "../../kernel/call.ts";
import { insertRow, type Tx } from "../database/sql.ts";

/** What happened, as far as it concerns tokens. */
export type ToldKind =
  /** The class is to have a token, or its token the class's present cap. */
  | "tokenize-class"
  /** An entry moved shares of the class. Payload `{movements}`. */
  | "mirror-entry"
  /** The named securities may differ from what they have on chain. Payload `{securityIds}`. */
  | "mirror-securities"
  /** Any stock of the class that a holder has may. Payload `{stakeholderId, after, keys}`, the last two as below. */
  | "mirror-holder"
  /** Any security of the class may. Payload `{after}`: the last security's `seq` that was looked at. */
  | "mirror-class";

/** What it happened to: always something of a class. */
export interface Subject {
  readonly stockClassId: string;
  readonly securityId?: string | null | undefined;
  /** The entry that did it. */
  readonly transactionId?: string;
}

/** Something that happened. */
export interface Told {
  readonly kind: ToldKind;
  readonly subject: Subject;
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** Tells of it in the caller's commit. */
export function tell(tx: Tx, call: Call, { kind, subject, payload = {} }: Told): void {
  const { stockClassId, securityId = null, transactionId = null } = subject;
  insertRow(tx, "outbox", {
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
