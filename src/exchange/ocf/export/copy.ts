// A reader's view of a security's vesting: by its issuance, and by the objects about it that followed.
import type { CalendarDate } from "../../../kernel/date.ts";
import { scale } from "../../../kernel/numbers/decimal.ts";
import type { SplitEvent } from "../../../ledger/replay/event.ts";
import { type Account, followSplit, NOTHING_FOLLOWED } from "../../../ledger/vested/vesting-account.ts";
import type { Parcels } from "../../../ledger/vesting/parcels.ts";
import * as lists from "../../../ledger/vesting/parcels.ts";
import { LAST_DAY, openOf, sharesOf } from "../../../ledger/vesting/schedule.ts";
import type {
  ParcelChange,
  VestingEntry,
  VestingHistory,
  VestingRules,
} from "../../../ledger/vesting/vesting-types.ts";

/** The parcels that a security's issuance names, or its terms, and the starts and events that go out later. */
export interface Copy {
  readonly date: CalendarDate;
  readonly rules: VestingRules | null;
  readonly vestings: Parcels | null;
  readonly entries: VestingEntry[];
  readonly changes: ParcelChange[];
  /** Whether its days say later ends of service and returns already. */
  readonly isForeseen: boolean;
}

/** A reader's result: the outstanding shares, with their days. */
export function readOf(copy: Copy): Parcels {
  return openOf(sharesOf(copy.rules, historyOf(copy), LAST_DAY));
}

function historyOf({ date, vestings, entries, changes }: Copy): VestingHistory {
  return { grantDate: date, vestingStartDate: null, entries: byDate(entries), changes, vestings, milestones: [] };
}

/** As a reader of the package takes them: the issuance, then starts and events by date; the last start counts. */
export function byDate(entries: readonly VestingEntry[]): VestingEntry[] {
  const isIssued = ({ kind }: VestingEntry) => kind === "ISSUED";
  const facts = entries.filter((entry) => !isIssued(entry));
  return [...entries.filter(isIssued), ...facts.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))];
}

/** The copy after OCF's split of its stock: a reader multiplies what the issuance named, or schedules it over. */
export function afterSplit(copy: Copy, event: SplitEvent): Copy {
  const { split } = event;
  const was = lists.countOf(readOf(copy));
  const now = scale(was, split.numerator, split.denominator);
  const { date, rules, vestings } = copy;
  const subject = { id: "", grantDate: date, vestingStartDate: null, vestingTermsId: null, rules, vestings };
  const account: Account = {
    ...NOTHING_FOLLOWED,
    ...{ subject: { ...subject, milestones: [] }, entries: byDate(copy.entries), changes: copy.changes },
    ...{ last: undefined, isPartial: false },
  };
  followSplit(account, event, { was, now });
  const facts = copy.entries.filter(({ kind }) => kind !== "ISSUED");
  const issued = { kind: "ISSUED", date, quantity: now } as const;
  if (account.own === null) return { ...copy, entries: [issued, ...facts], changes: account.changes };
  return { ...copy, vestings: openOf(account.own), entries: [issued, ...facts], changes: [] };
}
