// `GET /api/v1/dates` and `GET /api/v1/portal/dates`: what expires, ends, is due or vests in a span of days.
import { Type } from "@sinclair/typebox";
import { addDays, type CalendarDate, dayNumber } from "../../kernel/date.ts";
import { body, date, id, nullable, oneOf } from "../../kernel/fields.ts";
import { type FieldError, Problem } from "../../kernel/problem.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { later, type ReadRequest, type ReadRoute } from "../../resources/route.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import { ownOf } from "../portal/own.ts";
import type { DatesAsked } from "./dates.ts";
import { DATE_KINDS, DATED_TYPES, type DateKind } from "./kinds.ts";

const DAYS_USUAL = 365;
const DAYS_MAX = 1100;
/** How many dates an answer has at most. */
const ITEMS_MAX = 1000;

const DatesAnswer = Type.Object({
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String({
          description: "`{kind}:{resourceId}:{date}`.",
          examples: ["security-expires:0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e:2036-01-15"],
        }),
        date: date({ description: "The day; of what ends or expires the last one on which it counts." }),
        kind: oneOf(DATE_KINDS, { description: "What happens on the day." }),
        title: Type.String({
          description: "The same for people, without quantity or price.",
          examples: ["Option OPT-12 (Ada Lovelace) expires"],
        }),
        resourceType: oneOf(DATED_TYPES, { description: "The kind of record." }),
        resourceId: id({ description: "Identifies the record." }),
        stakeholderId: nullable(id({ description: "Whose it is; null for what has no holder." })),
      }),
      { description: "By day.", maxItems: ITEMS_MAX },
    ),
    isCut: Type.Boolean({ description: `Whether there are more than ${ITEMS_MAX}: ask for fewer days.` }),
  }),
});

const QUERY = body({
  from: Type.Optional(date({ description: "The first day; today in UTC by default." })),
  to: Type.Optional(
    date({ description: `The last day; ${DAYS_USUAL} days after \`from\` by default, at most ${DAYS_MAX}.` }),
  ),
  kinds: Type.Optional(
    Type.String({
      description: `Kinds, comma-separated: ${DATE_KINDS.join(", ")}. All by default.`,
      examples: ["exercise-window-ends,security-expires"],
    }),
  ),
});

/** Reads what is asked for. Throws `422`. */
function readAsked({ query }: ReadRequest, today: CalendarDate): DatesAsked {
  const from = query.from ?? today;
  const to = query.to ?? addDays(from, DAYS_USUAL);
  const kinds = query.kinds === undefined ? DATE_KINDS : query.kinds.split(",");
  const errors: FieldError[] = [];
  const refuse = (parameter: string, detail: string) => errors.push({ parameter, detail });
  if (to < from) refuse("to", "must not be before `from`");
  else if (dayNumber(to) - dayNumber(from) > DAYS_MAX) refuse("to", `must be at most ${DAYS_MAX} days after \`from\``);
  if (!kinds.every(isKind)) refuse("kinds", `must be kinds of dates, comma-separated: ${DATE_KINDS.join(", ")}`);
  if (errors.length > 0) throw new Problem("validation-failed", "The query is not acceptable.", errors);
  return { from, to, kinds: new Set(kinds.filter(isKind)) };
}

function isKind(word: string): word is DateKind {
  return (DATE_KINDS as readonly string[]).includes(word);
}

const load = () => import("./read-dates.ts");
const common = { method: "GET", status: 200, isExtension: true, query: QUERY, response: DatesAnswer } as const;

const listDates: ReadRoute = {
  ...common,
  path: "/api/v1/dates",
  operationId: "listDates",
  tag: "Dates",
  summary: "List the dates to come",
  description:
    "What expires, ends, matures, is due or vests on which day, by the record as of today. It informs: no date here is " +
    "a computation of law for a case, and a date under section 83(b) is a matter for an adviser.",
  role: "VIEWER",
  expense: () => "much",
  run: later(load, ({ readDates }) => (db, request) => {
    const today = toUtcDate(request.nowMs);
    const asked = { ...readAsked(request, today), today, own: null };
    return { status: 200, json: answerOf(inSnapshot(db, () => readDates(db, request.orgId, asked))) };
  }),
};

const listPortalDates: ReadRoute = {
  ...common,
  path: "/api/v1/portal/dates",
  operationId: "listPortalDates",
  tag: "Portal",
  summary: "List one's own dates to come",
  description: "What expires, matures, is due or vests of one's own securities, by the record as of today.",
  role: "STAKEHOLDER",
  expense: () => "much",
  run: later(load, ({ readDates }) => (db, request) => {
    const today = toUtcDate(request.nowMs);
    const asked = readAsked(request, today);
    const own = ownOf(db, request);
    return { status: 200, json: answerOf(inSnapshot(db, () => readDates(db, own.orgId, { ...asked, today, own }))) };
  }),
};

interface Shown {
  readonly date: string;
  readonly kind: string;
  readonly title: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly stakeholderId: string | null;
}

function answerOf(all: readonly Shown[]) {
  const items = all.slice(0, ITEMS_MAX).map(({ date: day, kind, title, resourceType, resourceId, stakeholderId }) => ({
    ...{ id: `${kind}:${resourceId}:${day}`, date: day, kind, title, resourceType, resourceId, stakeholderId },
  }));
  return { data: { items, isCut: all.length > items.length } };
}

/** The routes. */
export const dateRoutes: readonly ReadRoute[] = [listDates, listPortalDates];
