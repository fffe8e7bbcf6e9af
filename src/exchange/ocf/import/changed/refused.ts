// Refusals of an import: why it refuses objects that build on changes or deletions made here, and those so far. Pure.
import { shown } from "../../finding.ts";

/** Why a transaction is refused: the changed record and the entry that changed it, or the deleted class or plan. */
export interface Cause {
  /** Missing where a class or plan was deleted: the ledger has no entry of that. */
  readonly transactionId?: string;
  readonly securityId?: string;
  readonly stockClassId?: string;
  readonly equityPlanId?: string;
}

/** What an import has refused for such a cause, and so cannot build on. */
export class Refused {
  /** Securities that were not issued. */
  readonly securities = new Map<string, Cause>();
  /** Securities of which a transaction was refused: what the package says next of what they hold is not so here. */
  readonly stale = new Map<string, Cause>();
  /** Classes of which a split was refused. */
  readonly classes = new Map<string, Cause>();

  /** Remembers what was refused so far; the function that it returns forgets what was refused since. */
  mark(): () => void {
    const maps = [this.securities, this.stale, this.classes];
    const sizes = maps.map(({ size }) => size);
    return () => {
      for (const [i, map] of maps.entries()) {
        for (const id of map.size > (sizes[i] ?? 0) ? [...map.keys()].slice(sizes[i]) : []) map.delete(id);
      }
    };
  }
}

/** A cause in words. */
interface Worded {
  readonly code: "changed-here" | "deleted-here";
  /** What happened, without a full stop. */
  readonly since: string;
  /** The member by which a transaction names what it happened to. */
  readonly member: "security_id" | "stock_class_id" | "stock_plan_id";
}

/** Words a cause. */
export function inWords({ transactionId, securityId, stockClassId, equityPlanId }: Cause): Worded {
  if (transactionId === undefined) {
    const code = "deleted-here";
    if (stockClassId === undefined) {
      return { code, since: `The equity plan ${shown(equityPlanId)} was deleted here`, member: "stock_plan_id" };
    }
    return { code, since: `The share class ${shown(stockClassId)} was deleted here`, member: "stock_class_id" };
  }
  const [code, changed] = ["changed-here", `was changed here, by the ledger entry ${transactionId}`] as const;
  if (securityId === undefined) {
    return { code, since: `Stock of the class ${shown(stockClassId)} ${changed}`, member: "stock_class_id" };
  }
  return { code, since: `The security ${shown(securityId)} ${changed}`, member: "security_id" };
}
