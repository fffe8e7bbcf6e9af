// Stock with an unvested part, as it came to its holder by an issuance or an early exercise: of an individual, an
// election under section 83(b) may follow. A listener of the replay.

import type { CalendarDate } from "../../kernel/date.ts";
import { ZERO } from "../../kernel/numbers/decimal.ts";
import type { LedgerEvent } from "../../ledger/replay/event.ts";
import type { LedgerState } from "../../ledger/replay/state.ts";
import type { SecurityState } from "../../ledger/types.ts";
import { unvestedOn } from "../../ledger/vested/vesting-account.ts";
import type { VestingBook } from "../../ledger/vested/vesting-book.ts";
import type { Companion, VestingFollowed } from "../cap-table/view.ts";

/** Stock that came to a holder with an unvested part. */
export interface Election {
  readonly securityId: string;
  readonly stakeholderId: string;
  readonly day: CalendarDate;
}

/** Follows a replay. */
export class Elections implements Companion {
  readonly #found = new Map<string, Election>();
  #book: VestingBook | null = null;

  begin(_state: LedgerState, { book }: VestingFollowed): void {
    this.#book = book;
  }

  follow(event: LedgerEvent, state: LedgerState): void {
    const { kind, entry, said } = event;
    if (kind === "taken" && (event.how === "retraction" || said.isRetraction)) {
      this.#found.delete(entry.securityId ?? "");
      return;
    }
    if (kind === "edited") {
      this.#correct(event);
      return;
    }
    const made = state.securities.get(madeBy(event) ?? "");
    if (made?.type !== "STOCK" || made.stakeholderId === null || !isFirst(event, state)) return;
    const vesting = this.#book?.of(made.id) ?? null;
    if (vesting === null || unvestedOn(vesting, entry.effectiveDate) <= ZERO) return;
    const { id: securityId, stakeholderId } = made;
    this.#found.set(securityId, { securityId, stakeholderId, day: entry.effectiveDate });
  }

  /** All of them that were not retracted, in the order of recording. */
  get found(): readonly Election[] {
    return [...this.#found.values()];
  }

  /** A correction of the holder corrects the issuance itself. */
  #correct({ entry, said }: LedgerEvent): void {
    const found = this.#found.get(entry.securityId ?? "");
    const { stakeholderId } = said.after;
    if (found && said.isCorrection && typeof stakeholderId === "string") {
      this.#found.set(found.securityId, { ...found, stakeholderId });
    }
  }
}

/** The security that an issuance or an exercise makes; null for every other entry. */
function madeBy({ kind, how, entry, said }: LedgerEvent): string | null {
  if (kind === "issued") return entry.securityId;
  return how === "exercise" ? said.newSecurityId : null;
}

/** Whether no earlier stock became it: an issuance may be the result of a transfer, a conversion or an exercise. */
function isFirst({ kind, said }: LedgerEvent, { securities }: LedgerState): boolean {
  if (kind !== "issued") return true;
  if (said.isConversion) return false;
  const type: SecurityState["type"] | undefined = securities.get(said.originSecurityId ?? "")?.type;
  return said.originSecurityId === null || type === "STOCK_OPTION" || type === "WARRANT";
}
