// How a rule is falsified: the second cap table decides it wrongly, or the service hears or tells something else.

import type { Reply } from "../../src/resources/route.ts";
import type { Tx } from "../../src/storage/database/sql.ts";
import type { Asking } from "./bodies.ts";
import { Company } from "./company.ts";
import type { Decides } from "./history.ts";
import { decide } from "./model/decide.ts";
import type { Rules } from "./model/rules.ts";
import type { Model } from "./model/state.ts";
import type { Step } from "./model/step.ts";

/** One falsification. */
export interface Mutant {
  readonly name: string;
  /** Within how many histories it must be noticed. */
  readonly within: number;
  /** The seed at which a quick run begins to look, where histories that show it are rare; else, and in a release run, 1. */
  readonly from?: number;
  /** What the histories do more often than others, so that they come to it soon. */
  readonly often?: readonly string[];
  readonly rules?: Partial<Rules>;
  readonly decides?: Decides;
  readonly found?: (tx: Tx) => Company;
}

type Op = Step["op"];
type StepOf<O extends Op> = Extract<Step, { readonly op: O }>;

/** Decides rightly, then makes something of what came of the operations named wrong. */
export function afterwards<O extends Op>(
  ops: readonly O[],
  falsify: (after: Model, step: StepOf<O>, before: Model) => void,
): Decides {
  const isMeant = (step: Step): step is StepOf<O> => (ops as readonly Op[]).includes(step.op);
  return (before, step) => {
    const decided = decide(before, step);
    if ("after" in decided && isMeant(step)) falsify(decided.after, step, before);
    return decided;
  };
}

/** Decides as if something else had been asked. */
export const asIf = (other: (step: Step) => Step): Decides => {
  return (before, step) => decide(before, other(step));
};

/** A service that hears something else. */
export function hearing(change: (body: Asking["body"], name: string) => Asking["body"]): (tx: Tx) => Company {
  class Deaf extends Company {
    override call(asking: Asking): Reply {
      return super.call({ ...asking, body: change(asking.body, asking.name) });
    }
  }
  return (tx) => new Deaf(tx);
}

/** A service that tells a path as of another day than it is asked for. */
export function telling(path: string, dayFor: (asOf: string) => string): (tx: Tx) => Company {
  class Dull extends Company {
    override read(asked: string, query: Readonly<Record<string, string>> = {}, id = ""): unknown {
      const { asOf } = query;
      const isMeant = asked === path && asOf !== undefined;
      return super.read(asked, isMeant ? { ...query, asOf: dayFor(asOf) } : query, id);
    }
  }
  return (tx) => new Dull(tx);
}

export function without(body: Asking["body"], member: string): Asking["body"] {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== member));
}
