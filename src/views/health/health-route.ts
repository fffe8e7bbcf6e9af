// `GET /api/v1/cap-table/health`: the health report of an organization's records.
import { Type } from "@sinclair/typebox";
import { id, nullable, oneOf } from "../../kernel/fields.ts";
import { later, type ReadRoute } from "../../resources/route.ts";
import { CODES, PAGES, SEVERITIES } from "./codes.ts";
import { RESOURCE_TYPES } from "./finding.ts";
import type { Intervals } from "./health-company.ts";

const Finding = Type.Object({
  code: oneOf(CODES, { description: "What was found." }),
  severity: oneOf(SEVERITIES, { description: "The severity." }),
  count: Type.Integer({ minimum: 1, description: "The number of records or other subjects.", examples: [1] }),
  subjects: Type.Array(
    Type.Object({
      resourceType: oneOf(RESOURCE_TYPES, { description: "The kind of record.", examples: ["share-class"] }),
      id: id({ description: "Identifies the record." }),
      name: Type.String({
        description: "A name, a title, or a certificate number; otherwise the id.",
        examples: ["Common"],
      }),
    }),
    { maxItems: 20, description: "The first 20 of the records, oldest first." },
  ),
  detail: Type.String({
    description: "What was found, for people.",
    examples: [
      "1 share class has more outstanding than is authorized, now or on another day: Common has 1200 of 1000, was " +
        "first over it on 2024-02-01 with 1200 of 1000.",
    ],
  }),
  action: nullable(
    oneOf(PAGES, {
      description: "The dashboard's page for the remedy.",
      examples: ["classes-and-plans"],
    }),
  ),
});

const Health = Type.Object({
  checkedAt: Type.String({ format: "date-time", description: "The instant of the checks." }),
  findings: Type.Array(Finding, { description: "At most one for each code, problems first." }),
});

/** The route, for a server that does some work by itself every so many hours. */
export function capTableHealth(intervals: Intervals): ReadRoute {
  return {
    method: "GET",
    path: "/api/v1/cap-table/health",
    operationId: "getCapTableHealth",
    tag: "Cap table",
    summary: "Show the health report",
    description:
      "Faults, gaps and pending decisions in the organization's records: as they stand, and for limits also on other " +
      "days. It informs and refuses nothing. Each code has at most one finding, with all its records.",
    role: "VIEWER",
    isExtension: true,
    expense: () => "much",
    status: 200,
    response: Type.Object({ data: Health }),
    run: later(
      () => import("./read.ts"),
      ({ readHealth }) =>
        (db, { orgId, nowMs }) => ({
          status: 200,
          json: { data: readHealth(db, orgId, { nowMs, ...intervals }) },
        }),
    ),
  };
}
