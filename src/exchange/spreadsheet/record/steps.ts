// Imports rows with a day: securities as they were first issued, those that operations made of others, and events.

import { present } from "../../../kernel/assert.ts";
import { type Decimal, formatDecimal, isSameFigure, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { getRecord } from "../../../storage/database/records.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { membersOf } from "../codec/column.ts";
import { membersFrom, type NamedIds, securityColumns } from "../codec/security-columns.ts";
import { assertAsWritten, type Operated, readBack, tellDifferences } from "../compare/read-back.ts";
import { tellOtherColumns } from "../compare/recorded-security.ts";
import { dayOf, headerOf, said } from "../rows/read-field.ts";
import { holderOf, isTwice, isUnmade, legendsOf, named, strikeOf, tell } from "../rows/row.ts";
import { keyWithoutNumber, namedAs } from "../rows/row-keys.ts";
import { TYPES } from "../rows/row-numbers.ts";
import type { SheetRow } from "../rows/understand.ts";
import type { SecurityThere } from "../store.ts";
import { notedBalance } from "./balance.ts";
import { vestingsOf } from "./balance-vesting.ts";
import { callRoute } from "./call-route.ts";
import { importEvent } from "./event-rows.ts";
import type { Importing } from "./importing.ts";
import { countedOf, knowsSplits } from "./recorded-splits.ts";

/** Whether a row has its day; one without was reported when it was read. */
export function isDated(row: SheetRow): boolean {
  return dayOf(row) !== undefined;
}

/** The order within a day: issuances, results of operations, events. */
function phaseOf(row: SheetRow): number {
  if (row.to === "events") return 2;
  return isIssued(row) ? 0 : 1;
}

function isIssued(row: SheetRow): boolean {
  return (said(row, "how") ?? "ISSUED") === "ISSUED";
}

/** The rows by day, then by what they are, then as they stand in the file. */
export function orderOfSteps(rows: readonly SheetRow[]): SheetRow[] {
  const keyed = rows.map((row) => ({ row, day: dayOf(row) ?? "", phase: phaseOf(row) }));
  keyed.sort((a, b) => (a.day === b.day ? a.phase - b.phase : a.day < b.day ? -1 : 1));
  return keyed.map(({ row }) => row);
}

/** Imports a row that happened. */
export function importStep(importing: Importing, row: SheetRow): void {
  if (row.to === "events") importEvent(importing, row, importing.eventKeys.of(row));
  else importSecurity(importing, row);
}

function importSecurity(importing: Importing, row: SheetRow): void {
  const certificate = said(row, "certificate") ?? "";
  const isFirst = !isTwice(importing, row);
  const holderId = holderOf(importing, row);
  const [classId, planId, termsId] = [
    named(importing, row, "class"),
    named(importing, row, "plan"),
    named(importing, row, "terms"),
  ];
  const legends = legendsOf(importing, row);
  if (!isFirst || holderId === null || classId === null || planId === null || termsId === null || legends === null)
    return;
  const meant: NamedIds = { holderId, classId, planId, termsId, legends };
  const there = row.recorded ?? importing.directory.security(certificate);
  if (there !== null) {
    compareExisting(importing, row, meant, there);
    return;
  }
  if (!knowsSplits(importing, row, { type: TYPES[row.to] ?? "", classId, planId })) return;
  if (isIssued(row)) {
    const id = tellUnusedSource(importing, row) ? null : issue(importing, row, meant);
    if (id === null) return;
    const recorded = readBack(importing, id, null);
    assertAsWritten(row, recorded, meant);
    importing.act(row, "create", id, { ...recorded, ...UNMADE });
    noteMade(importing, row, id);
    return;
  }
  const operated = operate(importing, row, meant);
  const id = operated && describe(importing, row, operated.id, meant);
  if (operated === null || id === null) return;
  const recorded = readBack(importing, id, operated);
  // Later rows find what this one made even if it has a problem, so that all faults are found in one reading.
  if (tellDifferences(importing, row, { recorded, ids: meant, operated })) importing.act(row, "create", id, recorded);
  noteMade(importing, row, id);
}

/** A row that issues states a source that is not recorded. */
const UNMADE = { from: null, fromQuantity: null };

/**
 * Reports a row that names its source but not the operation: its shares would be issued beside those of its source, and
 * count twice. A row of balances may name its source, which is closed or not in the file.
 */
function tellUnusedSource(importing: Importing, row: SheetRow): boolean {
  const field = Object.keys(UNMADE).find((name) => said(row, name) !== undefined);
  if (field === undefined || importing.mode === "OUTSTANDING") return false;
  const how = headerOf(row, "how");
  const says = `${said(row, "certificate")} says ${said(row, field)}`;
  const detail = `${says}; it is issued, and not made of another: state ${how}`;
  tell(importing, row, "differs-from-source", field, detail);
  return true;
}

/** Makes the result of a row known to later rows. */
function noteMade({ tx, orgId, directory }: Importing, row: SheetRow, id: string): void {
  const made = getRecord<Row<"securities">>(tx, "securities", orgId, id);
  directory.addSecurity({
    ...made,
    issued: made.quantity,
    price: said(row, row.to === "stock" ? "price" : "exercisePrice") ?? null,
  });
}

/** An existing number must have the same values, unless the import skips existing ones. */
function compareExisting(importing: Importing, row: SheetRow, meant: NamedIds, there: SecurityThere): void {
  const { options, act, directory } = importing;
  const pairs: [field: string, there: string | null, here: string | undefined][] = [
    ["certificate", there.type, TYPES[row.to]],
    ["holder", there.stakeholderId, meant.holderId],
    ["class", there.stockClassId, meant.classId],
    ["plan", there.equityPlanId, meant.planId],
    ["issueDate", there.grantDate, said(row, "issueDate")],
    ["quantity", there.issued, said(row, "quantity")],
    [
      row.to === "stock" ? "price" : "exercisePrice",
      there.price,
      said(row, row.to === "stock" ? "price" : "exercisePrice"),
    ],
  ];
  const other = pairs.find(([, was, now]) => now !== undefined && was !== null && !isSameFigure(was, now));
  if (other === undefined || options.existing === "SKIP") {
    const isEqual = other !== undefined || !tellOtherColumns(importing, row, there.id);
    act(row, other !== undefined ? "leftOut" : isEqual ? "unchanged" : "differs", there.id);
    return;
  }
  const [field, was, now] = other;
  const shown = field === "certificate" ? now : said(row, field);
  tell(
    importing,
    row,
    "different-existing",
    field,
    `${said(row, "certificate")} is recorded with ${directory.nameOf(was ?? "")}, and here stands ${shown}`,
  );
}

const ROUTES: Readonly<Record<string, string>> = {
  stock: "POST transactions/issue-shares",
  options: "POST transactions/issue-options",
  warrants: "POST transactions/issue-warrant",
  convertibles: "POST transactions/issue-convertible",
};
/** A security as it was first issued. Returns its id, or null after telling why not. */
function issue(importing: Importing, row: SheetRow, meant: NamedIds): string | null {
  const columns = columnsFor(row);
  const issued = membersFrom(columns, row, { meant, isIn: ({ part }) => part === "issue" || part === "both" });
  const described = descriptionOf(row, meant);
  const more = { noted: notedOf(row, meant), vestings: vestingsOf(importing, row, meant.termsId) };
  const members = membersOf(columns);
  if (row.to === "stock" && meant.planId !== undefined) {
    const { effectiveDate: grantDate, stockholderApprovalDate, ...body } = issued;
    return callRoute(importing, row, {
      route: "POST securities",
      body: { ...body, type: "STOCK", grantDate },
      members: { ...members, issueDate: "grantDate" },
      described: { ...described, stockholderApprovalDate },
      ...more,
    });
  }
  return callRoute(importing, row, { route: ROUTES[row.to] ?? "", body: issued, members, described, ...more });
}

/** The columns of a row's kind of security. */
function columnsFor(row: SheetRow) {
  return securityColumns(present(TYPES[row.to], row.to));
}

/** The entry's statements about its row, besides its place. */
function notedOf(row: SheetRow, meant: NamedIds): Readonly<Record<string, string>> {
  const { issued = null, isNumbered = false, balance } = row;
  return {
    ...(issued !== null && issued !== said(row, "quantity") ? { importedIssued: issued } : {}),
    ...(balance ? notedBalance(balance) : {}),
    ...(isNumbered ? { importNumbered: keyWithoutNumber(row, meant), importNamed: namedAs(row, meant) } : {}),
  };
}

/** The security of an operation's row, with what was carried out. */
interface Made extends Operated {
  readonly id: string;
}

/** A security that an operation on another one made; null after telling why not. */
function operate(importing: Importing, row: SheetRow, meant: NamedIds): Made | null {
  const from = sourceOf(importing, row);
  if (from === null || !knowsSplits(importing, row, countedOf(from))) return null;
  const quantity = said(row, "quantity") ?? "0";
  const taken = said(row, "fromQuantity") ?? quantity;
  const strike = strikeOf(importing, from.id) ?? said(row, "price");
  const how = (said(row, "how") ?? "EXERCISE") as Operated["how"];
  const more = {
    members: {
      ...membersOf(columnsFor(row)),
      from: "securityId",
      fromQuantity: "quantity",
      quantity: "resultingQuantity",
    },
    noted: notedOf(row, meant),
  };
  const asked = bodyOf(importing, row, { from, how, taken, quantity, strike, meant });
  if (asked === null) return null;
  const body = {
    securityId: from.id,
    quantity: taken,
    effectiveDate: said(row, "issueDate"),
    boardApprovalDate: said(row, "boardApproval"),
    ...asked,
  };
  const before = leftOf(importing, from.id);
  const id = callRoute(importing, row, { route: `POST transactions/${VERBS[how]}`, body, ...more });
  if (id === null) return null;
  const number = from.certificateId ?? from.id;
  const left = formatDecimal(before - leftOf(importing, from.id));
  return { id, how, from: number, taken: left, strike };
}

const VERBS = { TRANSFER: "transfer", EXERCISE: "exercise", CONVERSION: "convert" } as const;

/** What a security holds. */
function leftOf({ tx, orgId }: Importing, id: string): Decimal {
  return parseDecimal(getRecord<Row<"securities">>(tx, "securities", orgId, id).quantity);
}

/** The security that a row continues; null after reporting that it is missing. */
function sourceOf(importing: Importing, row: SheetRow): SecurityThere | null {
  const text = said(row, "from");
  const from = importing.directory.security(text ?? "");
  if (from !== null) return from;
  if (text !== undefined && isUnmade(importing, "certificate", text)) return null;
  const [code, detail] =
    text === undefined
      ? ["missing-value", `${headerOf(row, "from")} is empty`]
      : ["unknown-certificate", `${text} is not known`];
  tell(importing, row, code, "from", detail);
  return null;
}

/** What an operation goes on from, and what its row says. */
interface Operating extends Pick<Operated, "how" | "taken" | "strike"> {
  readonly from: SecurityThere;
  readonly quantity: string;
  readonly meant: NamedIds;
}

/** The operation's own members of the body; null after reporting a contradiction. */
function bodyOf(
  importing: Importing,
  row: SheetRow,
  { from, how, taken, quantity, strike, meant: { holderId, classId } }: Operating,
): Readonly<Record<string, unknown>> | null {
  const pricePerShare = said(row, "price");
  if (how === "TRANSFER") {
    if (from.stakeholderId !== holderId) {
      return { fromStakeholderId: from.stakeholderId, toStakeholderId: holderId, pricePerShare };
    }
    const detail = `${said(row, "certificate")} says ${said(row, "holder")}, who holds ${said(row, "from")} already`;
    tell(importing, row, "same-holder", "holder", detail);
    return null;
  }
  if (how === "CONVERSION") {
    const certificateId = said(row, "certificate");
    return { stockClassId: classId, resultingQuantity: quantity, certificateId, pricePerShare };
  }
  const net = isSameFigure(taken, quantity) ? {} : { paymentMethod: "NET_EXERCISE", resultingQuantity: quantity };
  return { exercisePrice: strike, stockClassId: classId, ...net };
}

/** Members that the routes of issuances do not take. */
function descriptionOf(row: SheetRow, meant: NamedIds): Readonly<Record<string, unknown>> {
  const isIn = (part: string) => part === "describe" || (part === "both" && !isIssued(row));
  return membersFrom(columnsFor(row), row, { meant, isIn: ({ part }) => isIn(part) });
}

/** Gives what an operation made its number and description. Returns its id, or null after telling what is wrong. */
function describe(importing: Importing, row: SheetRow, id: string, meant: NamedIds): string | null {
  const body = { certificateId: said(row, "certificate"), ...descriptionOf(row, meant) };
  return callRoute(importing, row, { route: "PATCH securities/:id", id, body, members: membersOf(columnsFor(row)) });
}
