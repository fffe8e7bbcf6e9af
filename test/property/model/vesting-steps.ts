// What says when shares vest and moves none: starts, events, accelerations, terms, milestones.
import { TODAY, TOMORROW } from "./dates.ts";
import type { Fact } from "./facts.ts";
import { comeBack } from "./leaving.ts";
import { haltedOn, held, vestedBy } from "./parcels.ts";
import { record } from "./record.ts";
import { refuseIf } from "./refusal.ts";
import type { Parcel } from "./schedule.ts";
import { at, isOpen, type Milestone, type Model, type Security, securityOf, vestingOf } from "./state.ts";
import type { Vesting as VestingStep } from "./step.ts";
import { VARIANTS } from "./terms.ts";
import { type Units, units } from "./units.ts";
import { isPlain, run, standing, type Vesting } from "./vesting.ts";

type OnSecurity = Extract<VestingStep, { readonly security: number }>;

/** Changes when shares vest. */
export function changeVesting(model: Model, step: VestingStep): void {
  switch (step.op) {
    case "patch-terms":
      model.terms[step.terms] = at(at(VARIANTS, step.terms), step.variant);
      return;
    case "complete-milestone":
      complete(model, step.milestone);
      return;
    case "delete-milestone":
      discard(model, step.milestone);
      return;
    default:
      onSecurity(model, step, securityOf(model, step.security));
  }
}

function onSecurity(model: Model, step: OnSecurity, record_: Security): void {
  const { security } = step;
  const isBound = step.op === "accelerate-vesting" || step.op === "record-vesting-event";
  refuseIf(isBound && step.date > TOMORROW, "validation-failed");
  refuseIf(record_.isDeleted, "not-found");
  const vesting = vestingOf(model, security);
  if (step.op === "patch-vesting") {
    const { terms = vesting.terms, start = vesting.start } = step;
    refuseIf(vesting.own !== null && (terms !== vesting.terms || start !== vesting.start), "invalid-state");
    if (start !== vesting.start && vesting.facts.some(({ is, ...fact }) => is === "started" && isWhole(fact))) {
      vesting.facts.push({ is: "started", condition: null, date: start });
      record(model, { date: start, on: [security], effect: { does: "tell", security, isStart: true } });
    }
    Object.assign(vesting, { terms, start });
    return;
  }
  if (step.op === "add-milestone") {
    const quantity = units(step.quantity);
    refuseIf(vesting.own !== null, "invalid-state");
    refuseIf(quantity > record_.quantity, "validation-failed");
    vesting.facts.push({ is: "set-apart", milestone: model.milestones.length, quantity });
    model.milestones.push({ security, since: model.log.length, isDone: false, isDeleted: false });
    return;
  }
  refuseIf(record_.status !== "ACTIVE", "invalid-state");
  const { date } = step;
  if (step.op === "start-vesting" && comeBack(model, security, date, step.condition)) return;
  refuseIf(step.op === "record-vesting-event" && haltedOn(standing(model, security)) !== null, "invalid-state");
  if (step.op === "start-vesting") start(model, vesting, step);
  else if (step.op === "accelerate-vesting") accelerate(model, security, date, units(step.quantity));
  else if (step.condition === null) accelerate(model, security, date, units(step.quantity ?? "0"));
  else {
    const { condition } = step;
    refuseIf(conditionOf(model, vesting, condition)?.months !== null, "validation-failed");
    vesting.facts.push({ is: "happened", condition, date });
  }
  const isStart = step.op === "start-vesting" && { isStart: true as const };
  record(model, { date, on: [security], effect: { does: "tell", security, ...isStart } });
}

function start(model: Model, vesting: Vesting, step: Extract<VestingStep, { op: "start-vesting" }>): void {
  const { condition, date } = step;
  const parcels = standing(model, step.security);
  const waits = parcels.some((parcel) => parcel.date === null && parcel.condition === condition);
  refuseIf(vesting.own !== null && !isPlain(model, step.security) && (condition === null || !waits), "invalid-state");
  const months = condition === null ? 0 : (conditionOf(model, vesting, condition)?.months ?? null);
  refuseIf(months === null, "validation-failed");
  vesting.facts.push({ is: "started", condition, date });
  if (condition === null) vesting.start = date;
}

/** Whether a start is one of all conditions. */
const isWhole = (fact: object): boolean => "condition" in fact && fact.condition === null;

function accelerate(model: Model, security: number, date: string, quantity: Units): void {
  const parcels = standing(model, security);
  refuseIf(quantity > held(parcels) - vestedBy(parcels, date), "validation-failed");
  vestingOf(model, security).facts.push({ is: "accelerated", quantity, date });
}

function conditionOf(model: Model, { terms }: Vesting, condition: string) {
  return terms === null ? undefined : model.terms[terms]?.conditions.find(({ id }) => id === condition);
}

/** Vests what the milestone holds in every security of the family. */
function complete(model: Model, milestone: number): void {
  const { isDone, security: grant } = pendingOf(model, milestone);
  refuseIf(isDone, "invalid-state");
  const holding = [...model.vesting.entries()].filter(([security, vesting]) => {
    const hasPart = run(model, vesting).parcels.some((parcel) => parcel.milestone === milestone);
    return hasPart && isOpen(model.securities[security]);
  });
  refuseIf(holding.length === 0 && !isOpen(model.securities[grant]), "invalid-state", "not-found");
  pendingOf(model, milestone).isDone = true;
  for (const [security, vesting] of holding) {
    vesting.facts.push({ is: "reached", milestone, date: TODAY });
    record(model, { date: TODAY, on: [security], effect: { does: "tell", security } });
  }
}

function discard(model: Model, milestone: number): void {
  const { isDone } = pendingOf(model, milestone);
  const isHeld = ({ milestone: holder }: Parcel) => holder === milestone;
  const waits = model.vesting.some((vesting) => vesting.own && run(model, vesting).parcels.some(isHeld));
  refuseIf(!isDone && waits, "in-use");
  pendingOf(model, milestone).isDeleted = true;
  const isOther = (fact: Fact) => !(fact.is === "set-apart" && fact.milestone === milestone);
  for (const vesting of model.vesting) {
    vesting.facts = vesting.facts.filter(isOther);
    const { own } = vesting;
    if (!own?.until) continue;
    const then = own.until.vesting;
    vesting.own = { ...own, until: { ...own.until, vesting: { ...then, facts: then.facts.filter(isOther) } } };
  }
}

function pendingOf(model: Model, milestone: number): Milestone {
  const record_ = at(model.milestones, milestone);
  refuseIf(record_.isDeleted, "not-found");
  return record_;
}
