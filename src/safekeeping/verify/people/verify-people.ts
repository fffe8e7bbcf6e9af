// Verifies people: the log of accounts against its own chain; accounts, factors, links and sessions against that log;
// and the authors in each organization against its sessions.

import { counted } from "../../../kernel/text/text.ts";
import { findLogHead } from "../../../storage/database/log/audit.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { type Difference, RESTORE, type VerifiedInstance } from "../report.ts";
import { comparePeople } from "./compare.ts";
import { type TellPerson, walkEvents } from "./event.ts";
import { PeopleFold } from "./fold-people.ts";
import type { PeopleState } from "./state.ts";
import {
  countWriters,
  findArrival,
  iterateEvents,
  listMemberAccounts,
  listWriters,
  peoplePort,
  storedPeople,
} from "./store.ts";
import { checkWriters } from "./writers.ts";

/** The result of a verification of people. */
export interface VerifiedPeople extends VerifiedInstance {
  /** The state by the events, for the rows that people wrote. */
  readonly state: PeopleState;
}

/**
 * Verifies the log of accounts and the tables that it explains. With `orgId`, differences of accounts that never were
 * members of that organization are counted and not named.
 */
export function verifyPeople(
  db: Reader,
  orgId: string | undefined,
  now: string,
  differences: Difference[],
): VerifiedPeople {
  const named =
    orgId === undefined ? null : new Set(listMemberAccounts(db, { orgId }).map(({ accountId }) => accountId));
  let others = 0;
  const tell: TellPerson = (difference, accountId) => {
    if (named === null || accountId === null || named.has(accountId)) differences.push({ ...difference, orgId: null });
    else others++;
  };
  const fold = new PeopleFold(peoplePort(db), tell);
  const log = walkEvents(iterateEvents(db), (event) => fold.take(event), tell);
  comparePeople(fold.state, storedPeople(db), now, tell);
  if (others > 0) {
    const detail = `${counted(others, "difference")} of accounts that never were members here: verify the whole instance`;
    differences.push({ code: "row-differs", orgId: null, subject: "other accounts", detail, fix: RESTORE });
  }
  return { log: { sequence: log.sequence, hash: log.hash }, state: fold.state };
}

/** Verifies the authors in one organization. */
export function verifyWriters(
  db: Reader,
  orgId: string,
  state: PeopleState,
  { differences, notes }: { readonly differences: Difference[]; readonly notes: Difference[] },
): void {
  const after = state.hasOnlyArrived() ? findLogHead(db, orgId).sequence : (findArrival(db, { orgId })?.sequence ?? 0);
  checkWriters(listWriters(db, { orgId, after }), state, (difference) => differences.push({ ...difference, orgId }));
  const { rows = 0 } = after === 0 ? {} : (countWriters(db, { orgId, upTo: after }) ?? {});
  if (Number(rows) === 0) return;
  const detail = `${counted(Number(rows), "row")} by people of another instance: no session explains them`;
  notes.push({ code: "writer-unexplained", orgId, subject: `log rows 1 to ${after}`, detail });
}
