// Holdings of a person today, for the portal's first page. They come from the same view as the cap table, limited to
// the holder's own part, and of the whole only what the organization allows.

import { present } from "../../kernel/assert.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, formatDecimal, min, sum, ZERO } from "../../kernel/numbers/decimal.ts";
import { organizationCurrency } from "../../ledger/store.ts";
import type { SecurityState } from "../../ledger/types.ts";
import { sharesIn } from "../../ledger/vested/vesting-account.ts";
import { countOf, type Parcels, stoppedOn } from "../../ledger/vesting/parcels.ts";
import { openOf } from "../../ledger/vesting/schedule.ts";
import { getOrganization } from "../../resources/organization/store.ts";
import { findAny, getRecord } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { viewOfToday } from "../cap-table/fold.ts";
import { Holding } from "../cap-table/holding.ts";
import { columnsIn, conversionOf, figuresOf, wholeIn } from "../cap-table/table.ts";
import type { View } from "../cap-table/view.ts";
import { type Founding, foundingOf } from "./entries.ts";
import type { Own } from "./own.ts";
import { sumOfWorths, type Worth, Worths } from "./worth.ts";

/** What `GET /portal` answers; the caller holds a snapshot. */
export function readPortal(db: Reader, own: Own, today: CalendarDate) {
  const organization = getOrganization(db, own.orgId);
  const view = viewOfToday(db, own.orgId, today);
  const held = view.open.filter(({ stakeholderId }) => own.has(stakeholderId));
  const worths = organization.portalShowsValue === 1 ? new Worths(db, own.orgId, today, view.names) : null;
  const shown = new Shown(db, own, view, worths);
  const holdings = held.map((state) => shown.holding(state));
  const { exercisable, ...totals } = totalsOf(view, held, holdings);
  return {
    asOf: today,
    organization: {
      id: organization.id,
      legalName: organization.legalName,
      currency: organizationCurrency(db, own.orgId),
      portalContact: organization.portalContact,
    },
    stakeholders: own.ids.map((id) => showStakeholder(getRecord(db, "stakeholders", own.orgId, id))),
    holdings: holdings.map(({ row }) => row),
    totals: { ...totals, exercisable: formatDecimal(exercisable) },
    ownership: organization.portalShowsOwnership === 1 ? ownershipOf(view, held, own.ids) : null,
    value: worths && sumOfWorths(holdings.map(({ worth }) => worth)),
  };
}

function showStakeholder({ id, displayName, name }: Row<"stakeholders">) {
  return { id, displayName, legalName: (JSON.parse(name) as { readonly legalName: string }).legalName };
}

/** A holding as it is shown, with what sums are made of. */
interface ShownHolding {
  readonly row: ReturnType<Shown["row"]>;
  readonly exercisable: Decimal;
  readonly worth: Worth | null;
}

/** Shows holdings one by one. */
class Shown {
  readonly #db: Reader;
  readonly #own: Own;
  readonly #view: View;
  readonly #worths: Worths | null;
  readonly #currency: string;
  readonly #founding: Founding;
  readonly #names: ReadonlyMap<string, string>;

  constructor(db: Reader, own: Own, view: View, worths: Worths | null) {
    this.#db = db;
    this.#own = own;
    this.#view = view;
    this.#worths = worths;
    this.#currency = organizationCurrency(db, own.orgId);
    this.#founding = foundingOf(db, own);
    const { classes, plans } = view.names;
    const names = [...classes, ...plans.map(({ id, planName: name }) => ({ id, name }))];
    this.#names = new Map(names.map(({ id, name }) => [id, name]));
  }

