// Whether the service's rows and views are as the model has them.

import { expect } from "bun:test";
import { iterateSecurityRows } from "../../src/safekeeping/verify/store.ts";
import { listEvery } from "../../src/storage/database/records.ts";
import { type CapTable, expectSound } from "../kit/cap-table.ts";
import type { Company } from "./company.ts";
import { TODAY, type View, viewOf } from "./model/dates.ts";
import { haltedOn } from "./model/parcels.ts";
import { START } from "./model/start.ts";
import { type Entry, issuedOf, type Model, type Security, type State } from "./model/state.ts";
import { show, total, type Units, units } from "./model/units.ts";
import { standing } from "./model/vesting.ts";

/** Expects every row to be as the model has it; the model learns the certificate numbers that the service chose. */
export function expectRows(company: Company, model: Model): void {
  const { tx, orgId, ids } = company;
  const rows = new Map([...iterateSecurityRows(tx, { orgId })].map((row) => [row.id, row]));
  const stored = ids.securities.map((id) => {
    const row = rows.get(id);
    if (!row) return null;
    return {
      kind: row.type,
      status: row.status,
      quantity: shown(row.quantity),
      holder: ids.holders.indexOf(row.stakeholderId ?? ""),
      stockClass: placeIn(ids.classes, row.stockClassId),
      plan: placeIn(ids.plans, row.equityPlanId),
      charge: shown(row.planCharge),
      price: shown(row.pricePerShare),
      strike: shown(row.exercisePrice),
      certificate: row.certificateId,
      stoppedOn: row.deletedAt === null ? row.vestingStoppedOn : null,
      isDeleted: row.deletedAt !== null,
    };
  });
  for (const [index, security] of model.securities.entries()) {
    if (security) security.certificate ??= stored[index]?.certificate ?? null;
  }
  expect(rows.size).toBe(model.securities.length);
  expect(stored).toEqual(model.securities.map((security, index) => (security ? rowOf(model, security, index) : null)));
  const live = model.securities.filter((security) => !security?.isDeleted).map((security) => security?.certificate);
  expect(new Set(live).size).toBe(live.length);
  expectFigures(company, model);
}

function expectFigures({ tx, orgId }: Company, model: Model): void {
  const classes = listEvery(tx, "share_classes", orgId).map((row) => [
    shown(row.currentSharesAuthorized),
    shown(row.issued),
  ]);
  expect(classes).toEqual(
    model.classes.map(({ authorized }, index) => [show(authorized), show(issuedOf(model, index))]),
  );
  const plans = listEvery(tx, "equity_plans", orgId).map((row) => [
    shown(row.totalSharesReserved),
    shown(row.currentSharesReserved),
  ]);
  expect(plans).toEqual(model.plans.map(({ reserved, available }) => [show(reserved), show(available)]));
}

function rowOf(model: Model, security: Security, index: number) {
  const { kind, status, quantity, holder, stockClass, plan, charge, price, strike, certificate, isDeleted } = security;
  return {
    kind,
    status,
    quantity: show(quantity) as string | null,
    holder,
    stockClass,
    plan,
    charge: charge === 0n ? null : show(charge),
    price: price === null ? null : show(price),
    strike: strike === null ? null : show(strike),
    certificate,
    stoppedOn: isDeleted ? null : haltedOn(standing(model, index)),
    isDeleted,
  };
}

const placeIn = (ids: readonly string[], id: string | null) => (id === null ? null : ids.indexOf(id));

const shown = (text: string | null): string | null => (text === null ? null : show(units(text)));

/**
 * Expects the service's cap table as of a day to be what the model's entries until then add up to: nothing is negative,
 * and from today on nothing is over its limit.
 */
export function expectView(company: Company, model: Model, day: string): void {
  const { data } = company.read("/cap-table", { asOf: day }) as { readonly data: CapTable };
  expectSound(data);
  if (day >= TODAY) expectInLimits(data);
  expect({ day, ...figuresOf(company, data) }).toEqual({ day, ...expectedFigures(model, viewOf(model, day), day) });
}

/** Expects no class and no plan to be over its limit. */
function expectInLimits({ shareClasses, equityPlans }: CapTable): void {
  const over = [...shareClasses, ...equityPlans].filter(({ available }) => available.startsWith("-"));
  expect(over).toEqual([]);
}

