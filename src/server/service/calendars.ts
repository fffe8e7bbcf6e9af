// Calendars by address: finds the calendar, counts its reads, and has its dates read in turn. Who has the address needs
// no other proof; it shows what its person may see at that moment.

import { problem } from "../../kernel/problem.ts";
import { RateLimiter } from "../../kernel/rate-limit.ts";
import { hashToken, isToken } from "../../people/sign-in/token.ts";
import { findCalendar } from "../../people/stores/calendar-store.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { readCalendar } from "../../views/dates/calendar-route.ts";
import { tagOf } from "../changes/tags.ts";
import type { PublicReply, PublicRequest, PublicRoute } from "../http/answers/public.ts";
import { tooMany } from "../http/authorization.ts";
import { readUnchanged } from "../http/conditions.ts";
import type { Edge } from "../http/edge.ts";

const CONTENT_TYPE = "text/calendar; charset=utf-8";
/** How often each calendar may be read: so many an hour, and as many at once. */
const READS_AN_HOUR = 60;
const FILE_END = ".ics";

/** What calendars need. */
export interface CalendarsParts {
  /** Never older than the last commit. */
  readonly keys: Reader;
  /** Reads in turn. */
  readonly edge: Pick<Edge, "readFor">;
  readonly nowMs: () => number;
  readonly publicUrl: () => string;
}

/** The route of calendars' addresses. */
export function calendarRoute({ keys, edge, nowMs, publicUrl }: CalendarsParts): PublicRoute {
  const limiter = new RateLimiter(READS_AN_HOUR / 60, READS_AN_HOUR);

  /** Throws `404` for an address that shows nothing, the same whether there ever was such a calendar. */
  const find = (file: string) => {
    const token = file.endsWith(FILE_END) ? file.slice(0, -FILE_END.length) : "";
    const found = isToken(token) ? findCalendar(keys, { tokenHash: hashToken(token) }) : null;
    if (found === null || (found.requireSecondFactor === 1 && !found.hasSecondFactor))
      throw problem("not-found", "There is no such calendar.");
    return found;
  };

  return {
    path: readCalendar.path,
    loggedAs: "/calendar/…",
    async run({ params, headers, signal }: PublicRequest): Promise<PublicReply> {
      // The router gives null for what is no text, as of `%zz`.
      const file = params.file || "";
      const { id, orgId, accountId } = find(file);
      const allowance = limiter.take(id, nowMs());
      if (!allowance.isAllowed) throw tooMany(allowance);
      const asker = { orgId, callerId: accountId, isReport: false };
      const { bytes = new Uint8Array() } = await edge.readFor({ asker, route: readCalendar, signal }, () => {
        const { legalName: name, createdAt: madeAt, showsNames, role, stakeholderIds } = find(file);
        const params = { name, madeAt, showsNames: String(showsNames === 1), publicUrl: publicUrl() };
        return { orgId, params, query: {}, role, stakeholderIds: JSON.parse(stakeholderIds) as string[] };
      });
      const etag = tagOf({ body: "", bytes });
      const isUnchanged = readUnchanged(headers).value?.(etag) === true;
      const headersOf = { etag, "cache-control": "private, no-cache" };
      if (isUnchanged) return { status: 304, contentType: CONTENT_TYPE, body: null, headers: headersOf };
      return { status: 200, contentType: CONTENT_TYPE, body: bytes, headers: headersOf };
    },
  };
}
