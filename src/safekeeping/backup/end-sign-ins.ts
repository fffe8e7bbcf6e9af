// Ends all sessions and calendars of an unpacked backup and revokes its open links: what was ended, used or revoked since
// would give access again.
import { commandLineCall } from "../../kernel/call.ts";
import { systemRuntime, toTimestamp } from "../../kernel/runtime.ts";
import { deleteCalendar, listAllCalendars } from "../../people/stores/calendar-store.ts";
import { listOpenLinks, revokeLink } from "../../people/stores/link-store.ts";
import { dropQueued } from "../../people/stores/mail-store.ts";
import { endAllSessions, listAllOpenSessions } from "../../people/stores/session-store.ts";
import { appendEvent } from "../../storage/database/log/account-log.ts";
import { tellOf } from "../../storage/database/log/audit.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { writeUnpacked } from "./unpacked.ts";

/** How many sessions and calendars were ended and links revoked. */
export interface EndedSignIns {
  readonly endedSessions: number;
  readonly endedCalendars: number;
  readonly revokedLinks: number;
}

/** Ends the sessions and calendars and revokes the links of the folder's database. */
export function endSignIns(folder: string): Promise<EndedSignIns> {
  return writeUnpacked(folder, endAll);
}

function endAll(tx: Tx): EndedSignIns {
  const at = toTimestamp(systemRuntime.nowMs());
  const ids = listAllOpenSessions(tx).map(({ id }) => id);
  const endedSessions = endAllSessions(tx, { at, by: "restore" });
  const links = listOpenLinks(tx);
  for (const { id, orgId, kind } of links) {
    revokeLink(tx, { id, at });
    if (orgId === null || kind !== "INVITATION") continue;
    const call = { ...commandLineCall(systemRuntime, orgId), evenClosed: true } as const;
    tellOf(tx, call, "invitation", id, { revokedAt: call.at });
  }
  dropQueued(tx);
  const calendars = listAllCalendars(tx).map(({ id }) => id);
  for (const id of calendars) deleteCalendar(tx, { id });
  if (ids.length + links.length + calendars.length > 0) {
    const data = { ids, endedBy: "restore", links: links.map(({ id }) => id), calendars };
    const by = { actor: "cli", accountId: null, apiKeyId: null } as const;
    const what = { accountId: null, event: "restored", sessionId: null, address: null, userAgent: null } as const;
    appendEvent(tx, { id: systemRuntime.newId(), at, ...what, by, data });
  }
  return { endedSessions, endedCalendars: calendars.length, revokedLinks: links.length };
}