  holding(state: SecurityState): ShownHolding {
    const record = present(findAny(this.#db, "securities", this.#own.orgId, state.id), `the row of ${state.id}`);
    const unvested = this.#view.unvested(state);
    const exercisable = exercisableOf(state, record, { unvested, today: this.#view.moment.asOf });
    const worth = this.#worths?.of(state, record, unvested) ?? null;
    return { row: this.row(state, record, { unvested, exercisable, worth }), exercisable, worth };
  }

  row(
    state: SecurityState,
    record: Row<"securities">,
    {
      unvested,
      exercisable,
      worth,
    }: { readonly unvested: Decimal; readonly exercisable: Decimal; readonly worth: Worth | null },
  ) {
    const { id, type, quantity } = state;
    const { certificateId, optionType, grantDate, vestingStartDate, expirationDate } = record;
    const parcels = this.#parcels(state);
    return {
      ...{ securityId: id, stakeholderId: present(state.stakeholderId, "the holder"), type, certificateId },
      stockClassName: this.#names.get(state.stockClassId ?? "") ?? null,
      conversion: conversionOf(this.#view.conversions, state.stockClassId ?? ""),
      equityPlanName: this.#names.get(state.equityPlanId ?? "") ?? null,
      quantity: formatDecimal(quantity),
      ...{ pricePerShare: this.#price(state, record), exercisePrice: state.exercisePrice },
      currency: record.currency ?? this.#currency,
      ...{ optionType, grantDate, vestingStartDate, expirationDate },
      vested: formatDecimal(quantity - unvested),
      unvested: formatDecimal(unvested),
      unscheduled: formatDecimal(min(unvested, countOf(parcels.filter(({ date }) => date === null)))),
      vestingStoppedOn: stoppedOn(parcels),
      nextVesting: nextOf(parcels, this.#view.moment.asOf),
      exercisable: formatDecimal(exercisable),
      legends: this.#legends(record),
      entry: this.#entry(id),
      value: worth && tellWorth(worth),
    };
  }

  /** What is outstanding, by the day on which it vests; nothing of a convertible. */
  #parcels({ id, type }: SecurityState): Parcels {
    const vesting = type === "CONVERTIBLE" ? null : this.#view.vestingOf(id);
    return vesting === null ? [] : openOf(sharesIn(vesting, this.#view.moment.asOf));
  }

  #legends({ stockLegendIds }: Row<"securities">) {
    return (JSON.parse(stockLegendIds) as string[]).flatMap((id) => {
      const legend = findAny(this.#db, "stock_legends", this.#own.orgId, id);
      return legend ? [{ name: legend.name, text: legend.text }] : [];
    });
  }

  /** The price at which the holder got it; null where only a former holder's is known. */
  #price({ id, pricePerShare }: SecurityState, { correctedPrice }: Row<"securities">): string | null {
    return this.#founding.prices.has(id) || correctedPrice !== null ? pricePerShare : null;
  }

  #entry(securityId: string) {
    const found = this.#founding.entries.get(securityId);
    return found ? { id: found.id, hash: found.hash } : null;
  }
}

function tellWorth({ amount, unvestedAmount, ...rest }: Worth) {
  return { ...rest, amount: formatDecimal(amount), unvestedAmount: formatDecimal(unvestedAmount) };
}

/** The next day on which something vests, and how much. */
function nextOf(parcels: Parcels, today: CalendarDate) {
  const next = parcels.find(({ date }) => date !== null && date > today)?.date ?? null;
  if (next === null) return null;
  return { date: next, quantity: formatDecimal(countOf(parcels.filter(({ date }) => date === next))) };
}

/** What of an option or a warrant has vested and has not expired. */
function exercisableOf(
  { type, quantity }: SecurityState,
  { expirationDate }: Row<"securities">,
  { unvested, today }: { readonly unvested: Decimal; readonly today: CalendarDate },
): Decimal {
  const isExercisable = type === "STOCK_OPTION" || type === "WARRANT";
  return isExercisable && (expirationDate === null || today <= expirationDate) ? quantity - unvested : ZERO;
}

function totalsOf(view: View, held: readonly SecurityState[], holdings: readonly ShownHolding[]) {
  const {
    percentOutstanding: _of,
    percentFullyDiluted: _all,
    ...figures
  } = figuresOf(heldIn(view, held), wholeIn(view));
  return { ...figures, exercisable: sum(holdings.map(({ exercisable }) => exercisable)) };
}

/** All that the person's stakeholders hold together. */
function heldIn(view: View, held: readonly SecurityState[]): Holding {
  const own = new Holding();
  for (const security of held) own.add(view.lineOf(security));
  return own;
}

/** The person's part of the whole, in percent. */
function ownershipOf(view: View, held: readonly SecurityState[], own: readonly string[]) {
  const whole = wholeIn(view);
  const { percentOutstanding, percentFullyDiluted } = figuresOf(heldIn(view, held), whole);
  return { percentOutstanding, percentFullyDiluted, ...columnsIn(view, whole).of(own) };
}
