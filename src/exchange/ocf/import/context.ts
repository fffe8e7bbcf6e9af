// Input and output of every importing function.

import type { Call } from "../../../kernel/call.ts";
import type { Facts } from "../../../ledger/operation.ts";
import type { NewSecurityRow } from "../../../ledger/writes/rows.ts";
import type { PendingLog } from "../../../storage/database/log/log-rows.ts";
import type { Row, Tx } from "../../../storage/database/sql.ts";
import type { Counted } from "../codec/counted.ts";
import type { OwnObjects } from "./changed/own-objects.ts";
import type { Refused } from "./changed/refused.ts";
import type { LedgerWatch } from "./changed/watch.ts";
import type { Faults } from "./faults.ts";
import type { Known } from "./known.ts";
import type { LimitWatch } from "./limit-watch.ts";
import type { ImportPlan } from "./plan.ts";
import type { ReportBuilder } from "./report.ts";

/** One write transaction of an import: the package in order, and the report. */
export interface ImportContext {
  /** The log tells at the transaction's end what it did: once for each row. */
  readonly tx: Tx & { readonly pending: PendingLog };
  readonly call: Call;
  /** The organization's currency. */
  readonly currency: string;
  readonly plan: ImportPlan;
  readonly report: ReportBuilder;
  readonly limits: LimitWatch;
  /** What the validator finds about the package's objects. */
  readonly faults: Faults;
  /** What is known of the organization since earlier transactions. */
  readonly known: Known;
  /** Ids of transactions that no entry had when their turn came. */
  readonly freeIds: Set<string>;
  /** What this organization exports itself. */
  readonly own: OwnObjects;
  /** What the ledger has that no import brought. */
  readonly watch: LedgerWatch;
  readonly refused: Refused;
  /** Whether each object has a savepoint of its own, so that it can be refused without undoing the others. */
  readonly usesSavepoints: boolean;
}

/** The result of an object: what its kept original points to. */
export interface Imported {
  readonly counted: Counted;
  /** The record or ledger entry made of it; null for an object of which only the original is kept. */
  readonly recordId: string | null;
  /** The mapped columns of the record, as JSON; null without any. */
  readonly mapped: Row<"ocf_objects">["mapped"];
  /** Of an issuance: the new security, and what was loaded of its plan. */
  readonly issued?: { readonly row: NewSecurityRow; readonly plans: Facts["plans"] };
}

/** An object of which only the original is kept. */
export function originalOnly(counted: Counted): Imported {
  return { counted, recordId: null, mapped: null };
}
