// What a step is beside its operation: the matters of which a history that never comes to them proves nothing.
import { latest, TODAY } from "./model/dates.ts";
import { haltedOn, held, vestedBy } from "./model/parcels.ts";
import { type Model, planOf } from "./model/state.ts";
import type { Step } from "./model/step.ts";
import { standing } from "./model/vesting.ts";

/** All of them; enough histories must come to each. */
export const MATTERS = [
  "dated before an earlier entry",
  "dated in the future",
  "conversion between classes",
  "grant of a plan for several classes",
  "split of a class that shares a plan",
  "return to a pool",
  "early exercise",
  "transfer of unvested shares",
  "leaver who loses some of an option and keeps some",
] as const;

/** Those of histories in which people leave and come back. */
export const LEAVING = [
  "end of service that stops stock",
  "end of service that stops what another holds",
  "return of one whose vesting stopped",
  "transfer of shares whose vesting stopped",
  "split of shares whose vesting stopped",
] as const;

type Matter = (typeof MATTERS)[number] | (typeof LEAVING)[number];

/** The matters of a step that was done. */
export function mattersOf(step: Step, before: Model, after: Model): Matter[] {
  const found: Matter[] = [];
  const note = (matter: Matter, isSo: boolean) => isSo && found.push(matter);
  if ("date" in step) {
    note("dated before an earlier entry", step.date < (latest(before.log) ?? step.date));
    note("dated in the future", step.date > TODAY);
  }
  if (step.op === "convert") note("conversion between classes", before.securities[step.security]?.kind === "STOCK");
  if (step.op === "issue-options") {
    note("grant of a plan for several classes", planOf(before, step.plan).classes.length > 1);
  }
  if (step.op === "split") {
    const shares = before.plans.some(({ classes }) => classes.length > 1 && classes.includes(step.stockClass));
    note("split of a class that shares a plan", shares);
  }
  if (step.op === "cancel" || step.op === "repurchase") {
    const { charge } = before.securities[step.security] ?? { charge: 0n };
    note("return to a pool", step.returnToPool && charge > 0n);
  }
  if (step.op === "exercise") note("early exercise", isEarly(step.security, before, after));
  if (step.op === "terminate-service") {
    const lost = after.log.slice(before.log.length).flatMap(({ on }) => on);
    const isOption = (security: number) => after.securities[security]?.kind === "STOCK_OPTION";
    const isKept = lost.some((security) => isOption(security) && (after.securities[security]?.quantity ?? 0n) > 0n);
    note("leaver who loses some of an option and keeps some", isKept);
    const stopped = lost.filter((security) => !isOption(security));
    note("end of service that stops stock", stopped.length > 0);
    const isOfOther = (security: number) => after.securities[security]?.holder !== step.holder;
    note("end of service that stops what another holds", stopped.some(isOfOther));
  }
  if (step.op === "start-vesting") note("return of one whose vesting stopped", hasStopped(before, step.security));
  if (step.op === "split") {
    const isStopped = (security: number) => after.securities[security]?.stockClass === step.stockClass;
    note(
      "split of shares whose vesting stopped",
      [...after.vesting.keys()].some((security) => isStopped(security) && hasStopped(after, security)),
    );
  }
  if (step.op === "transfer") {
    const received = after.vesting.at(-1)?.own?.parcels ?? [];
    note("transfer of unvested shares", vestedBy(received, step.date) < held(received));
    note("transfer of shares whose vesting stopped", haltedOn(received) !== null);
  }
  return found;
}

function hasStopped(model: Model, security: number): boolean {
  return haltedOn(standing(model, security)) !== null;
}

function isEarly(security: number, before: Model, after: Model): boolean {
  const facts = after.vesting[security]?.facts ?? [];
  return facts.some((fact) => fact.is === "exercised" && fact.entry === before.log.length && fact.early > 0n);
}
