// Verifies the authors of an organization's log: each wrote in a session of its own, by a name that it had while the
// session lasted. Pure.
import { RESTORE } from "../report.ts";
import type { TellPerson } from "./event.ts";
import { namesWithin, type PeopleState } from "./state.ts";

/** The rows of an organization's log that name one person, one session and one name. */
export interface WriterRows {
  readonly accountId: string | null;
  readonly sessionId: string | null;
  readonly actorName: string | null;
  /** The first of them, and how many there are. */
  readonly first: number;
  readonly rows: number;
}

/** Checks the rows by people of one organization's log. */
export function checkWriters(groups: Iterable<WriterRows>, state: PeopleState, tell: TellPerson): void {
  for (const group of groups) {
    const fault = faultOf(group, state);
    if (fault === null) continue;
    const { first, rows } = group;
    const others = rows === 1 ? "" : ` and ${rows - 1} more`;
    const detail = `it was written by a person, and ${fault}`;
    tell({ code: "writer-unexplained", subject: `log row ${first}${others}`, detail, fix: RESTORE }, null);
  }
}

function faultOf({ accountId, sessionId, actorName }: WriterRows, state: PeopleState): string | null {
  const session = state.sessions.get(sessionId ?? "");
  if (session === undefined || session.accountId !== accountId)
    return "no sign-in of that account explains its session";
  const account = state.accounts.get(session.accountId);
  const isName = account !== undefined && namesWithin(account, session).has(actorName ?? "");
  return isName ? null : "the account did not have that name while the session lasted";
}
