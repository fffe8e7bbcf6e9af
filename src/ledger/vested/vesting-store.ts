// Loads the vesting of one security: the facts about it and its origins, and the entries on them, replayed in the order
// of the ledger.

import { sql } from "kysely";
import type { AllocationMethod } from "../../kernel/allocation-method.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { utcDayOf } from "../../kernel/runtime.ts";
import { findAny } from "../../storage/database/records.ts";
import { build, ofOrganization, type Params, type Reader, type Row, statement } from "../../storage/database/sql.ts";
import { type LedgerEvent, readEntry } from "../replay/event.ts";
import { FamilyState } from "../replay/family-state.ts";
import { toDraft } from "../replay/replay.ts";
import { listEntriesOn, listSplits } from "../replay/replay-store.ts";
import { Story } from "../replay/story.ts";
import { countOf, isWaiting } from "../vesting/parcels.ts";
import { readParcels } from "../vesting/parcels-json.ts";
import { openOf } from "../vesting/schedule.ts";
import type { VestingCondition, VestingRules, VestingSchedule } from "../vesting/vesting-types.ts";
import { type AttachedMilestone, type SecurityVesting, sharesIn, type VestingSubject } from "./vesting-account.ts";
import { VestingBook } from "./vesting-book.ts";
import { saysWhen } from "./vesting-stops.ts";

type Security = Row<"securities">;

