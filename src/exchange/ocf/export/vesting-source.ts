// The export's sources of vesting besides the ledger's entries: terms as a reader takes them, milestones, and the
// starts and events that are recorded later than the securities that they concern.

import type { AllocationMethod } from "../../../kernel/allocation-method.ts";
import { membersOf } from "../../../ledger/members.ts";
import { readEntry } from "../../../ledger/replay/event.ts";
import { toDraft } from "../../../ledger/replay/replay.ts";
import type { EntryDraft } from "../../../ledger/types.ts";
import type { VestingSubject } from "../../../ledger/vested/vesting-account.ts";
import { factOf } from "../../../ledger/vested/vesting-book.ts";
import { stopOf } from "../../../ledger/vested/vesting-stops.ts";
import { findVestingSubject } from "../../../ledger/vested/vesting-store.ts";
import type { VestingCondition, VestingRules } from "../../../ledger/vesting/vesting-types.ts";
import type { Reader, Row } from "../../../storage/database/sql.ts";
import { vestingTermsFromOcf } from "../codec/vesting-terms.ts";
import type { PlacedFact, PlacedStop, VestingReads } from "./adjustments/parcels.ts";
import type { Records } from "./record-objects.ts";
import * as store from "./store.ts";

interface LearntFact extends PlacedFact {
  readonly isImported: boolean;
}

/** Whether a later start of the whole stands in the place of an earlier one. An imported one goes out as it came. */
function isReplaced({ fact: { kind, ...earlier }, isImported }: LearntFact, by: PlacedFact["fact"]): boolean {
  const isWhole = (each: object) => "conditionId" in each && each.conditionId === null;
  return !isImported && kind === "STARTED" && by.kind === "STARTED" && isWhole(earlier) && isWhole(by);
}

/** Reads through one connection, each thing once. */
export class ReadVesting implements VestingReads {
  readonly #db: Reader;
  readonly #orgId: string;
  readonly #records: Records;
  /** Of starts of the whole that were recorded here only the last one: the earlier ones no longer count. */
  readonly #facts = new Map<string, readonly LearntFact[]>();
  readonly #stops = new Map<string, PlacedStop[]>();
  readonly #wordless = new Set<string>();
  readonly #rules = new Map<string, VestingRules | null>();
  /** Whether anything vests otherwise than by terms: then what was made of another security may, too. */
  readonly #isLoose: boolean;

  readonly #placeOf: (sequence: number) => number;

  /** `placeOf` says where an entry of the ledger stands in the export. */
  constructor(db: Reader, orgId: string, records: Records, placeOf: (sequence: number) => number) {
    this.#placeOf = placeOf;
    this.#db = db;
    this.#orgId = orgId;
    this.#records = records;
    this.#isLoose = store.hasLooseVesting(db, orgId);
  }

  /** Notes a start or an event of vesting, or an exercise. */
  learn(entry: Row<"transactions">): void {
    const draft = toDraft(entry);
    if (draft === null || draft.securityId === null || draft.recordOnly) return;
    const { securityId } = draft;
    const fact = factOf(readEntry(draft));
    if (isWordless(draft)) this.#wordless.add(securityId);
    const stop = stopOf(draft);
    if (stop !== null) {
      const stops = this.#stops.get(securityId) ?? [];
      stops.push({ sequence: this.#placeOf(entry.sequence), ...stop });
      this.#stops.set(
        securityId,
        stops.sort((a, b) => a.sequence - b.sequence),
      );
    }
    if (fact === null) return;
    const isImported = membersOf(draft).imported.objectType !== null;
    const placed = { sequence: this.#placeOf(entry.sequence), fact, isImported };
    const known = this.#facts.get(securityId) ?? [];
    this.#facts.set(securityId, [...known.filter((each) => !isReplaced(each, fact)), placed]);
  }

  findSubject(id: string): VestingSubject | null {
    const row = store.findSecurity(this.#db, this.#orgId, id);
    if (row === null) return null;
    const { vestingTermsId, vestings, originSecurityId } = row;
    const mayVest = vestingTermsId !== null || vestings !== null || (this.#isLoose && originSecurityId !== null);
    if (mayVest) return findVestingSubject(this.#db, this.#orgId, row);
    if (!this.#isLoose) return null;
    const subject = findVestingSubject(this.#db, this.#orgId, row);
    return subject.milestones.length > 0 ? subject : null;
  }

  factsOf(id: string): readonly PlacedFact[] {
    return this.#facts.get(id) ?? [];
  }

  stopsOf(id: string): readonly PlacedStop[] {
    return this.#stops.get(id) ?? [];
  }

  hasWordless(id: string): boolean {
    return this.#wordless.has(id);
  }

  nextReissue(id: string, sequence: number): number | null {
    const places = store.listReissues(this.#db, this.#orgId, id).map(this.#placeOf);
    const later = places.filter((place) => place > sequence);
    return later.length === 0 ? null : Math.min(...later);
  }

  rulesInCopy(vestingTermsId: string | null): VestingRules | null {
    if (vestingTermsId === null) return null;
    let rules = this.#rules.get(vestingTermsId);
    if (rules === undefined) {
      const terms = this.#records.findVestingTerms(vestingTermsId);
      const read = terms && vestingTermsFromOcf(terms);
      rules = read && {
        allocationMethod: read.allocationMethod as AllocationMethod,
        vestingConditions: JSON.parse(read.vestingConditions) as VestingCondition[],
        schedule: null,
      };
      this.#rules.set(vestingTermsId, rules);
    }
    return rules;
  }
}

/**
 * Whether shares may vest otherwise by an entry that OCF has no words for: a count that vests without a condition of
 * the terms; the start of one condition, for which OCF starts the conditions before it; or an exercise of shares that
 * have not vested.
 */
function isWordless(entry: EntryDraft): boolean {
  const { type, metadata } = entry;
  const { conditionId, milestoneId, imported, vestingStopped } = membersOf(entry);
  if (vestingStopped !== null) return true;
  if (type === "STOCK_OPTION_EXERCISE") return metadata.parcels !== undefined;
  if (type === "VESTING_START") return conditionId !== null && imported.objectType === null;
  return type === "VESTING_EVENT" && (conditionId ?? milestoneId ?? imported.objectType) === null;
}
