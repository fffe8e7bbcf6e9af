// Reads a company for models: the cap table from the ledger at a moment. The caller holds a snapshot.

import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, min, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { problem } from "../../../kernel/problem.ts";
import { END_OF_TIME } from "../../../kernel/runtime.ts";
import { listTermsEntries } from "../../../ledger/replay/replay-store.ts";
import { organizationCurrency } from "../../../ledger/store.ts";
import type { SecurityState } from "../../../ledger/types.ts";
import { unvestedOn } from "../../../ledger/vested/vesting-account.ts";
import type { Reader, Row } from "../../../storage/database/sql.ts";
import { readTerms } from "../../../storage/records/terms-form.ts";
import { viewOfToday } from "../../cap-table/fold.ts";
import { isUndatedPlan, planCounts } from "../../cap-table/lasting.ts";
import { type Moment, readView, type View } from "../../cap-table/view.ts";
import type { Company, Held, Holder, ModelPlan, ModelWarning } from "../model-company.ts";
import { ConvertibleParts } from "./convertible-parts.ts";
import { modelClasses } from "./read-classes.ts";
import { listSecurityFacts, type SecurityFacts } from "./store.ts";
import { NO_TERMS, termsForModels } from "./terms.ts";

const LIMITS = { holders: 10_000, securities: 50_000, convertibles: 300, classes: 100 } as const;

/** What a model needs of amounts: those it needs must be in the organization's currency. */
export interface Needed {
  /** Prices of classes, strikes of options and warrants, principals and caps of convertibles. */
  readonly prices: boolean;
  readonly strikes: boolean;
  readonly principals: boolean;
  /** The day on which options are vested; null if the model does not ask: then nothing counts as unvested. */
  readonly vestedOn: CalendarDate | null;
}

/** A company, and the view that it was read from. */
export interface CompanyRead {
  readonly company: Company;
  readonly view: View;
  readonly facts: ReadonlyMap<string, SecurityFacts>;
}

/** Of a connection that keeps today's view: which day that is, and of how long a ledger, where not the usual. */
export interface Keeping {
  readonly today: CalendarDate;
  readonly keptFrom?: number;
}

/**
 * Reads a company at a moment, by one replay; where today's view is kept, by that, unless terms of convertibles depend
 * on the entries. Throws `409 invalid-state` beyond the limits, and for an amount in another currency.
 */
export function readCompany(
  db: Reader,
  orgId: string,
  moment: Moment,
  needed: Needed,
  keeping: Keeping | null = null,
): CompanyRead {
  const facts = new Map(listSecurityFacts(db, { orgId }).map((row) => [row.id, row]));
  const entries = listTermsEntries(db, { orgId });
  const counts = ({ effectiveDate, createdAt }: { effectiveDate: string; createdAt: string }) =>
    effectiveDate <= moment.asOf && createdAt <= moment.knownAt;
  const parts = new ConvertibleParts(facts, entries, counts);
  const isKept = keeping !== null && isToday(moment, keeping) && !parts.areAsked;
  const view = isKept
    ? viewOfToday(db, orgId, keeping.today, keeping.keptFrom)
    : readView(db, orgId, moment, { companions: [parts] });
  const classes = modelClasses(view.names.classes, view.state, entries, counts);
  const reader = new SecurityReader({ view, facts, parts }, needed.vestedOn);
  const held = reader.all();
  const { plans, warnings } = plansOf(view);
  const company: Company = {
    classes,
    plans,
    holders: holdersOf(view, held),
    held,
    warnings: [...warnings, ...reader.warnings],
  };
  refuseTooLarge(company);
  refuseOtherCurrencies(organizationCurrency(db, orgId), company, needed, { view, facts });
  return { company, view, facts };
}

function isToday({ asOf, knownAt }: Moment, { today }: Keeping): boolean {
  return asOf === today && knownAt === END_OF_TIME;
}

function refuseTooLarge({ holders, held, classes }: Company): void {
  const counts = {
    holders: holders.length,
    securities: held.length,
    convertibles: held.filter(({ type }) => type === "CONVERTIBLE").length,
    classes: classes.length,
  };
  for (const [what, most] of Object.entries(LIMITS)) {
    const count = counts[what as keyof typeof counts];
    if (count > most) throw problem("invalid-state", `A model reads up to ${most} ${what}; here are ${count}.`);
  }
}

/** A holder's key: the id, or one for securities without a holder. */
const keyOf = (stakeholderId: string | null) => stakeholderId ?? "no holder";

function holdersOf({ names }: View, held: readonly Held[]): readonly Holder[] {
  const holding = new Set(held.map(({ holder }) => holder));
  const known: Holder[] = names.stakeholders.map(({ id, displayName, deletedAt }) => {
    return { key: id, id, name: displayName, ...(deletedAt === null ? {} : { isDeleted: true }) };
  });
  const deleted = new Set(holding);
  for (const { key } of known) deleted.delete(key);
  return [...known, ...[...deleted].map((key) => ({ key, id: null, name: null }))];
}

/**
 * The plans, and a warning for each that counts though it is not known from when on. One that is not there yet has
 * nothing available: what a body adds to it counts.
 */
