// Routes of share classes. The ledger determines their authorized and outstanding shares; src/tokens has their tokens.
import { type Static, Type } from "@sinclair/typebox";
import { assert } from "../../kernel/assert.ts";
import type { Call } from "../../kernel/call.ts";
import { text } from "../../kernel/fields.ts";
import { formatDecimal, isDecimalText, isSameFigure, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { problem, refuse } from "../../kernel/problem.ts";
import { rightsTold } from "../../ledger/rules/class-terms.ts";
import { refuseEarlier } from "../../ledger/rules/dates.ts";
import { organizationCurrency } from "../../ledger/store.ts";
import { conversionPriceWarnings, ratioWarnings, votesBasisWarnings } from "../../ledger/warnings/ratio-warnings.ts";
import { shortOfReserved } from "../../ledger/warnings/short-of-reserved.ts";
import { peekCertificateId } from "../../ledger/writes/certificates.ts";
import { recordDecision } from "../../ledger/writes/execute.ts";
import { Loader } from "../../ledger/writes/load.ts";
import { getRecord } from "../../storage/database/records.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { isChainOff, tellOfClass } from "../../storage/outbox/tokens.ts";
import { assumedVotesBasis, rightInFull } from "../../storage/records/share-class.ts";
import { isNamedByActive } from "../active-store.ts";
import { createRecord, crudRoutes, type Resource } from "../crud.ts";
import { toColumns } from "../present.ts";
import { requireReference } from "../references.ts";
import type { ReadRoute, Route } from "../route.ts";
import { SHARE_CLASS_EXAMPLE, ShareClass, ShareClassCreate, ShareClassFilters, ShareClassPatch } from "./schema.ts";
import { dividendFindings, PREFERRED_ONLY, preferredFindings } from "./share-class-rules.ts";
import { forgetClass } from "./store.ts";

type ClassRow = Row<"share_classes">;

const shareClasses: Resource<ClassRow, typeof ShareClassCreate, typeof ShareClassPatch> = {
  segment: "share-classes",
  table: "share_classes",
  name: "ShareClass",
  plural: "ShareClasses",
  tag: "Share classes",
  about: "The classes of stock that the organization may issue.",
  createNote: "The class is usable at once. Its tokenization goes on in the background: watch `tokenizationStatus`.",
  deleteNote: "Refused while the class has active securities or issued shares.",
  listKey: "items",
  isWrapped: false,
  create: ShareClassCreate,
  patch: ShareClassPatch,
  record: ShareClass,
  example: SHARE_CLASS_EXAMPLE,
  filters: ShareClassFilters,
  warn(row, db, before, given) {
    const isNewlyRight = before !== null && before.conversionRights !== row.conversionRights;
    const isNewlyPriced = before !== null && (isNewlyRight || before.pricePerShare !== row.pricePerShare);
    return [
      ...(isNewlyPriced ? conversionPriceWarnings(db, row) : []),
      ...(before?.currentSharesAuthorized === row.currentSharesAuthorized
        ? []
        : shortOfReserved(db, row.orgId, [{ stockClassId: row.id, equityPlanId: null }])),
      ...(isNewlyRight ? ratioWarnings(db, row.orgId, [row.id]) : []),
      ...(before === null && given.votesBasis === undefined ? votesBasisWarnings(db, row) : []),
    ];
  },
  prepare(tx, call, given) {
    const currency = organizationCurrency(tx, call.orgId);
    requireRights(tx, call.orgId, given.conversionRights);
    const dividendCompounding = given.dividendType === "NONE" ? null : (given.dividendCompounding ?? "SIMPLE");
    const columns = toColumns({
      ...given,
      votesBasis: given.votesBasis ?? assumedVotesBasis(given),
      conversionRights: given.conversionRights.map(rightInFull),
      dividendCompounding,
      currentSharesAuthorized: given.initialSharesAuthorized,
      currency,
    });
    // What a spreadsheet brings gets a token on request, as what an OCF package brings.
    return isChainOff(tx) || call.importing ? { ...columns, isImported: 1 } : columns;
  },
  alter(tx, call, before, patch) {
    const cleared = patch.dividendType === "NONE" ? { dividendCompounding: null } : {};
    // What was assumed, and not sent, goes with what it was assumed of.
    const isBecomingCommon = patch.classType === "COMMON" && patch.votesBasis === undefined;
    const votes = isBecomingCommon ? { votesBasis: "PER_SHARE" } : {};
    const after = { ...before, ...cleared, ...patch, ...votes };
    refuse([...PREFERRED_ONLY.flatMap((name) => preferredFindings(after, name)), ...dividendFindings(after)]);
    requireRights(tx, call.orgId, patch.conversionRights ?? []);
    const isCompounded = after.dividendType !== "NONE" && after.dividendCompounding === null;
    const columns = toColumns({
      ...patch,
      ...(patch.conversionRights ? { conversionRights: patch.conversionRights.map(rightInFull) } : {}),
      ...cleared,
      ...votes,
      ...(isCompounded ? { dividendCompounding: "SIMPLE" } : {}),
    });
    const isRenumbered = patch.defaultIdPrefix !== undefined && patch.defaultIdPrefix !== before.defaultIdPrefix;
    return isRenumbered ? { ...columns, nextCertificateNumber: 1 } : columns;
  },
  afterCreate: (tx, call, row) => tellOfClass(tx, call, row.id),
  afterChange(tx, call, before, after) {
    if (!isSameFigure(before.initialSharesAuthorized, after.initialSharesAuthorized)) {
      adjustAuthorized(tx, call, before, after);
    }
    if (before.conversionRights !== after.conversionRights) adjustRights(tx, call, before, after);
    tellOfClass(tx, call, after.id);
  },
  checkDelete(tx, call, row) {
    if (isNamedByActive(tx, "stockClassId", call, row.id) || parseDecimal(row.issued) !== ZERO) {
      throw problem("in-use", "The share class has active securities or issued shares.");
    }
  },
  afterDelete: (tx, call, row) => forgetClass(tx, call, row.id),
};

/** Creates a class as its route does; `given` is a validated body. */
export function createShareClass(tx: Tx, call: Call, given: Static<typeof ShareClassCreate>): ClassRow {
  return createRecord(tx, call, shareClasses, given);
}

const nextCertificate: ReadRoute = {
  method: "GET",
  path: "/api/v1/share-classes/:id/next-certificate",
  operationId: "getNextCertificate",
  tag: "Share classes",
  summary: "Get the next free certificate number",
  description: "The number that the class would give next. Asking reserves nothing: another may take it meanwhile.",
  role: "VIEWER",
  isExtension: true,
  status: 200,
  problems: [404],
  response: Type.Object({
    certificateId: text(50, { description: "The next free certificate number.", examples: ["CS-17"] }),
  }),
  run(db, { orgId, params }) {
    const stockClass = getRecord<ClassRow>(db, "share_classes", orgId, params.id ?? "");
    return { status: 200, json: { certificateId: peekCertificateId(db, stockClass) } };
  },
};

/** The routes of share classes. */
export const shareClassRoutes: readonly Route[] = [...crudRoutes(shareClasses), nextCertificate];

/** Throws `404` for an unknown class in a right. */
function requireRights(tx: Tx, orgId: string, rights: readonly { readonly stockClassId?: string | null }[]): void {
  for (const { stockClassId } of rights) requireReference(tx, "share_classes", orgId, stockClassId);
}

/** The ledger records changed rights to convert, so that a view of an earlier day has the earlier ones. */
function adjustRights(tx: Tx, call: Call, before: ClassRow, after: ClassRow): void {
  const facts = new Loader(tx, call.orgId).load({ classes: [before.id], classTerms: true });
  refuseEarlier(tx, call.orgId, { termsOf: before.id }, { date: call.today, today: call.today });
  const conversionRights = { before: JSON.parse(before.conversionRights), after: JSON.parse(after.conversionRights) };
  recordDecision(tx, call, facts, {
    entries: [
      {
        type: "STOCK_CLASS_ADJUSTMENT",
        securityId: null,
        stakeholderId: null,
        quantity: null,
        effectiveDate: call.today,
        metadata: {
          stockClassId: before.id,
          conversionRights,
          ...rightsTold(before, after, facts.classTerms.classes),
        },
      },
    ],
  });
}

/**
 * A new initial figure moves the current one by the same difference; the ledger records it, since it explains every
 * total.
 */
function adjustAuthorized(tx: Tx, call: Call, before: ClassRow, after: ClassRow): void {
  const facts = new Loader(tx, call.orgId).load({ classes: [before.id] });
  const { authorized } = facts.state.stockClass(before.id);
  const isLimited = isDecimalText(before.initialSharesAuthorized) && authorized !== null;
  const newFigure = isLimited
    ? authorized + parseDecimal(after.initialSharesAuthorized) - parseDecimal(before.initialSharesAuthorized)
    : parseDecimal(after.initialSharesAuthorized);
  if (newFigure < ZERO) {
    throw problem("insufficient-authorized-shares", "The class's authorized shares would fall below zero.");
  }
  assert(isDecimalText(after.initialSharesAuthorized), "the API sets decimals only");
  recordDecision(tx, call, facts, {
    entries: [
      {
        type: "STOCK_CLASS_ADJUSTMENT",
        securityId: null,
        stakeholderId: null,
        quantity: formatDecimal(newFigure),
        effectiveDate: call.today,
        metadata: {
          stockClassId: before.id,
          newSharesAuthorized: formatDecimal(newFigure),
          initialSharesAuthorized: { before: before.initialSharesAuthorized, after: after.initialSharesAuthorized },
        },
      },
    ],
  });
}
