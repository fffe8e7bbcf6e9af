// What a closing will write, as plain data, and whether a plan that was made earlier still holds: the thread that writes
// needs no more of models than this.
import type { CalendarDate } from "../../../kernel/date.ts";
import { Outdated } from "../../../kernel/threads/outdated.ts";
import { type ToldError, toldError } from "../../../kernel/threads/serialized-error.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import type { Stand } from "../../cap-table/basis.ts";
import type { CapitalizationRules } from "../model-company.ts";
import { isUnchanged } from "../read/unchanged.ts";
import type { Countable } from "./counted.ts";

/** More rows of the log than these are not looked through in a commit. */
const LEFT_MAX = 500;

/** What a closing will write; figures are decimal text. */
export interface ClosingPlan {
  readonly closingDate: CalendarDate;
  /** What a share of the new class costs, and what all investors pay. */
  readonly price: string;
  readonly cash: string;
  readonly seniorities: readonly { readonly id: string; readonly before: number; readonly after: number }[];
  /** The classes to make, the one of new money first; `issued` is what the round issues of each. */
  readonly made: readonly {
    readonly name: string;
    readonly seniority: number;
    readonly price: string;
    readonly prefix: string;
    readonly intoKey: string | null;
    readonly issued: string;
  }[];
  readonly adjustments: readonly {
    readonly stockClassId: string | null;
    readonly intoKey: string | null;
    readonly ratio: { readonly numerator: string; readonly denominator: string };
    readonly conversionPrice: string;
  }[];
  /** The plan that the pool is in; `increase` is null where it stays as it is. */
  readonly pool: {
    readonly equityPlanId: string | null;
    readonly classKey: string | null;
    readonly increase: string | null;
  };
  /** `made` is the place of the class that each gets. */
  readonly conversions: readonly {
    readonly securityId: string;
    readonly made: number;
    readonly shares: string;
    readonly price: string;
    readonly told: Readonly<Record<string, unknown>>;
    readonly rules: CapitalizationRules | null;
  }[];
  readonly countable: Countable;
  /** Those that buy shares. */
  readonly investments: readonly {
    readonly stakeholderId: string | null;
    readonly kind: "NEW_MONEY" | "PRO_RATA";
    readonly shares: string;
  }[];
}

/** A plan that was made beforehand, or what is in its way, and where ledger and log stood then. Plain data. */
export interface EarlierPlan {
  readonly stand: Stand;
  readonly outcome: { readonly plan: ClosingPlan } | { readonly refusal: ToldError };
}

/**
 * The plan as it is now, by one that was made earlier. Throws what was in its way then: the closing came between that
 * moment and now, and counts as refused at that moment. Throws {@link Outdated} where something came since from which a
 * round is modelled.
 */
export function planNow(db: Reader, orgId: string, { stand, outcome }: EarlierPlan): ClosingPlan {
  if ("refusal" in outcome) throw toldError(outcome.refusal);
  const { plan } = outcome;
  if (!isUnchanged(db, orgId, stand, { asOf: plan.closingDate, most: LEFT_MAX })) throw new Outdated();
  return plan;
}
