// Own prices: tells whether a security's price is one that its holder paid. A transfer without a price keeps its
// source's price, which is the former holder's: the new holder's portal and statements must not show it. Pure.

import type { LedgerEvent } from "./event.ts";
import type { Listener } from "./story.ts";

/** Follows entries in their order, and records the securities whose price is their holder's own. */
export class OwnPrices implements Listener {
  readonly #foreign = new Set<string>();

  /** Takes the next entry. */
  follow(event: LedgerEvent): void {
    const { kind, entry, said } = event;
    const sourceId = entry.securityId ?? "";
    if (kind === "edited") this.#note(sourceId, this.#isForeignAfterEdit(event));
    else if (kind === "issued")
      this.#note(sourceId, said.isConversion && this.#foreign.has(said.originSecurityId ?? ""));
    else if (said.newSecurityId !== null) this.#note(said.newSecurityId, this.#isForeignToReceiver(event));
  }

  /** Whether the holder got the security at its price; true for a security without an entry. */
  has(securityId: string): boolean {
    return !this.#foreign.has(securityId);
  }

  #note(securityId: string, isForeign: boolean): void {
    if (isForeign) this.#foreign.add(securityId);
    else this.#foreign.delete(securityId);
  }

  /** A direct edit that names another holder makes the price foreign, unless it sets one too. */
  #isForeignAfterEdit({ entry, said }: LedgerEvent): boolean {
    const { before, after } = said;
    if (typeof after.pricePerShare === "string") return false;
    const isMoved = after.stakeholderId !== undefined && after.stakeholderId !== (before.stakeholderId ?? null);
    return isMoved || this.#foreign.has(entry.securityId ?? "");
  }

  #isForeignToReceiver({ how, entry, said }: LedgerEvent): boolean {
    const { pricePerShare, toStakeholderId } = said;
    // The holder pays the strike in an exercise.
    if (pricePerShare !== null || how === "exercise") return false;
    const isMoved = toStakeholderId !== null && toStakeholderId !== entry.stakeholderId;
    return isMoved || this.#foreign.has(entry.securityId ?? "");
  }
}
