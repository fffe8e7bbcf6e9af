// The read behind a calendar's address: dates as a calendar file. It is no route of the API: the server runs it for an
// address that it has looked up, in turn and in a reading thread as it does long reads of the API.
import { addDays } from "../../kernel/date.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { later, type ReadRoute } from "../../resources/route.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import { ownOf } from "../portal/own.ts";
import { DATE_KINDS } from "./kinds.ts";

const DAYS_BACK = 90;
const DAYS_ON = 730;
/** More events than this are of no use in a calendar: the first are shown. */
const EVENTS_MAX = 10_000;

const load = async () => ({ ...(await import("./read-dates.ts")), ...(await import("./calendar-file.ts")) });

/**
 * The read. `params` has the calendar's `name`, `madeAt`, `showsNames` and the `publicUrl`; a `STAKEHOLDER` gets the
 * dates of its own stakeholders.
 */
export const readCalendar: ReadRoute = {
  method: "GET",
  path: "/calendar/:file",
  operationId: "readCalendar",
  tag: "Dates",
  summary: "Read a calendar",
  role: "STAKEHOLDER",
  status: 200,
  run: later(load, ({ readDates, writeCalendar }) => (db, request) => {
    const { orgId, params, nowMs, role } = request;
    const { name = "", madeAt = "", showsNames, publicUrl = "" } = params;
    const today = toUtcDate(nowMs);
    const isHolders = role === "STAKEHOLDER";
    const span = { from: addDays(today, -DAYS_BACK), to: addDays(today, DAYS_ON), kinds: new Set(DATE_KINDS) };
    const own = isHolders ? ownOf(db, request) : null;
    const items = inSnapshot(db, () => readDates(db, orgId, { ...span, today, own })).slice(0, EVENTS_MAX);
    const shown = { orgId, name, madeAt, showsNames: showsNames === "true", isHolders, publicUrl, items };
    return { status: 200, bytes: new TextEncoder().encode(writeCalendar(shown)) };
  }),
};
