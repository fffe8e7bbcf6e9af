// Decides a step: the entries that it adds to the second ledger, or the problem that it is refused with.
import { brokenLimits } from "./dates.ts";
import { changeFigures } from "./figures.ts";
import { issue } from "./issue.ts";
import { leave } from "./leaving.ts";
import { move } from "./moves.ts";
import { Refusal } from "./refusal.ts";
import { changeSecurity } from "./securities.ts";
import { copyOf, type Model } from "./state.ts";
import type { Step } from "./step.ts";
import { changeVesting } from "./vesting-steps.ts";

/** What comes of a step: the cap table after it, or the problems of which the service names one. */
export type Decided = { readonly after: Model } | { readonly refused: readonly string[] };

/** Decides a step. The model given is left as it is. */
export function decide(before: Model, step: Step): Decided {
  const after = copyOf(before);
  try {
    act(after, step);
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.slugs };
    throw error;
  }
  const refused = [...brokenLimits(before, after), ...takenNumbers(before, step)];
  return refused.length > 0 ? { refused } : { after };
}

function act(model: Model, step: Step): void {
  switch (step.op) {
    case "issue-shares":
    case "issue-options":
    case "issue-warrant":
    case "issue-convertible":
    case "post-security":
      issue(model, step);
      return;
    case "transfer":
    case "exercise":
    case "convert":
      move(model, step);
      return;
    case "cancel":
    case "repurchase":
    case "retract":
    case "delete-security":
    case "patch-security":
    case "record-only":
      changeSecurity(model, step);
      return;
    case "terminate-service":
      leave(model, step);
      return;
    case "start-vesting":
    case "accelerate-vesting":
    case "record-vesting-event":
    case "patch-vesting":
    case "patch-terms":
    case "add-milestone":
    case "complete-milestone":
    case "delete-milestone":
      changeVesting(model, step);
      return;
    default:
      changeFigures(model, step);
  }
}

/** A certificate number that a security has which is there. */
function takenNumbers(model: Model, step: Step): string[] {
  const chosen = "certificate" in step ? step.certificate : null;
  const isTaken = model.securities.some((security) => !security?.isDeleted && security?.certificate === chosen);
  return chosen !== null && isTaken ? ["duplicate-certificate-id"] : [];
}