/** A view without ids and names: what the model can say of it. */
function figuresOf({ ids }: Company, table: CapTable) {
  const holders: Record<string, unknown> = {};
  for (const { id, outstanding, options, warrants, holdings } of table.stakeholders) {
    const held = holdings.map(({ stockClassId, quantity }) => [ids.classes.indexOf(stockClassId), shown(quantity)]);
    const figures = { outstanding: shown(outstanding), options: shown(options), warrants: shown(warrants) };
    holders[ids.holders.indexOf(id ?? "")] = { ...figures, holdings: Object.fromEntries(held) };
  }
  return {
    classes: Object.fromEntries(
      table.shareClasses.map(({ id, authorized, issued, available }) => {
        return [ids.classes.indexOf(id), [shown(authorized), shown(issued), shown(available)]];
      }),
    ),
    plans: Object.fromEntries(
      table.equityPlans.map(({ id, reserved, available }) => [
        ids.plans.indexOf(id),
        [shown(reserved), shown(available)],
      ]),
    ),
    holders,
    convertibles: table.convertibles.map(({ quantity }) => shown(quantity)).sort(),
  };
}

function expectedFigures(model: Model, view: View, day: string) {
  const { state } = view;
  const open = state.securities.filter((security) => security?.status === "ACTIVE") as Security[];
  const sumOf = (suits: (security: Security) => boolean): Units =>
    total(open.filter(suits).map(({ quantity }) => quantity));
  const holders: Record<string, unknown> = {};
  for (let holder = 0; holder < START.holders; holder++) {
    const of = (kind: Security["kind"]) => sumOf((security) => security.holder === holder && security.kind === kind);
    const holdings = state.classes.flatMap((_, index) => {
      const held = sumOf((each) => each.holder === holder && each.kind === "STOCK" && each.stockClass === index);
      return held > 0n ? [[index, show(held)]] : [];
    });
    const [outstanding, options, warrants] = [of("STOCK"), of("STOCK_OPTION"), of("WARRANT")];
    if (outstanding + options + warrants + of("CONVERTIBLE") === 0n) continue;
    const figures = { outstanding: show(outstanding), options: show(options), warrants: show(warrants) };
    holders[holder] = { ...figures, holdings: Object.fromEntries(holdings) };
  }
  const named = namesIn(model, view);
  return {
    classes: Object.fromEntries(
      state.classes.flatMap(({ authorized }, index) => {
        const issued = issuedOf(state, index);
        const figures = [show(authorized), show(issued), show(authorized - issued)];
        const isThere = countsOn(classDay(index), model.classes[index], named.classes.has(index), day) || issued > 0n;
        return isThere ? [[index, figures]] : [];
      }),
    ),
    plans: Object.fromEntries(
      state.plans.flatMap(({ reserved, available }, index) => {
        const isThere = countsOn(planDay(index), model.plans[index], named.plans.has(index), day);
        return isThere ? [[index, [show(reserved), show(available)]]] : [];
      }),
    ),
    holders,
    convertibles: open
      .filter(({ kind, quantity }) => kind === "CONVERTIBLE" && quantity > 0n)
      .map(({ quantity }) => show(quantity))
      .sort(),
  };
}

/** Whether a class or plan counts: from its day, or once an entry that counts names it. */
function countsOn(from: string, record: { readonly isDeleted: boolean } | undefined, isNamed: boolean, day: string) {
  return record?.isDeleted ? isNamed && day < TODAY : isNamed || from <= day;
}

function classDay(index: number): string {
  return START.classes[index]?.approvals.toSorted()[0] ?? TODAY;
}

function planDay(index: number): string {
  return START.plans[index]?.adopted ?? START.plans[index]?.boardApproval ?? TODAY;
}

/** The classes and plans that entries which count are about. */
function namesIn(model: Model, { state, counted }: View): { classes: Set<number>; plans: Set<number> } {
  const classes = new Set<number>();
  const plans = new Set<number>();
  const name = (stockClass: number | null | undefined, plan: number | null | undefined) => {
    if (typeof stockClass === "number") classes.add(stockClass);
    if (typeof plan === "number") plans.add(plan);
  };
  for (const index of counted) {
    const { effect } = model.log[index] as Entry;
    if (effect.does === "issue") name(effect.as.stockClass, effect.as.plan);
    if (effect.does === "place") name(effect.stockClass, effect.plan);
    if (effect.does === "authorize" || effect.does === "split") name(effect.stockClass, null);
    if (effect.does === "reserve") name(null, effect.plan);
    if (effect.does === "move") name(securityIn(state, effect.made)?.stockClass, securityIn(state, effect.made)?.plan);
  }
  return { classes, plans };
}

const securityIn = (state: State, index: number): Security | undefined => state.securities[index];
