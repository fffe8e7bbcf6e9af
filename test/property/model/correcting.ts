// A change of what was never true: a security that is changed together with its price counts so from its issuance on.
import { TODAY } from "./dates.ts";
import { record } from "./record.ts";
import { at, type Effect, type Model, type Security, securityOf, vestingOf } from "./state.ts";
import type { Edit } from "./step.ts";
import { type Units, units } from "./units.ts";

type Place = Pick<Security, "holder" | "stockClass" | "plan" | "quantity" | "status">;

/** What an edit is to make of a security, in the order holder, class or plan, quantity, status. */
export function editEffects(now: Place, security: number, changes: Edit): Effect[] {
  const { holder = now.holder, stockClass = now.stockClass, plan = now.plan, status = now.status } = changes;
  const after = changes.quantity === undefined ? now.quantity : units(changes.quantity);
  return effectsTo(now, security, { holder, stockClass, plan, quantity: after, status });
}

function effectsTo(now: Place, security: number, to: Place): Effect[] {
  const { holder, stockClass, plan, quantity: after, status } = to;
  const isPlaced = stockClass !== now.stockClass || plan !== now.plan;
  return [
    ...(holder === now.holder ? [] : [{ does: "hand", security, holder } as const]),
    ...(isPlaced ? [{ does: "place", security, stockClass, plan } as const] : []),
    ...(after === now.quantity ? [] : [{ does: "size", security, before: now.quantity, after } as const]),
    ...(status === now.status ? [] : [{ does: "stand", security, status } as const]),
  ];
}

/** Whether an edit is one from the first day: it moves something, changes a price, and nothing rests on the record. */
export function isCorrection(model: Model, security: number, changes: Edit): boolean {
  const now = securityOf(model, security);
  const effects = editEffects(now, security, changes);
  const isOther = (given: string | undefined, own: Units | null) => given !== undefined && units(given) !== own;
  const isPaidOtherwise = isOther(changes.price, now.price) || isOther(changes.strike, now.strike);
  const isMoved = effects.some(({ does }) => does !== "stand");
  return isMoved && isPaidOtherwise && !restsOn(model, security);
}

/** Whether something rests on what a security was: a split, or an entry that is no direct edit or start of vesting. */
function restsOn(model: Model, security: number): boolean {
  const { status, kind } = securityOf(model, security);
  const { isGrant, since } = vestingOf(model, security);
  if (status !== "ACTIVE" || !isGrant) return true;
  const classes = statesOf(model, security).map(({ stockClass }) => stockClass);
  return model.log.some(({ on, through, effect }, index) => {
    if (index <= since) return false;
    if (through?.has(security)) return true;
    if (effect.does === "split") return kind !== "CONVERTIBLE" && classes.includes(effect.stockClass);
    return on.includes(security) && !isEdit(effect) && !(effect.does === "tell" && effect.isStart);
  });
}

const isEdit = ({ does }: Effect) => ["hand", "place", "size", "stand"].includes(does);

/** What the security was as issued, and after each of its direct edits, in the order of the ledger. */
function statesOf(model: Model, security: number): Place[] {
  const { effect } = at(model.log, vestingOf(model, security).since);
  if (effect.does !== "issue") throw new Error(`the model has no issuance of ${security}`);
  const states: Place[] = [effect.as];
  for (const { on, effect: done } of model.log) {
    if (on.includes(security) && isEdit(done)) states.push(after(at(states, states.length - 1), done));
  }
  return states;
}

function after(state: Place, effect: Effect): Place {
  if (effect.does === "hand") return { ...state, holder: effect.holder };
  if (effect.does === "place") return { ...state, stockClass: effect.stockClass, plan: effect.plan };
  if (effect.does === "size") return { ...state, quantity: state.quantity + effect.after - effect.before };
  return effect.does === "stand" ? { ...state, status: effect.status } : state;
}

/**
 * Takes direct edits back, each on its own day, and has the security be what it is to be from its issuance on. A status
 * counts from its own day.
 */
export function correct(model: Model, security: number, changes: Edit): void {
  const vesting = vestingOf(model, security);
  const issued = at(model.log, vesting.since);
  const now: Place = { ...securityOf(model, security) };
  const edits = model.log.filter(({ on, effect }) => on.includes(security) && isEdit(effect));
  const states = statesOf(model, security);
  // What stood before a correction was taken back by it.
  const first = edits.findLastIndex(({ isCorrection: isOfOne }) => isOfOne) + 1;
  const add = (date: string, effects: readonly Effect[]) => {
    for (const effect of effects) record(model, { date, on: [security], effect, isCorrection: true });
  };
  for (let index = edits.length - 1; index >= first; index--) {
    const [was, is] = [at(states, index), at(states, index + 1)];
    add(at(edits, index).date, effectsTo(is, security, { ...was, status: is.status }));
  }
  const { status, ...others } = changes;
  const { holder = now.holder, stockClass = now.stockClass, plan = now.plan } = others;
  const quantity = others.quantity === undefined ? now.quantity : units(others.quantity);
  const [base, whole] = [at(states, first), { holder, stockClass, plan, quantity }];
  add(issued.date, effectsTo(base, security, { ...base, ...whole }));
  vesting.facts = vesting.facts.filter(({ is }) => is !== "cut" && is !== "grown");
  vesting.granted = quantity;
  const effects = editEffects(securityOf(model, security), security, status === undefined ? {} : { status });
  for (const effect of effects) record(model, { date: TODAY, on: [security], effect });
}
