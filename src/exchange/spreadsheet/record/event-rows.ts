// Imports the rows of the sheet Events: events of securities, classes and plans besides issuances and transfers.
import { isSameFigure } from "../../../kernel/numbers/decimal.ts";
import { readBackEvent } from "../compare/record-back.ts";
import { headerOf, isSaid, numbered, placeIn, said } from "../rows/read-field.ts";
import { isUnmade, named, strikeOf, tell } from "../rows/row.ts";
import type { SheetRow } from "../rows/understand.ts";
import type { SecurityThere } from "../store.ts";
import { type Asking, callRoute } from "./call-route.ts";
import type { Importing } from "./importing.ts";
import { countedOf, isLatestOf, knowsSplits } from "./recorded-splits.ts";

/** The operation of an event; null after reporting that the row lacks a value. */
type Event = (row: SheetRow, of: Subjects) => Pick<Asking, "route" | "body">;

interface Subjects {
  /** What a share costs to exercise. */
  readonly strike: string | undefined;
  readonly classId: string | undefined;
  readonly planId: string | undefined;
}

interface Known {
  readonly subject: "certificate" | "class" | "plan";
  readonly event: Event;
  /** Members of its body by the fields of the row, where they are called otherwise than in other events. */
  readonly members?: Readonly<Record<string, string>>;
}

const EVENTS: Readonly<Record<string, Known>> = {
  EXERCISE: {
    subject: "certificate",
    event: (row, { strike }) => ({
      route: "exercise",
      body: {
        quantity: said(row, "quantity"),
        exercisePrice: said(row, "price") ?? strike,
      },
    }),
    members: { price: "exercisePrice" },
  },
  CANCEL: {
    subject: "certificate",
    event: (row) => ({
      route: "cancel",
      body: {
        quantity: said(row, "quantity"),
        cancellationReason: said(row, "reason")?.toUpperCase(),
        returnToPool: isSaid(row, "returnToPool") ?? false,
      },
    }),
  },
  REPURCHASE: {
    subject: "certificate",
    event: (row) => ({
      route: "repurchase",
      body: {
        quantity: said(row, "quantity"),
        pricePerShare: said(row, "price"),
        returnToPool: isSaid(row, "returnToPool"),
      },
    }),
  },
  RETRACT: {
    subject: "certificate",
    event: (row) => ({ route: "retract", body: { reason: said(row, "reason") } }),
  },
  SPLIT: {
    subject: "class",
    event: (row) => ({
      route: "split",
      body: { numerator: numbered(row, "numerator"), denominator: numbered(row, "denominator") },
    }),
  },
  ADJUST_AUTHORIZED: {
    subject: "class",
    event: (row) => ({
      route: "adjust-authorized",
      body: {
        newSharesAuthorized: said(row, "quantity"),
        stockholderApprovalDate: said(row, "stockholderApproval"),
      },
    }),
    members: { quantity: "newSharesAuthorized" },
  },
  ADJUST_RESERVE: {
    subject: "plan",
    event: (row) => ({
      route: "adjust-reserve",
      body: { newSharesReserved: said(row, "quantity"), stockholderApprovalDate: said(row, "stockholderApproval") },
    }),
    members: { quantity: "newSharesReserved" },
  },
  START_VESTING: { subject: "certificate", event: () => ({ route: "start-vesting", body: {} }) },
  ACCELERATE_VESTING: {
    subject: "certificate",
    event: (row) => ({
      route: "accelerate-vesting",
      body: { quantity: said(row, "quantity"), reason: said(row, "reason") },
    }),
  },
};

const MEMBERS = {
  date: "effectiveDate",
  certificate: "securityId",
  class: "stockClassId",
  plan: "equityPlanId",
  reason: "cancellationReason",
  price: "pricePerShare",
  boardApproval: "boardApprovalDate",
  stockholderApproval: "stockholderApprovalDate",
};

/** Imports an event; one that an earlier import brought is unchanged. */
export function importEvent(importing: Importing, row: SheetRow, key: string): void {
  const known = EVENTS[said(row, "event") ?? ""];
  if (!known) return;
  const { directory, act } = importing;
  if (directory.hasEvent(key)) {
    noteSplit(importing, row);
    act(row, "unchanged");
    return;
  }
  const certificate = said(row, "certificate");
  const security = certificate === undefined ? null : directory.security(certificate);
  if (certificate !== undefined && security === null) {
    if (isUnmade(importing, "certificate", certificate)) return;
    tell(importing, row, "unknown-certificate", "certificate", `${certificate} is not known`);
    return;
  }
  const [classId, planId] = [named(importing, row, "class"), named(importing, row, "plan")];
  if (classId === null || planId === null) return;
  const subject = { certificate: security?.id, class: classId, plan: planId }[known.subject];
  if (subject === undefined) {
    tell(importing, row, "missing-value", known.subject, `${headerOf(row, known.subject)} is empty`);
    return;
  }
  if (!isCountedRight(importing, row, { security, classId, planId })) return;
  const { route, body } = known.event(row, {
    strike: security ? strikeOf(importing, security.id) : undefined,
    classId,
    planId,
  });
  const names = { certificate: "securityId", class: "stockClassId", plan: "equityPlanId" } as const;
  const asking = {
    route: `POST transactions/${route}`,
    body: {
      [names[known.subject]]: subject,
      effectiveDate: said(row, "date"),
      boardApprovalDate: said(row, "boardApproval"),
      description: said(row, "description"),
      ...body,
    },
    members: { ...MEMBERS, ...known.members },
    noted: { importKey: key },
  };
  if (callRoute(importing, row, asking) === null) return;
  const recorded = readBackEvent(importing, row, asking.body);
  if (recorded === null) return;
  act(row, "create", "", recorded);
  tellEdited(importing, row, subject);
}

/**
 * Warns of an event that resembles an earlier imported one which is missing in the file: corrected there, it would
 * count twice.
 */
function tellEdited({ directory, eventKeys, found }: Importing, row: SheetRow, subject: string): void {
  const [date, quantity] = [said(row, "date"), said(row, "quantity")];
  const before = directory.eventsOf(subject).find((event) => {
    if (eventKeys.has(event.key)) return false;
    return event.date === date || (quantity !== undefined && isSameFigure(event.quantity ?? "", quantity));
  });
  if (before === undefined) return;
  found.warning(
    "like-existing",
    placeIn(row, "date"),
    `comes besides an event of ${before.date} that an import brought before and that is not in this file`,
    "If it is a correction of that event, leave it out here, and correct the record.",
  );
}

/** Notes that the file is past a split that an earlier import brought. */
function noteSplit({ directory, splits }: Importing, row: SheetRow): void {
  const found = directory.stockClass(said(row, "class") ?? "");
  if (said(row, "event") === "SPLIT" && typeof found === "object") splits.pass(found.id, said(row, "date") ?? "");
}

interface Concerned {
  readonly security: SecurityThere | null;
  readonly classId: string | undefined;
  readonly planId: string | undefined;
}

/** Whether the event counts in the recorded shares; otherwise reports it. */
function isCountedRight(importing: Importing, row: SheetRow, { security, classId, planId }: Concerned): boolean {
  if (said(row, "event") === "SPLIT") return classId === undefined || isLatestOf(importing, row, classId);
  if (said(row, "quantity") === undefined && said(row, "price") === undefined) return true;
  return knowsSplits(importing, row, security ? countedOf(security) : { classId, planId });
}
