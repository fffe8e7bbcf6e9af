// Rows that happened on a day: securities as they were first issued, what operations made of others, and events.
import { formatDecimal, isSameFigure, multiply, parseDecimal } from "../kernel/decimal.ts";
import { callRoute } from "./call-route.ts";
import { importEvent } from "./events.ts";
import type { Importing } from "./importing.ts";
import { keyWithoutNumber, TYPES } from "./numbers.ts";
import { holderOf, isTwice, isUnmade, legendsOf, named, strikeOf, tell } from "./row.ts";
import { dayOf, headerOf, numbered, said } from "./said.ts";
import { countedOf, knowsSplits } from "./splits.ts";
import type { SecurityThere } from "./store.ts";
import type { SheetRow } from "./understand.ts";

/** Whether a row says on which day it happened; one that does not was told of when it was read. */
export function isDated(row: SheetRow): boolean {
  return dayOf(row) !== undefined;
}

/** What comes first on a day: what was issued, what operations made, and the events. */
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

/** What a row of securities means. */
interface Meant {
  readonly holderId: string;
  readonly classId: string | undefined;
  readonly planId: string | undefined;
  readonly termsId: string | undefined;
  readonly legends: readonly string[];
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
  const meant: Meant = { holderId, classId, planId, termsId, legends };
  const there = row.recorded ?? importing.directory.security(certificate);
  if (there !== null) {
    compareExisting(importing, row, meant, there);
    return;
  }
  const type = TYPES[row.to] ?? "";
  if (!knowsSplits(importing, row, { type, classId, planId })) return;
  const id = isIssued(row)
    ? issue(importing, row, meant)
    : describe(importing, row, operate(importing, row, meant), meant);
  if (id === null) return;
  importing.act(row, "create", id);
  importing.directory.addSecurity({
    id,
    type,
    certificateId: certificate,
    stakeholderId: holderId,
    stockClassId: classId ?? null,
    equityPlanId: planId ?? null,
    grantDate: said(row, "issueDate") ?? "",
    issued: said(row, "quantity") ?? null,
    price: said(row, row.to === "stock" ? "price" : "exercisePrice") ?? null,
  });
}

/** A number that is there already must say the same, unless the import skips what is there. */
function compareExisting(importing: Importing, row: SheetRow, meant: Meant, there: SecurityThere): void {
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
    act(row, other === undefined ? "unchanged" : "leftOut", there.id);
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
const MEMBERS = {
  certificate: "certificateId",
  holder: "stakeholderId",
  class: "stockClassId",
  issueDate: "effectiveDate",
  price: "pricePerShare",
  expires: "expirationDate",
  consideration: "totalConsideration",
  legends: "stockLegendIds",
  boardApproval: "boardApprovalDate",
  stockholderApproval: "stockholderApprovalDate",
  vestingStart: "vestingStartDate",
  kind: "convertibleType",
  discount: "discountPercent",
  interest: "interestRate",
  matures: "maturityDate",
};

/** A security as it was first issued. Returns its id, or null after telling why not. */
function issue(importing: Importing, row: SheetRow, meant: Meant): string | null {
  const { holderId, classId, planId, termsId } = meant;
  const common = {
    stakeholderId: holderId,
    quantity: said(row, "quantity"),
    certificateId: said(row, "certificate"),
    boardApprovalDate: said(row, "boardApproval"),
  };
  const more = { described: descriptionOf(row, meant), noted: notedOf(row, meant) };
  if (row.to === "stock" && planId !== undefined) {
    const body = { ...common, type: "STOCK", stockClassId: classId, stockPlanId: planId, ...stockTerms(row, termsId) };
    const members = { ...MEMBERS, issueDate: "grantDate" };
    return callRoute(importing, row, { route: "POST securities", body, members, ...more });
  }
  const dated = { ...common, effectiveDate: said(row, "issueDate") };
  const vesting = { vestingTermsId: termsId, vestingStartDate: said(row, "vestingStart") };
  const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    stock: {
      ...vesting,
      stockClassId: classId,
      pricePerShare: said(row, "price"),
      stockholderApprovalDate: said(row, "stockholderApproval"),
    },
    options: {
      ...vesting,
      stockPlanId: planId,
      stockClassId: classId,
      exercisePrice: said(row, "exercisePrice"),
      optionType: said(row, "optionType"),
      expirationDate: said(row, "expires"),
    },
    warrants: {
      ...vesting,
      stockClassId: classId,
      exercisePrice: said(row, "exercisePrice"),
      totalConsideration: said(row, "consideration"),
      expirationDate: said(row, "expires"),
    },
    convertibles: {
      convertibleType: said(row, "kind"),
      valuationCap: said(row, "valuationCap"),
      discountPercent: said(row, "discount"),
      interestRate: said(row, "interest"),
      dayCount: said(row, "dayCount"),
      maturityDate: said(row, "matures"),
      seniority: numbered(row, "seniority"),
    },
  };
  const body = { ...dated, ...bodies[row.to] };
  return callRoute(importing, row, { route: ROUTES[row.to] ?? "", body, members: MEMBERS, ...more });
}

