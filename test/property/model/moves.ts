// What moves shares to another security: transfer, exercise, conversion. The charge goes along, and the vesting.
import { isTooEarly, latestThrough, TOMORROW } from "./dates.ts";
import { asReceived, buy, divide, held, multiply, vestedBy, vestedOn } from "./parcels.ts";
import { record } from "./record.ts";
import { refuseIf } from "./refusal.ts";
import type { Parcel } from "./schedule.ts";
import { classOf, type Model, onlyClass, type Security, securityOf, vestingOf } from "./state.ts";
import type { Moving, Status } from "./step.ts";
import { type Units, units } from "./units.ts";
import { isPlain, makeOwn, received, standing } from "./vesting.ts";

type Step<Op extends Moving["op"]> = Extract<Moving, { readonly op: Op }>;

/** Moves shares. */
export function move(model: Model, step: Moving): void {
  const security = securityOf(model, step.security);
  refuseIf(step.op === "convert" && step.date > TOMORROW, "validation-failed");
  refuseIf(security.isDeleted, "not-found");
  const target = step.op === "transfer" ? null : step.stockClass;
  const isGone = target !== null && classOf(model, target).isDeleted;
  refuseIf(security.status !== "ACTIVE", "invalid-state", ...(isGone ? (["not-found"] as const) : []));
  refuseIf(isGone, "not-found");
  if (step.op === "transfer") transfer(model, security, step);
  else if (step.op === "exercise") exercise(model, security, step);
  else convert(model, security, step);
}

function transfer(model: Model, security: Security, step: Step<"transfer">): void {
  const { date } = step;
  refuseIf(step.from !== security.holder, "invalid-state");
  refuseIf(step.to === step.from, "validation-failed");
  const quantity = units(step.quantity);
  refuseIf(quantity > security.quantity, "validation-failed");
  const vested = step.vested === null ? null : units(step.vested);
  refuseWrongVested(model, step.security, { date, quantity, vested });
  const { taken } = divide(standing(model, step.security), date, quantity, vested);
  leaveWith(model, step.security, taken, date);
  make(model, step, { quantity, closed: "TRANSFERRED", as: { holder: step.to, quantity }, taken });
}

function exercise(model: Model, security: Security, step: Step<"exercise">): void {
  const { date, early: mayBeEarly } = step;
  refuseIf(security.expires !== null && date > security.expires, "invalid-state");
  refuseIf(security.kind !== "STOCK_OPTION" && security.kind !== "WARRANT", "validation-failed");
  refuseIf(security.strike !== null && security.strike !== units(step.strike), "validation-failed");
  const own = security.stockClass ?? (security.plan === null ? null : onlyClass(model, security.plan));
  const stockClass = own ?? step.stockClass;
  refuseIf(stockClass === null, "validation-failed");
  const quantity = units(step.quantity);
  refuseIf(quantity > security.quantity, "validation-failed");
  const parcels = standing(model, step.security);
  const vested = vestedBy(parcels, date);
  refuseIf(quantity > vested && !mayBeEarly, "unvested-quantity");
  const early = quantity > vested ? quantity - vested : 0n;
  const { taken } = buy(parcels, quantity);
  if (early > 0n) makeOwn(model, step.security, date);
  const entry = model.log.length;
  vestingOf(model, step.security).facts.push({
    ...{ is: "exercised", entry, date, quantity, early },
    parcels: early > 0n ? taken : null,
  });
  const as = { kind: "STOCK", stockClass, price: units(step.strike), quantity } as const;
  make(model, step, { quantity, closed: "EXERCISED", as, taken });
}

function convert(model: Model, security: Security, step: Step<"convert">): void {
  const { date, stockClass } = step;
  const isStock = security.kind === "STOCK";
  refuseIf(!isStock && security.kind !== "CONVERTIBLE", "validation-failed");
  refuseIf(isStock && security.stockClass === stockClass, "validation-failed");
  const quantity = step.quantity === null ? security.quantity : units(step.quantity);
  refuseIf(quantity > security.quantity, "validation-failed");
  // What is wrong with the body is told before the conflict of its date.
  refuseIf(isTooEarly(date, latestThrough(model, step.security)), "invalid-state");
  const resulting = units(step.resulting);
  const { taken } = divide(standing(model, step.security), date, quantity, null);
  leaveWith(model, step.security, taken, date);
  const got = isStock ? multiply(asReceived(taken, date), resulting) : vestedOn(date, resulting);
  const as = { kind: "STOCK", stockClass, quantity: resulting } as const;
  make(model, step, { quantity, closed: "CONVERTED", as, taken: got });
  if (!isStock) Object.assign(vestingOf(model, model.vesting.length - 1), { terms: null, start: "" });
}

interface Made {
  readonly quantity: Units;
  readonly closed: Status;
  readonly as: Partial<Security> & Pick<Security, "quantity">;
  /** What its vesting is made of. */
  readonly taken: readonly Parcel[];
}

/** Records the move; the entry is the one that the vesting facts before it name. */
function make(model: Model, { security, date }: Moving, { quantity, closed, as, taken }: Made): void {
  const made = model.securities.length;
  model.vesting.push(received(vestingOf(model, security), model.log.length, taken, date));
  const effect = { does: "move", security, quantity, closed, made, as } as const;
  record(model, { date, on: [security, made], effect });
}

/** The shares leave; the list is the security's own from now on. */
function leaveWith(model: Model, security: number, taken: readonly Parcel[], day: string): void {
  makeOwn(model, security, day);
  const vesting = vestingOf(model, security);
  // Shares that vested with their grant bear its day, or that of the operation where it is dated before the grant.
  const [grantDay = day] = [vesting.own?.parcels[0]?.date ?? vesting.grantDate, day].sort();
  const parcels = isPlain(model, security) ? taken.map((parcel) => ({ ...parcel, date: grantDay })) : taken;
  vesting.facts.push({ is: "left", entry: model.log.length, parcels });
}

interface Asked {
  readonly date: string;
  readonly quantity: Units;
  readonly vested: Units | null;
}

/** How many vested shares are to go: no more than there are or than go at all, nor so few that unvested ones lack. */
export function refuseWrongVested(model: Model, security: number, { date, quantity, vested }: Asked): void {
  if (vested === null) return;
  const parcels = standing(model, security);
  const there = vestedBy(parcels, date);
  const isTooMany = vested > there || vested > quantity;
  refuseIf(isTooMany || quantity - vested > held(parcels) - there, "validation-failed");
}
