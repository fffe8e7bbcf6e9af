// A security during a package's story, and a transaction on one. Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import type { Decimal } from "../../../kernel/numbers/decimal.ts";
import { dateOf, decimalOf } from "../json.ts";
import type { SecurityFamily } from "../schemas/schema-registry.ts";
import type { OcfObject } from "./object.ts";
import type { StoryEvent } from "./story-event.ts";

/** A security in the course of the story. */
export interface Security {
  readonly id: string;
  readonly family: SecurityFamily;
  readonly issuance: OcfObject;
  readonly date: CalendarDate | null;
  /** Shares, or a convertible's principal; null where the issuance gives none (some warrants) or none readable. */
  readonly issued: Decimal | null;
  /** What is left of it now; null as for `issued`. */
  held: Decimal | null;
  /** The most that it ever held: what was issued, or what a split made of it. */
  most: Decimal | null;
  /** Whether the story has come to its issuance. */
  isIssued: boolean;
  closedBy: OcfObject | null;
}

/** A transaction, and the security that it acts on. */
export interface Move {
  readonly at: StoryEvent;
  readonly source: Security;
  /** How much it moves; null where it does not say. */
  readonly amount: Decimal | null;
}

/** The member that says how much an issuance is for. */
export function issuedField(family: SecurityFamily): "investment_amount" | "quantity" {
  return family === "CONVERTIBLE" ? "investment_amount" : "quantity";
}

/** The securities by id, before the story begins. */
export function securitiesOf(issuances: ReadonlyMap<string, OcfObject>): Map<string, Security> {
  const securities = new Map<string, Security>();
  for (const [id, issuance] of issuances) {
    const { family } = issuance.type;
    if (family === null) continue;
    const issued = decimalOf(issuance.value, issuedField(family));
    const now = { held: issued, most: issued, isIssued: false, closedBy: null };
    securities.set(id, { id, family, issuance, date: dateOf(issuance.value, "date"), issued, ...now });
  }
  return securities;
}