function plansOf({ names, state, counted, moment }: View) {
  const common =
    names.classes.find(({ classType, deletedAt }) => classType === "COMMON" && deletedAt === null)?.id ?? null;
  const warnings: ModelWarning[] = [];
  const plans = names.plans.flatMap((row): ModelPlan[] => {
    const { id, planName, stockClassIds, deletedAt } = row;
    const isThere = planCounts(row, moment, counted.named.has(id));
    const isUndated = !isThere && deletedAt === null && isUndatedPlan(row) && row.createdAt <= moment.knownAt;
    if (isUndated) {
      const detail = `${planName} has no day from which it is there, and was recorded after this day; it counts.`;
      warnings.push({ code: "plan-undated", detail, securityId: null });
    }
    if (deletedAt !== null && !isThere) return [];
    const available = state.plans.get(id)?.available ?? ZERO;
    const counts = isThere || isUndated ? { available } : { available: ZERO, waiting: available };
    const classKey = (JSON.parse(stockClassIds) as string[])[0] ?? common;
    return [{ key: id, id, ...counts, classKey, ...(deletedAt === null ? {} : { isDeleted: true }) }];
  });
  return { plans, warnings };
}

class SecurityReader {
  readonly warnings: ModelWarning[] = [];
  readonly #view: View;
  readonly #facts: ReadonlyMap<string, SecurityFacts>;
  readonly #parts: ConvertibleParts;
  readonly #vestedOn: CalendarDate | null;
  readonly #order: ReadonlyMap<string, number>;

  constructor({ view, facts, parts }: Read & { readonly parts: ConvertibleParts }, vestedOn: CalendarDate | null) {
    this.#view = view;
    this.#facts = facts;
    this.#parts = parts;
    this.#vestedOn = vestedOn;
    this.#order = new Map([...view.state.securities.keys()].map((id, index) => [id, index]));
  }

  /**
   * Open securities and warrants for a number that is not known, in the order in which the first of their chains came
   * to be.
   */
  all(): readonly Held[] {
    const open = [...this.#view.state.securities.values()].filter(
      ({ status, quantity, type }) => status === "ACTIVE" && (quantity > ZERO || type === "WARRANT"),
    );
    const rows = open.map((state) => ({ state, first: firstOfChain(this.#facts, state.id) }));
    const place = ({ state, first }: (typeof rows)[number]) => this.#order.get(first?.id ?? state.id) ?? 0;
    rows.sort((a, b) => place(a) - place(b));
    return rows.flatMap(({ state, first }) => this.#held(state, first));
  }

  #held(state: SecurityState, first: SecurityFacts | null): readonly Held[] {
    const row = this.#facts.get(state.id);
    if (!row || !first) return [];
    const { id, quantity, stockClassId } = state;
    const grantDate = first.grantDate;
    const base = {
      key: id,
      id,
      name: row.certificateId ?? id,
      holder: keyOf(state.stakeholderId),
      quantity,
      grantDate,
    };
    const strike = state.exercisePrice === null ? null : parseDecimal(state.exercisePrice);
    const { expirationDate } = row;
    if (state.type === "STOCK")
      return stockClassId === null ? [] : [{ ...base, type: "STOCK", classKey: stockClassId }];
    if (state.type === "WARRANT") return [{ ...base, type: "WARRANT", classKey: stockClassId, strike, expirationDate }];
    if (state.type === "CONVERTIBLE") return [this.#convertible(base, row)];
    const unvested = this.#unvested(id, quantity);
    return [
      {
        ...base,
        type: "STOCK_OPTION",
        planKey: state.equityPlanId,
        classKey: stockClassId,
        strike,
        unvested,
        expirationDate,
      },
    ];
  }

  #convertible(base: Omit<Held & { type: "CONVERTIBLE" }, "type" | "terms">, row: SecurityFacts): Held {
    const terms = row.convertibleTerms === null ? NO_TERMS : termsForModels(readTerms(row.convertibleTerms));
    return { ...base, type: "CONVERTIBLE", terms: this.#parts.termsFor(base.key, base.quantity, terms) };
  }

  #unvested(id: string, quantity: Decimal): Decimal {
    if (this.#vestedOn === null) return ZERO;
    const vesting = this.#view.vestingOf(id);
    return vesting === null ? ZERO : min(quantity, unvestedOn(vesting, this.#vestedOn));
  }
}

/** The first in a security's chain of transfers: those of one type and class, each made of the one before. */
export function firstOfChain(facts: ReadonlyMap<string, SecurityFacts>, id: string): SecurityFacts | null {
  let row = facts.get(id) ?? null;
  const seen = new Set<string>();
  while (row !== null && row.originSecurityId !== null && !seen.has(row.id)) {
    seen.add(row.id);
    const origin = facts.get(row.originSecurityId);
    if (!origin || origin.type !== row.type || origin.stockClassId !== row.stockClassId) break;
    row = origin;
  }
  return row;
}

interface Read {
  readonly view: View;
  readonly facts: ReadonlyMap<string, SecurityFacts>;
}

/** An amount that is needed and in another currency cannot be computed with. */
function refuseOtherCurrencies(currency: string, company: Company, needed: Needed, { view, facts }: Read): void {
  const refuseFor = (what: string, id: string, own: string | null) => {
    if (own === null || own === currency) return;
    throw problem(
      "invalid-state",
      `The amounts of ${what} ${id} are in ${own}, and the organization's currency is ${currency}.`,
    );
  };
  if (needed.prices) {
    const rows = new Map<string, Row<"share_classes">>(view.names.classes.map((row) => [row.id, row]));
    const held = new Set(
      company.held.flatMap((each) => (each.type === "STOCK" || each.type === "WARRANT" ? [each.classKey] : [])),
    );
    for (const { key, classType, price } of company.classes) {
      if (classType === "PREFERRED" && price !== null && held.has(key)) {
        refuseFor("share class", key, rows.get(key)?.currency ?? null);
      }
    }
  }
  for (const { key, type } of company.held) {
    const isNeeded = type === "CONVERTIBLE" ? needed.principals : type !== "STOCK" && needed.strikes;
    if (isNeeded) refuseFor("security", key, facts.get(key)?.currency ?? null);
  }
}
