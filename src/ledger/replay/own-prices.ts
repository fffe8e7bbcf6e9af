// Whose price a security has. What a transfer makes keeps its source's price where the transfer names none, and that is
// what the former holder paid: the new holder's portal and papers must not show it. Pure.

import { type Members, membersOf } from "../members.ts";
import { isIssuance } from "../rules/effects.ts";
import type { EntryDraft } from "../types.ts";

/** Follows entries in their order, and knows of which securities the price is their holder's own. */
export class OwnPrices {
  readonly #foreign = new Set<string>();

  /** Takes the next entry, and what it says. */
  follow(entry: EntryDraft, said: Members = membersOf(entry)): void {
    const sourceId = entry.securityId ?? "";
    if (said.isDirectEdit) this.#note(sourceId, this.#isForeignAfterEdit(entry));
    else if (isIssuance(entry))
      this.#note(sourceId, said.isConversion && this.#foreign.has(said.originSecurityId ?? ""));
    else if (said.newSecurityId !== null) this.#note(said.newSecurityId, this.#isForeignToReceiver(entry));
  }

  /** Whether the price of a security is one at which its holder got it; true for one that no entry made. */
  has(securityId: string): boolean {
    return !this.#foreign.has(securityId);
  }

  #note(securityId: string, isForeign: boolean): void {
    if (isForeign) this.#foreign.add(securityId);
    else this.#foreign.delete(securityId);
  }

  /** A direct edit that names another holder brings no price but the one that it sets; a price that it sets is meant. */
  #isForeignAfterEdit(entry: EntryDraft): boolean {
    const { before, after } = membersOf(entry);
    if (typeof after.pricePerShare === "string") return false;
    const isMoved = after.stakeholderId !== undefined && after.stakeholderId !== (before.stakeholderId ?? null);
    return isMoved || this.#foreign.has(entry.securityId ?? "");
  }

  #isForeignToReceiver(entry: EntryDraft): boolean {
    const { pricePerShare, toStakeholderId } = membersOf(entry);
    // An exercise is paid for at the strike, by the holder itself.
    if (pricePerShare !== null || entry.type.endsWith("_EXERCISE")) return false;
    const isMoved = toStakeholderId !== null && toStakeholderId !== entry.stakeholderId;
    return isMoved || this.#foreign.has(entry.securityId ?? "");
  }
}
