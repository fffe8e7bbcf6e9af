// The cap table of a past day by what is known now: looked up in what was worked out of the whole ledger, and laid out
// as a replay's is.
import { type CalendarDate, dayNumber } from "../../kernel/date.ts";
import { collectAll } from "../../kernel/gc-hints.ts";
import { min, ZERO } from "../../kernel/numbers/decimal.ts";
import { END_OF_TIME } from "../../kernel/runtime.ts";
import type { PastLine } from "../../ledger/past/family-past.ts";
import { type PastDays, pastSource, readPastDays } from "../../ledger/past/past-days.ts";
import { listTermsEntries } from "../../ledger/replay/replay-store.ts";
import type { Conversions } from "../../ledger/rules/conversion.ts";
import { findHead } from "../../ledger/store.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { Basis } from "./basis.ts";
import { collectHoldings, convertedOf, type Line } from "./holding.ts";
import { conversionsIn, readNames, type Shown, termsAt } from "./view.ts";

/** The past of an organization's ledger, as far as that went. */
export class Past {
  readonly #orgId: string;
  readonly #basis: Basis;
  /** Null where the ledger is such that its days are replayed. */
  readonly #days: PastDays | null;

  /** Works it out. The caller holds a snapshot. */
  constructor(db: Reader, orgId: string) {
    this.#orgId = orgId;
    this.#basis = new Basis(orgId);
    this.#days = readPastDays(db, orgId);
    this.#basis.move(db);
    // What was made on the way is several times what is kept.
    collectAll();
  }

  /** Goes on to what the database holds; false where it has to be worked out anew. The caller holds a snapshot. */
  goOn(db: Reader): boolean {
    const { sequence } = this.#basis;
    if (!this.#basis.holds(db)) return false;
    const isOld = findHead(db, this.#orgId).sequence > sequence;
    if (isOld && this.#days !== null && !this.#days.goOn(pastSource(db, this.#orgId), sequence)) return false;
    this.#basis.move(db);
    return true;
  }

  /** What is shown of a day, by all that is known; null if that is to be replayed. */
  on(db: Reader, asOf: CalendarDate): Shown | null {
    return this.#days && pastTable(db, this.#orgId, this.#days, asOf);
  }
}

/** Looks a day up. The caller holds a snapshot, of the ledger that `past` is of. */
export function pastTable(db: Reader, orgId: string, past: PastDays, asOf: CalendarDate): Shown {
  const names = readNames(db, orgId);
  const moment = { asOf, knownAt: END_OF_TIME };
  const state = past.stateBefore(names.classes, names.plans);
  const { uses, isNamed } = past.bringTo(asOf, state);
  const conversions = conversionsIn(names.classes, state, termsAt(listTermsEntries(db, { orgId }), moment));
  const lines = past.linesOn(asOf);
  return {
    moment,
    names,
    state,
    conversions,
    counted: { uses, named: { has: isNamed } },
    holdings: collectHoldings(heldIn(lines, conversions, asOf)),
    convertibles: lines.filter(({ type }) => type === "CONVERTIBLE").sort((a, b) => a.made - b.made),
  };
}

function* heldIn(
  lines: readonly PastLine[],
  conversions: Conversions,
  asOf: CalendarDate,
): Generator<Line<PastLine> & { readonly holder: string | null }> {
  const day = dayNumber(asOf);
  for (const security of lines) {
    const { course, quantity, stakeholderId: holder } = security;
    const unvested = course === null ? ZERO : min(quantity, course(day));
    yield { security, holder, unvested, converted: convertedOf(security, conversions) };
  }
}
