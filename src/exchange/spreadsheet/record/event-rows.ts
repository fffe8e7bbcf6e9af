// Imports the rows of the sheet Events: events of securities, classes and plans besides issuances and transfers.
import { present } from "../../../kernel/assert.ts";
import { isSameFigure } from "../../../kernel/numbers/decimal.ts";
import { membersOf } from "../codec/column.ts";
import { EVENT_COLUMNS, EVENTS, eventBody } from "../codec/event-columns.ts";
import { readBackEvent } from "../compare/record-back.ts";
import { headerOf, placeIn, said } from "../rows/read-field.ts";
import { isUnmade, named, strikeOf, tell } from "../rows/row.ts";
import type { SheetRow } from "../rows/understand.ts";
import type { SecurityThere } from "../store.ts";
import { callRoute } from "./call-route.ts";
import type { Importing } from "./importing.ts";
import { countedOf, isLatestOf, knowsSplits } from "./recorded-splits.ts";

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
  const members = membersOf(EVENT_COLUMNS);
  const asking = {
    route: `POST transactions/${known.route}`,
    body: {
      [present(members[known.subject], known.subject)]: subject,
      ...eventBody(known, row, security ? strikeOf(importing, security.id) : undefined),
    },
    members: { ...members, ...known.takes },
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
