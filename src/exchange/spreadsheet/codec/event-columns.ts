// The columns of the sheet Events, and what each event takes of them. A new column of the template is an entry here, and
// a line in the events that take it.

import type { Row } from "../../../storage/database/sql.ts";
import { type Names, plain, type Recorded, type Said } from "../compare/made.ts";
import { said } from "../rows/read-field.ts";
import type { SheetRow } from "../rows/understand.ts";
import { asText, asWhole, asYesNo, columnsOf, composed, type Written } from "./column.ts";

/** The entry that an event made. */
export interface EventMade {
  readonly entry: Pick<Row<"transactions">, "securityId" | "quantity" | "effectiveDate" | "metadata"> | null;
  readonly names: Names;
  /** Whether the event's row has a field. */
  readonly has: (field: string) => boolean;
}

interface EventColumn extends Written {
  /** The recorded value; `event`: the entry's type says it. */
  readonly recorded: ((metadata: Metadata, made: EventMade) => Said | null) | "event";
}

type Metadata = Readonly<Record<string, unknown>>;

const textIn = (metadata: Metadata, name: string) => (typeof metadata[name] === "string" ? metadata[name] : null);

/** A column whose value the entry's metadata has under one of these names. */
function noted(member: string, read = asText, ...names: readonly string[]): EventColumn {
  const all = [member, ...names];
  return {
    member,
    read,
    recorded: (metadata) => plain(all.map((name) => metadata[name]).find((each) => each != null)),
  };
}

/** The columns. */
export const EVENT_COLUMNS: Readonly<Record<string, EventColumn>> = columnsOf("events", {
  date: { member: "effectiveDate", read: asText, recorded: (_, { entry }) => plain(entry?.effectiveDate) },
  event: { member: null, read: composed, recorded: "event" },
  certificate: {
    member: "securityId",
    read: composed,
    recorded: (_, { entry, names }) => names.certificate(entry?.securityId ?? null),
  },
  class: {
    member: "stockClassId",
    read: composed,
    recorded: (metadata, { names, has }) => (has("class") ? names.stockClass(textIn(metadata, "stockClassId")) : null),
  },
  plan: {
    member: "equityPlanId",
    read: composed,
    recorded: (metadata, { names, has }) => (has("plan") ? names.plan(textIn(metadata, "equityPlanId")) : null),
  },
  quantity: {
    member: "quantity",
    read: asText,
    recorded: (metadata, { entry }) =>
      plain(textIn(metadata, "newSharesAuthorized") ?? textIn(metadata, "newSharesReserved") ?? entry?.quantity),
  },
  price: noted("pricePerShare", asText, "exercisePrice"),
  reason: noted("cancellationReason", asText, "reason"),
  returnToPool: noted("returnToPool", asYesNo),
  numerator: noted("numerator", asWhole),
  denominator: noted("denominator", asWhole),
  boardApproval: noted("boardApprovalDate"),
  stockholderApproval: noted("stockholderApprovalDate"),
  description: noted("description"),
});

/** The entry's values, by the fields of a row. */
export function recordedEvent(made: EventMade): Recorded {
  const metadata = JSON.parse(made.entry?.metadata ?? "{}") as Metadata;
  const values = Object.entries(EVENT_COLUMNS).flatMap(([field, { recorded }]) =>
    recorded === "event" ? [] : [[field, recorded(metadata, made)] as const],
  );
  return Object.fromEntries(values);
}

/** What an event is, and the columns that it takes. */
export interface Event {
  readonly subject: "certificate" | "class" | "plan";
  readonly route: string;
  /** Members of its body by the fields of the row, besides those of every event. */
  readonly takes: Readonly<Record<string, string>>;
  /** Members that its columns do not give as they stand; `strike` is what a share costs to exercise. */
  readonly also?: (row: SheetRow, strike: string | undefined) => Readonly<Record<string, unknown>>;
}

const EVERY: Readonly<Record<string, string>> = {
  date: "effectiveDate",
  boardApproval: "boardApprovalDate",
  description: "description",
};

/** The events by the word of the template. */
export const EVENTS: Readonly<Record<string, Event>> = {
  EXERCISE: {
    subject: "certificate",
    route: "exercise",
    takes: { quantity: "quantity", price: "exercisePrice" },
    also: (row, strike) => ({ exercisePrice: said(row, "price") ?? strike }),
  },
  CANCEL: {
    subject: "certificate",
    route: "cancel",
    takes: { quantity: "quantity", reason: "cancellationReason", returnToPool: "returnToPool" },
    also: (row) => ({
      cancellationReason: said(row, "reason")?.toUpperCase(),
      returnToPool: said(row, "returnToPool") === "true",
    }),
  },
  REPURCHASE: {
    subject: "certificate",
    route: "repurchase",
    takes: { quantity: "quantity", price: "pricePerShare", returnToPool: "returnToPool" },
  },
  RETRACT: { subject: "certificate", route: "retract", takes: { reason: "reason" } },
  SPLIT: { subject: "class", route: "split", takes: { numerator: "numerator", denominator: "denominator" } },
  ADJUST_AUTHORIZED: {
    subject: "class",
    route: "adjust-authorized",
    takes: { quantity: "newSharesAuthorized", stockholderApproval: "stockholderApprovalDate" },
  },
  ADJUST_RESERVE: {
    subject: "plan",
    route: "adjust-reserve",
    takes: { quantity: "newSharesReserved", stockholderApproval: "stockholderApprovalDate" },
  },
  START_VESTING: { subject: "certificate", route: "start-vesting", takes: {} },
  ACCELERATE_VESTING: {
    subject: "certificate",
    route: "accelerate-vesting",
    takes: { quantity: "quantity", reason: "reason" },
  },
};

/** The body of an event, without its subject. */
export function eventBody({ takes, also }: Event, row: SheetRow, strike: string | undefined): Record<string, unknown> {
  const taken = Object.entries({ ...EVERY, ...takes }).map(([field, member]) => {
    return [member, EVENT_COLUMNS[field]?.read(row, field)] as const;
  });
  return { ...Object.fromEntries(taken), ...also?.(row, strike) };
}