/** What the entry of a security says of its row, besides where it stands. */
function notedOf(row: SheetRow, meant: Meant): Readonly<Record<string, string>> {
  const { issued = null, isNumbered = false } = row;
  return {
    ...(issued !== null && issued !== said(row, "quantity") ? { importedIssued: issued } : {}),
    ...(isNumbered ? { importNumbered: keyWithoutNumber(row, meant) } : {}),
  };
}

function stockTerms(row: SheetRow, termsId: string | undefined) {
  return {
    grantDate: said(row, "issueDate"),
    pricePerShare: said(row, "price"),
    vestingTermsId: termsId,
    vestingStartDate: said(row, "vestingStart"),
  };
}

/** A security that an operation on another one made. Returns its id, or null after telling why not. */
function operate(importing: Importing, row: SheetRow, meant: Meant): string | null {
  const { holderId, classId } = meant;
  const from = importing.directory.security(said(row, "from") ?? "");
  if (from === null) {
    const text = said(row, "from");
    if (text !== undefined && isUnmade(importing, "certificate", text)) return null;
    tell(
      importing,
      row,
      text === undefined ? "missing-value" : "unknown-certificate",
      "from",
      text === undefined ? `${headerOf(row, "from")} is empty` : `${text} is not known`,
    );
    return null;
  }
  if (!knowsSplits(importing, row, countedOf(from))) return null;
  const how = said(row, "how");
  const quantity = said(row, "quantity") ?? "0";
  const taken = said(row, "fromQuantity") ?? quantity;
  const common = {
    securityId: from.id,
    effectiveDate: said(row, "issueDate"),
    boardApprovalDate: said(row, "boardApproval"),
  };
  const more = {
    members: { ...MEMBERS, from: "securityId", fromQuantity: "quantity", quantity: "resultingQuantity" },
    noted: notedOf(row, meant),
  };
  const run = (route: string, body: Readonly<Record<string, unknown>>) =>
    callRoute(importing, row, { route, body: { ...common, ...body }, ...more });
  if (how === "TRANSFER") {
    const parties = { fromStakeholderId: from.stakeholderId, toStakeholderId: holderId };
    return run("POST transactions/transfer", { ...parties, quantity: taken, pricePerShare: said(row, "price") });
  }
  if (how === "CONVERSION") {
    const made = { stockClassId: classId, resultingQuantity: quantity, certificateId: said(row, "certificate") };
    return run("POST transactions/convert", { ...made, quantity: taken, pricePerShare: said(row, "price") });
  }
  const strike = strikeOf(importing, from.id) ?? said(row, "price");
  const paid = isSameFigure(taken, quantity) ? {} : netOf(taken, quantity, strike);
  return run("POST transactions/exercise", { quantity: taken, exercisePrice: strike, stockClassId: classId, ...paid });
}

/** An exercise that withheld shares: the value of a share by which as many are left. */
function netOf(gross: string, net: string, strike: string | undefined) {
  const [all, left] = [parseDecimal(gross), parseDecimal(net)];
  if (strike === undefined || left >= all) return {};
  const value = (multiply(all, parseDecimal(strike)) * 10n ** 10n) / (all - left);
  return { paymentMethod: "NET_EXERCISE", fairMarketValue: formatDecimal(value) };
}

/** What the routes of issuances do not take. */
function descriptionOf(row: SheetRow, { legends }: Meant) {
  return {
    ...(legends.length > 0 ? { stockLegendIds: legends } : {}),
    comments: said(row, "comments"),
    totalConsideration: row.to === "stock" ? said(row, "consideration") : undefined,
  };
}

/** Gives what an operation made its number and description. Returns its id, or null after telling what is wrong. */
function describe(importing: Importing, row: SheetRow, id: string | null, meant: Meant): string | null {
  if (id === null) return null;
  const body = { certificateId: said(row, "certificate"), ...descriptionOf(row, meant) };
  return callRoute(importing, row, { route: "PATCH securities/:id", id, body, members: MEMBERS });
}
