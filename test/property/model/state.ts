// The records of the second cap table: plain arrays, written from the rules alone. Holders, classes, plans and
// securities are numbers: their places in the arrays.
import type { Rules } from "./rules.ts";
import type { Terms } from "./schedule.ts";
import type { Kind, Status } from "./step.ts";
import type { Units } from "./units.ts";
import type { Vesting } from "./vesting.ts";

export interface Security {
  kind: Kind;
  status: Status;
  quantity: Units;
  holder: number;
  stockClass: number | null;
  plan: number | null;
  /** What of the plan's reserve it uses up; zero shows as null. */
  charge: Units;
  /** Charge and quantity when it last held something: what a rise from "0" is charged by. */
  rate: { readonly charge: Units; readonly quantity: Units };
  price: Units | null;
  strike: Units | null;
  expires: string | null;
  /** The certificate number that the caller chose; null where the service chose one. */
  certificate: string | null;
  isDeleted: boolean;
}

export interface StockClass {
  initial: Units;
  authorized: Units;
  isDeleted: boolean;
}

export interface Plan {
  initial: Units;
  reserved: Units;
  available: Units;
  classes: readonly number[];
  isDeleted: boolean;
}

/** The cap table at one moment, or on one day. A security that is not there yet has no record. */
export interface State {
  securities: (Security | undefined)[];
  classes: StockClass[];
  plans: Plan[];
}

/** One line of the ledger: what it does, and on which day. */
export interface Entry {
  readonly date: string;
  /** The day from which it counts, where that is later. */
  readonly from?: string;
  /** The securities whose own entry it is: those that it names as `securityId` or `newSecurityId`. */
  readonly on: readonly number[];
  /** The securities that went through it, where it is a split: it names none. */
  readonly through?: ReadonlySet<number>;
  readonly effect: Effect;
  /** A correction counts from the issuance on, and is not taken back by the next one, nor is what took an edit back. */
  readonly isCorrection?: true;
}

export type Effect =
  | { readonly does: "issue"; readonly made: number; readonly as: Security }
  | {
      readonly does: "move";
      readonly security: number;
      readonly quantity: Units;
      readonly closed: Status;
      readonly made: number;
      readonly as: Partial<Security> & Pick<Security, "quantity">;
    }
  | {
      readonly does: "take";
      readonly security: number;
      readonly quantity: Units;
      readonly closed: Status;
      readonly returns: boolean;
    }
  | { readonly does: "undo"; readonly security: number; readonly quantity: Units }
  | { readonly does: "hand"; readonly security: number; readonly holder: number }
  | {
      readonly does: "place";
      readonly security: number;
      readonly stockClass: number | null;
      readonly plan: number | null;
    }
  | { readonly does: "size"; readonly security: number; readonly before: Units; readonly after: Units }
  /** `isDated` where it counts from its day on, as ends of service and returns do; `isStart` for starts of vesting. */
  | { readonly does: "tell"; readonly security: number; readonly isDated?: true; readonly isStart?: true }
  | { readonly does: "stand"; readonly security: number; readonly status: Status }
  | {
      readonly does: "split";
      readonly stockClass: number;
      readonly numerator: bigint;
      readonly denominator: bigint;
      readonly rounding: "DOWN" | "UP" | "NEAREST" | "FRACTIONAL";
      /** The plans for this class alone. */
      readonly plans: readonly number[];
    }
  | { readonly does: "authorize"; readonly stockClass: number; readonly figure: Units | null; readonly by: Units }
  | { readonly does: "reserve"; readonly plan: number; readonly figure: Units | null; readonly by: Units };

export interface Milestone {
  readonly security: number;
  /** How many entries the ledger had when it was made. */
  readonly since: number;
  isDone: boolean;
  isDeleted: boolean;
}

/** The cap table as it stands and the ledger that explains it. */
export interface Model extends State {
  log: Entry[];
  terms: Terms[];
  /** For each security, when its shares vest. */
  vesting: Vesting[];
  milestones: Milestone[];
  /** The classes and plans as they were made. */
  readonly founded: Pick<State, "classes" | "plans">;
  readonly rules: Rules;
}

/** A second copy, to decide a step on. */
export function copyOf(model: Model): Model {
  return {
    ...model,
    ...copyOfState(model),
    log: [...model.log],
    terms: [...model.terms],
    vesting: model.vesting.map((each) => ({ ...each, facts: [...each.facts] })),
    milestones: model.milestones.map((milestone) => ({ ...milestone })),
  };
}

export function copyOfState({ securities, classes, plans }: State): State {
  return {
    securities: securities.map((security) => security && { ...security }),
    classes: classes.map((stockClass) => ({ ...stockClass })),
    plans: plans.map((plan) => ({ ...plan })),
  };
}

/** Whether it counts: open, and not deleted. */
export function isOpen(security: Security | undefined): security is Security {
  return security !== undefined && security.status === "ACTIVE" && !security.isDeleted;
}

/** The outstanding stock of a class: what its open securities hold. */
export function issuedOf(state: State, stockClass: number): Units {
  let sum = 0n;
  for (const security of state.securities) {
    if (isOpen(security) && security.kind === "STOCK" && security.stockClass === stockClass) sum += security.quantity;
  }
  return sum;
}

/** The one class of a plan; null where it is for several, or for none. */
export function onlyClass(state: State, plan: number): number | null {
  const { classes } = planOf(state, plan);
  return classes.length === 1 ? (classes[0] ?? null) : null;
}

export function at<T>(list: readonly (T | undefined)[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`the model has no number ${index}`);
  return found;
}

export const securityOf = (state: State, index: number): Security => at(state.securities, index);
export const classOf = (state: State, index: number): StockClass => at(state.classes, index);
export const planOf = (state: State, index: number): Plan => at(state.plans, index);
export const vestingOf = (model: Model, index: number): Vesting => at(model.vesting, index);
