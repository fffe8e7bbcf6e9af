// `GET /securities/next-certificate`: the certificate number that a form suggests for the next issuance.
import { Type } from "@sinclair/typebox";
import { body, id, oneOf, text } from "../../kernel/fields.ts";
import { peekCertificateId, peekNumberAfter } from "../../ledger/writes/certificates.ts";
import { getRecord } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { ReadRoute } from "../route.ts";
import { SECURITY_TYPES } from "./schema.ts";
import { listNumbersOfType } from "./store.ts";

/** The first number of a type. */
const BEGINNINGS = { STOCK: "CS-", STOCK_OPTION: "ES-", WARRANT: "W-", CONVERTIBLE: "SAFE-" } as const;

/** The route. */
export const nextCertificateRoute: ReadRoute = {
  method: "GET",
  path: "/api/v1/securities/next-certificate",
  operationId: "getNextSecurityCertificate",
  tag: "Securities",
  summary: "Get the next free certificate number of a type",
  description:
    "Of stock of a class the number that the class would give. Else the highest number of the type, and of the plan " +
    "where one is named, goes on: `ES-11` after `ES-10`. Parts of others are left out. Asking reserves nothing: another " +
    "may take it meanwhile.",
  role: "VIEWER",
  isExtension: true,
  status: 200,
  problems: [404],
  query: body({
    type: oneOf(SECURITY_TYPES),
    stockClassId: Type.Optional(id()),
    equityPlanId: Type.Optional(id()),
  }),
  response: Type.Object({
    certificateId: text(50, { description: "The next free certificate number.", examples: ["ES-11"] }),
  }),
  run: (db, { orgId, query }) => ({ status: 200, json: { certificateId: nextOf(db, orgId, query) } }),
};

function nextOf(db: Reader, orgId: string, query: Readonly<Record<string, string | undefined>>): string {
  const type = SECURITY_TYPES.find((each) => each === query.type) ?? "STOCK";
  const { stockClassId, equityPlanId } = query;
  const stockClass =
    stockClassId === undefined ? null : getRecord<Row<"share_classes">>(db, "share_classes", orgId, stockClassId);
  if (equityPlanId !== undefined) getRecord(db, "equity_plans", orgId, equityPlanId);
  if (type === "STOCK" && stockClass) return peekCertificateId(db, stockClass);
  const all = listNumbersOfType(db, orgId, type);
  const ofPlan = all.filter((each) => each.equityPlanId === equityPlanId);
  const taken = (equityPlanId !== undefined && ofPlan.length > 0 ? ofPlan : all).map((each) => each.certificateId);
  return peekNumberAfter(db, orgId, taken, BEGINNINGS[type]);
}
