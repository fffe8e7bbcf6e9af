// Parts of a fixed number of shares, or of a percentage, that count for a convertible. Terms are made for the principal
// as it was issued, and a transfer hands them on unchanged: a holder of a part of that principal has the same part of
// the number. A split multiplied the number on record, so a day before it counts the one before. Pure.

import { type Decimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { IssuedEvent, LedgerEvent } from "../../../ledger/replay/event.ts";
import { splitIn } from "../../../ledger/replay/replay.ts";
import type { Listener } from "../../../ledger/replay/story.ts";
import { correctionOf } from "../../../ledger/rules/charges.ts";
import { toldFixedQuantities } from "../../../ledger/rules/class-terms.ts";
import type { TermsEntry } from "../../../ledger/terms-records.ts";
import { readTerms } from "../../../storage/records/terms-form.ts";
import { compare, type Fraction, fraction, ofDecimal, over, times, WHOLE } from "../fraction.ts";
import type { ConvertibleTermsRead, FixedMechanism, Mechanism } from "../model-company.ts";
import type { SecurityFacts } from "./store.ts";
import { termsForModels } from "./terms.ts";

/** Convertibles that share the principal which their terms were made for. */
interface Family {
  principal: Decimal;
}

interface Made {
  readonly family: Family;
  /** The place in the ledger of the entry that made it. */
  readonly sequence: number;
  readonly originId: string | null;
}

/** What a split made of the numbers that triggers are fixed to, by security and trigger. */
interface Multiplied {
  readonly sequence: number;
  readonly isCounted: boolean;
  readonly ratio: Fraction;
  readonly told: ReadonlyMap<string, { readonly before: Fraction; readonly after: Fraction }>;
}

const keyOf = (securityId: string, triggerId: string | null) => `${securityId} ${triggerId}`;

/** Follows convertibles from issue to holder; `counts` tells which of the terms' entries count at the moment. */
export class ConvertibleParts implements Listener {
  readonly #made = new Map<string, Made>();
  readonly #facts: ReadonlyMap<string, SecurityFacts>;
  readonly #splits: readonly Multiplied[];

  constructor(
    facts: ReadonlyMap<string, SecurityFacts>,
    entries: readonly TermsEntry[],
    counts: (entry: TermsEntry) => boolean,
  ) {
    this.#facts = facts;
    this.#splits = entries.flatMap((entry) => multiplied(entry, counts(entry)));
  }

  /** Whether the terms of a convertible depend on what was followed. */
  get areAsked(): boolean {
    return [...this.#facts.values()].some(({ convertibleTerms }) => {
      if (convertibleTerms === null) return false;
      const { type } = termsForModels(readTerms(convertibleTerms)).mechanism;
      return type === "FIXED" || type === "PERCENT";
    });
  }

  follow(event: LedgerEvent): void {
    const { kind, how, entry, sequence, said } = event;
    if (kind === "issued" && how === "CONVERTIBLE") this.#followIssuance(event);
    const own = this.#made.get(entry.securityId ?? "");
    if (!own) return;
    own.family.principal += correctionOf(event) ?? ZERO;
    if (how !== "transfer" || said.newSecurityId === null) return;
    this.#made.set(said.newSecurityId, { family: own.family, sequence, originId: entry.securityId });
  }

  /** Terms as they count for a principal. */
  termsFor(id: string, quantity: Decimal, terms: ConvertibleTermsRead): ConvertibleTermsRead {
    const { mechanism } = terms;
    if (mechanism.type !== "FIXED" && mechanism.type !== "PERCENT") return terms;
    const rewound = mechanism.type === "FIXED" ? this.#rewound(id, terms.triggerId, mechanism) : WHOLE;
    const part = times(this.#partOf(id, quantity), rewound);
    return compare(part, WHOLE) === 0 ? terms : { ...terms, mechanism: { ...mechanism, part } };
  }

  #followIssuance({ entry: { securityId, quantity }, sequence }: IssuedEvent): void {
    if (securityId === null || quantity === null) return;
    const originId = this.#facts.get(securityId)?.originSecurityId ?? null;
    const origin = originId === null ? undefined : this.#made.get(originId);
    const isHandedOn = origin !== undefined && originId !== null && this.#saysSame(securityId, originId, sequence);
    const family = isHandedOn ? origin.family : { principal: parseDecimal(quantity) };
    this.#made.set(securityId, { family, sequence, originId });
  }

  /** What of the principal that the terms were made for it holds. */
  #partOf(id: string, quantity: Decimal): Fraction {
    const principal = this.#made.get(id)?.family.principal ?? ZERO;
    return principal > ZERO ? fraction(quantity, principal) : WHOLE;
  }

  /** The number of the moment over the one on record. */
  #rewound(id: string, triggerId: string | null, { quantity }: FixedMechanism): Fraction {
    const onRecord = ofDecimal(quantity);
    const then = this.#splits
      .filter(({ isCounted }) => !isCounted)
      .reduceRight((number, split) => {
        const told = this.#toldBy(split, id, triggerId);
        if (!told) return number;
        // A number that was set since is in the shares of after the split: exactly, it is divided by its ratio.
        return compare(number, told.after) === 0 ? told.before : over(number, split.ratio);
      }, onRecord);
    return over(then, onRecord);
  }

  /** What a split recorded of a number, or of the one that the security was handed after it. */
  #toldBy(split: Multiplied, id: string, triggerId: string | null): ReturnType<Multiplied["told"]["get"]> {
    const own = split.told.get(keyOf(id, triggerId));
    const made = this.#made.get(id);
    if (own || !made || made.originId === null || made.sequence < split.sequence) return own;
    return this.#toldBy(split, made.originId, triggerId);
  }

  /** Packages issue what a transfer makes anew: terms that are the source's of then were handed on. */
  #saysSame(id: string, originId: string, sequence: number): boolean {
    const [one, other] = [this.#saidAt(id, sequence), this.#saidAt(originId, sequence)];
    if (one === null || other === null || one.kind !== other.kind) return false;
    return compare(one.figure, other.figure) === 0;
  }

  /** The number or percentage of a security before the entry at a place in the ledger. */
  #saidAt(id: string, sequence: number): { readonly kind: Mechanism["type"]; readonly figure: Fraction } | null {
    const row = this.#facts.get(id);
    if (!row || row.convertibleTerms === null) return null;
    const { mechanism, triggerId } = termsForModels(readTerms(row.convertibleTerms));
    if (mechanism.type === "PERCENT") return { kind: "PERCENT", figure: ofDecimal(mechanism.percent) };
    if (mechanism.type !== "FIXED") return null;
    const first = this.#splits.find((split) => split.sequence > sequence && split.told.has(keyOf(id, triggerId)));
    const before = first?.told.get(keyOf(id, triggerId))?.before;
    return { kind: "FIXED", figure: before ?? ofDecimal(mechanism.quantity) };
  }
}

function multiplied(entry: TermsEntry, isCounted: boolean): readonly Multiplied[] {
  const { sequence, metadata } = entry;
  const quantities = toldFixedQuantities(metadata === null ? {} : JSON.parse(metadata));
  const split = splitIn(entry);
  if (quantities.length === 0 || split === null) return [];
  const { numerator, denominator } = split;
  const told = quantities.map(({ securityId, triggerId, before, after }) => {
    const figures = { before: ofDecimal(parseDecimal(before)), after: ofDecimal(parseDecimal(after)) };
    return [keyOf(securityId, triggerId), figures] as const;
  });
  return [{ sequence, isCounted, ratio: fraction(numerator, denominator), told: new Map(told) }];
}
