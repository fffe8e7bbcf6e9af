// `GET /api/v1/cap-table/health`: what stands out in an organization's records.
import { Type } from "@sinclair/typebox";
import { id, nullable, oneOf } from "../../kernel/fields.ts";
import type { ReadRoute } from "../../resources/route.ts";
import { RESOURCE_TYPES } from "./finding.ts";
import { CODES, PAGES, SEVERITIES } from "./findings.ts";
import { readHealth } from "./read.ts";

const Finding = Type.Object({
  code: oneOf(CODES, { description: "What was found." }),
  severity: oneOf(SEVERITIES, { description: "How bad it is." }),
  count: Type.Integer({ minimum: 1, description: "How many records, or other things, it is about.", examples: [1] }),
  subjects: Type.Array(
    Type.Object({
      resourceType: oneOf(RESOURCE_TYPES, { examples: ["share-class"] }),
      id: id(),
      name: Type.String({
        description: "A name, a title, or a certificate number; the id where there is none.",
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
      description: "The dashboard's page where something is done about it.",
      examples: ["classes-and-plans"],
    }),
  ),
});

const Health = Type.Object({
  checkedAt: Type.String({ format: "date-time", description: "When this was looked at." }),
  findings: Type.Array(Finding, { description: "At most one for each code, problems first." }),
});

/** The route; `backupEveryHours` says how often the server takes backups, null where it takes none. */
export function capTableHealth(backupEveryHours: number | null): ReadRoute {
  return {
    method: "GET",
    path: "/api/v1/cap-table/health",
    operationId: "getCapTableHealth",
    tag: "Cap table",
    summary: "Show what stands out",
    description:
      "What is wrong, missing or waiting in the organization's records: as they stand, and for limits also on other " +
      "days. It informs and refuses nothing. Each finding is all that there is of its code.",
    role: "VIEWER",
    isExtension: true,
    expense: () => "much",
    status: 200,
    response: Type.Object({ data: Health }),
    run: (db, { orgId, nowMs }) => ({
      status: 200,
      json: { data: readHealth(db, orgId, { nowMs, backupEveryHours }) },
    }),
  };
}