const milestones = statement((param: Params<{ orgId: string; securityId: string }>) =>
  ofOrganization("vesting_milestones", param)
    .select(["id", "quantity", "completedAt", "heldFrom"])
    .where("securityId", "=", param("securityId"))
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** How a security vests, and the first of its family: the grant that it came from. */
export interface LoadedVesting extends SecurityVesting {
  readonly grantSecurityId: string;
}

/** Hypothetical terms in place of the recorded ones. */
export interface OtherTerms {
  readonly id: string;
  readonly rules: VestingRules;
}

/** Options: by default all recorded entries and the terms in force. */
interface VestingView {
  readonly asOf?: CalendarDate | undefined;
  readonly other?: OtherTerms | undefined;
}

/**
 * Loads how a security vests: by all recorded entries, or as of a day by those that count then. Starts and events count
 * whatever their day, since they set when shares vest.
 */
export function loadVesting(
  db: Reader,
  orgId: string,
  security: Security,
  { asOf, other }: VestingView = {},
): LoadedVesting {
  const family = lineOf(db, orgId, security);
  const subjects = new Map(family.map((row) => [row.id, findVestingSubject(db, orgId, row, other)]));
  const book = new VestingBook((id) => subjects.get(id) ?? null);
  replay(entriesOf(db, orgId, family), book, asOf ?? null);
  const grantSecurityId = family.at(-1)?.id ?? security.id;
  const vesting = book.of(security.id) ?? notYetMade(findVestingSubject(db, orgId, security, other));
  return { ...vesting, grantSecurityId };
}

/** Whether a security has nothing to vest: no terms, no milestone, no imported vesting, and no origin. */
export function isVestedAtOnce(db: Reader, orgId: string, security: Security): boolean {
  const { vestingTermsId, vestings, originSecurityId, id } = security;
  if (vestingTermsId !== null || vestings !== null || originSecurityId !== null) return false;
  return milestones.first(db, { orgId, securityId: id }) === null;
}

/** `cross join` keeps the order: else SQLite walks all securities of the organization. */
const family = statement((param: Params<{ orgId: string; id: string }>) => ({
  compile: () =>
    sql<Security>`with recursive family (id) as (
        select ${param("id")} union
        select securities.id from family cross join securities on securities."originSecurityId" = family.id
          where securities."orgId" = ${param("orgId")}
      ) select securities.* from family cross join securities on securities.id = family.id
        where securities."orgId" = ${param("orgId")} order by securities.seq`.compile(build),
}));

/** A security and all securities derived from it by transfers, exercises and conversions. */
export function listMadeOf(db: Reader, orgId: string, id: string): Security[] {
  return family.all(db, { orgId, id });
}

/**
 * The whole family of a security: its original grant, and all securities derived from it; empty if it does not exist.
 */
export function listFamily(db: Reader, orgId: string, id: string): Security[] {
  const row = findAny(db, "securities", orgId, id);
  const grant = row && lineOf(db, orgId, row).at(-1);
  return grant ? listMadeOf(db, orgId, grant.id) : [];
}

/** The first of a security's family: its original grant, or itself. */
export function findGrant(db: Reader, orgId: string, security: Security): Security {
  return lineOf(db, orgId, security).at(-1) ?? security;
}

/** The entries on a security and its origins, and the organization's splits, in the order of the ledger. */
export function listLineEntries(db: Reader, orgId: string, security: Security): readonly LedgerEvent[] {
  return entriesOf(db, orgId, lineOf(db, orgId, security));
}

/** The number of a security's outstanding shares that wait for a milestone. */
export function waitingFor(db: Reader, orgId: string, security: Security, milestoneId: string): Decimal {
  const open = openOf(sharesIn(loadVesting(db, orgId, security)));
  return countOf(open.filter((parcel) => isWaiting(parcel) && parcel.milestoneId === milestoneId));
}

/** A derived security has no shares before that day. */
function notYetMade({ grantDate, vestingStartDate, rules }: VestingSubject): SecurityVesting {
  const history = { grantDate, vestingStartDate, entries: [], milestones: [] };
  return { rules, history, own: { all: [], exercised: ZERO, early: ZERO } };
}

/** The security, what it came from, and so on up to the grant. */
function lineOf(db: Reader, orgId: string, security: Security): readonly Security[] {
  const line = [security];
  const seen = new Set([security.id]);
  let originId = security.originSecurityId;
  while (originId !== null && !seen.has(originId)) {
    // Deleted ones too: derived securities still vest by their history.
    const origin = findAny(db, "securities", orgId, originId);
    if (!origin) break;
    seen.add(originId);
    line.push(origin);
    originId = origin.originSecurityId;
  }
  return line;
}

/** The entries that name one of the securities, and the organization's splits, in the order of the ledger. */
function entriesOf(db: Reader, orgId: string, family: readonly Security[]): readonly LedgerEvent[] {
  const rows = family.flatMap(({ id }) => listEntriesOn(db, orgId, id));
  rows.push(...listSplits(db, orgId));
  rows.sort((a, b) => a.sequence - b.sequence);
  return rows.flatMap((row) => {
    const entry = toDraft(row);
    return entry === null ? [] : [readEntry(entry, row.sequence)];
  });
}

function replay(events: readonly LedgerEvent[], book: VestingBook, asOf: CalendarDate | null): void {
  const story = new Story(new FamilyState(), book);
  const granted = events.find(isGrant)?.entry.effectiveDate;
  // An entry backdated to before the grant takes no shares until the grant exists, as in the cap table of that day.
  const isGranted = asOf === null || granted === undefined || granted <= asOf;
  for (const event of events) {
    const isInTime = asOf === null || (event.day <= asOf && isGranted) || isAlwaysCounted(event, granted);
    if (isInTime) story.take(event);
    else story.skip(event);
  }
}

/**
 * A grant shows its schedule before its day, too, with the corrections that count from then on; starts and events count
 * whatever their day.
 */
function isAlwaysCounted(event: LedgerEvent, granted: CalendarDate | undefined): boolean {
  const { entry, said } = event;
  const isFromGrant = said.isCorrection && said.takesBack === null && entry.effectiveDate === granted;
  return saysWhen(event) || isGrant(event) || isFromGrant;
}

/** Whether it is an original issuance, not the result of a conversion or an import. */
function isGrant({ kind, said }: LedgerEvent): boolean {
  return kind === "issued" && !said.isConversion && said.imported.resultOf === null;
}

/** Facts about a security's vesting that the ledger does not have. */
export function findVestingSubject(db: Reader, orgId: string, security: Security, other?: OtherTerms): VestingSubject {
  const { id, grantDate, vestingStartDate, vestingTermsId, vestings } = security;
  const held = milestones.all(db, { orgId, securityId: id });
  return {
    ...{ id, grantDate, vestingStartDate, vestingTermsId },
    rules: other && other.id === vestingTermsId ? other.rules : findRules(db, orgId, vestingTermsId),
    vestings: vestings === null ? null : readParcels(JSON.parse(vestings)),
    milestones: held.map(toMilestone),
  };
}

type MilestoneRow = Pick<Row<"vesting_milestones">, "id" | "quantity" | "completedAt" | "heldFrom">;

/** A milestone as vesting input. */
export function toMilestone({ id, quantity, completedAt, heldFrom }: MilestoneRow): AttachedMilestone {
  const completedOn = completedAt === null ? null : utcDayOf(completedAt);
  return { id, quantity: quantity === null ? ZERO : parseDecimal(quantity), completedOn, heldFrom };
}

function findRules(db: Reader, orgId: string, id: string | null): VestingRules | null {
  const terms = id === null ? null : findAny(db, "vesting_terms", orgId, id);
  return terms && readRules(terms);
}

/** Converts vesting terms to the vesting engine's rules. */
export function readRules(terms: Row<"vesting_terms">): VestingRules {
  return {
    allocationMethod: terms.allocationMethod as AllocationMethod,
    vestingConditions: JSON.parse(terms.vestingConditions) as VestingCondition[],
    schedule: terms.schedule === null ? null : (JSON.parse(terms.schedule) as VestingSchedule),
  };
}
