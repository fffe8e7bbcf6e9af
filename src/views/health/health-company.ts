// Input of the health checks: one organization's rows and states at one moment. Types only.

import type { CalendarDate } from "../../kernel/date.ts";
import type { Decimal } from "../../kernel/numbers/decimal.ts";
import type { PastLimits } from "../../ledger/past/past-limits.ts";
import type { DatedSplit } from "../../ledger/splits/dated-splits.ts";
import type { Row } from "../../storage/database/sql.ts";
import type { Register } from "./check-register.ts";

/** A stakeholder. */
export type HolderRow = Pick<
  Row<"stakeholders">,
  "id" | "displayName" | "status" | "email" | "relationships" | "nameKey"
>;
/** An approval. */
export type ApprovalRow = Pick<Row<"approvals">, "id" | "title" | "state">;
/** A document that has no bytes here and is not said to lie elsewhere. */
export type DocumentRow = Pick<Row<"documents">, "id" | "title" | "path">;
/** A security that waits for its acceptance. */
export type WaitingRow = Pick<Row<"securities">, "id" | "certificateId"> & { readonly askedOn: CalendarDate };
/** A valuation. */
export type ValuationRow = Pick<
  Row<"valuations">,
  "id" | "type" | "status" | "stockClassId" | "pricePerShare" | "effectiveDate" | "expirationDate"
>;

/** A class whose token was found to differ from the ledger, and since when. */
export interface TokenDifference {
  readonly stockClassId: string;
  readonly since: string;
}

/** Every how many hours the server does some work by itself; null where it does not. */
export interface Intervals {
  readonly backupEveryHours: number | null;
  readonly timestampEveryHours: number | null;
}

/** What time stamps of checkpoints are judged by. */
export interface StampState {
  readonly everyHours: number;
  /** The age of the oldest row of the log that no time stamp covers; 0 if there is no such row. */
  readonly ageMs: number;
  /** When the last time stamp came; null before the first. */
  readonly last: string | null;
}

/** What backups by schedule are judged by. */
export interface BackupState {
  readonly everyHours: number;
  /** The age of the last backup; without a backup, that of the service's first organization. */
  readonly ageMs: number;
  readonly isMade: boolean;
}

/** Shares of an open security whose vesting stopped, and have not been dealt with since. */
export interface StoppedVesting {
  readonly securityId: string;
  readonly on: CalendarDate;
  readonly quantity: Decimal;
}

/** What is known of vesting. */
export interface VestingState {
  /** Holders who are FORMER and hold shares that have not vested. */
  readonly formerWithUnvested: ReadonlySet<string>;
  /** Securities whose shares wait for a start of vesting that is not on record. */
  readonly waitingForStart: ReadonlySet<string>;
  /** In the order of the register. */
  readonly stopped: readonly StoppedVesting[];
}

/** One organization. No row is a deleted one but in `register`; lists are oldest first. */
export interface Company {
  readonly today: CalendarDate;
  readonly organization: Pick<Row<"organizations">, "id" | "legalName" | "isNamed" | "openOptions">;
  readonly classes: readonly Row<"share_classes">[];
  readonly plans: readonly Row<"equity_plans">[];
  readonly register: Register;
  /** The day that the ledger has for open securities whose grant date is another. */
  readonly daysOnLedger: ReadonlyMap<string, CalendarDate>;
  readonly holders: readonly HolderRow[];
  /** Submitted and Locked ones. */
  readonly approvals: readonly ApprovalRow[];
  readonly valuations: readonly ValuationRow[];
  /** Open securities that wait for their holders to accept them, and the day on which these were last asked. */
  readonly waiting: readonly WaitingRow[];
  readonly splits: readonly DatedSplit[];
  readonly documents: readonly DocumentRow[];
  readonly past: PastLimits;
  readonly vesting: VestingState;
  readonly tokenDifferences: readonly TokenDifference[];
  /** Classes of which background work failed. */
  readonly failedClasses: ReadonlySet<string>;
  /** How many keys work that a person made who is no ADMIN any more, or a key that no longer works. */
  readonly keysOfFormer: number;
  /** Enabled webhook endpoints that such a maker made. */
  readonly endpointsOfFormer: number;
  /** How many working keys end within 30 days, and the day on which the first of them does. */
  readonly keysEnding: { readonly count: number; readonly first: CalendarDate | null };
  /** How many ADMIN keys work without an end. */
  readonly adminKeysWithoutEnd: number;
  /** How many people are ADMIN and have no second factor. */
  readonly adminsWithoutFactor: number;
  /** How many mails of the last 7 days failed, or were tried three times in vain. */
  readonly mailsFailing: number;
  /** Null where the server takes none by itself. */
  readonly backups: BackupState | null;
  /** Null where the server asks for none. */
  readonly stamps: StampState | null;
}
