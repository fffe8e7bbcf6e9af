// Material events: new money after a valuation, which may make it unreliable (26 CFR 1.409A-1(b)(5)(iv)(B)): issued
// convertibles, and preferred stock that was not made from other stock. The caller holds a snapshot.

import type { CalendarDate } from "../../../kernel/date.ts";
import { firstPlaceIn } from "../../../kernel/text/search.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { listMoneyEntries, type SecurityFacts } from "../read/store.ts";

const SHOWN = 5;

type Entry = ReturnType<typeof listMoneyEntries>[number];

/** What is known of securities and classes. */
interface Known {
  readonly facts: ReadonlyMap<string, SecurityFacts>;
  readonly preferred: ReadonlySet<string>;
}

/** The new money of an organization, by its days. */
export class MaterialEvents {
  readonly #events: readonly Entry[];

  constructor(db: Reader, orgId: string, known: Known) {
    const entries = listMoneyEntries(db, { orgId }).map((entry) => ({
      entry,
      told: JSON.parse(entry.metadata ?? "{}"),
    }));
    const retracted = new Set(
      entries.flatMap(({ entry: { type, securityId }, told }) =>
        type === "STOCK_RETRACTION" || told.retraction === true ? [securityId] : [],
      ),
    );
    const events = entries.flatMap(({ entry, told }) => {
      const isMoney = isNewMoney(entry, told, known) && !retracted.has(entry.securityId);
      return isMoney ? [entry] : [];
    });
    this.#events = events.sort((a, b) =>
      a.effectiveDate === b.effectiveDate ? a.sequence - b.sequence : a.effectiveDate < b.effectiveDate ? -1 : 1,
    );
  }

  /** The first ids of what came in after a day, up to another. */
  between(after: CalendarDate, upTo: CalendarDate): readonly string[] {
    const first = firstPlaceIn(this.#events, ({ effectiveDate }) => effectiveDate > after);
    const next = this.#events.slice(first, first + SHOWN);
    return next.filter(({ effectiveDate }) => effectiveDate <= upTo).map(({ id }) => id);
  }
}

function isNewMoney(
  { type, securityId }: Entry,
  told: Readonly<Record<string, unknown>>,
  { facts, preferred }: Known,
): boolean {
  const row = facts.get(securityId ?? "");
  if (!row || row.deletedAt !== null || (type !== "STOCK_ISSUANCE" && type !== "CONVERTIBLE_ISSUANCE")) return false;
  if (told.conversion === true || told.directEdit === true) return false;
  const origin = row.originSecurityId === null ? undefined : facts.get(row.originSecurityId);
  if (origin?.type === "STOCK" || origin?.type === "CONVERTIBLE") return false;
  return type === "CONVERTIBLE_ISSUANCE" || preferred.has(String(told.stockClassId ?? row.stockClassId));
}
