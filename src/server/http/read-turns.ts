// How many requests may read much at this moment. A view as of a date or an export takes the machine for as long as a
// thousand records do, so few run at once; one turn is always left to what is no report.
import { availableParallelism } from "node:os";
import type { TurnLimits } from "../../kernel/threads/turns.ts";

/** As many turns as cores, but three at least: what one caller and one report of others take leaves one. */
const TURNS = Math.max(3, availableParallelism());

/** The limits of what reads much. */
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
