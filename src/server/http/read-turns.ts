// Turns for long reads: how many requests may do costly reading at once. A view as of a date or an export takes the
// machine as long as a thousand records do, so few run at once; one turn is always left to short reads.
import { availableParallelism } from "node:os";
import type { TurnLimits } from "../../kernel/threads/turns.ts";

/** As many turns as cores, but three at least: one caller and one report of another leave one. */
const TURNS = Math.max(3, availableParallelism());

/** The limits of long reads. */
export const READ_TURNS: TurnLimits = {
  atOnce: TURNS,
  ofOrganization: 2,
  reports: TURNS - 1,
  reportsOfOrganization: 1,
  waitingOfOrganization: 32,
  waitingOfCaller: 8,
  reportsWaitingOfCaller: 2,
  patienceMs: 30_000,
};
