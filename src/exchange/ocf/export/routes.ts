// The route of the OCF export: `GET /api/v1/cap-table/ocf-export`.
import { Type } from "@sinclair/typebox";
import type { ReadRoute } from "../../../resources/route.ts";
import { EXPORT_KEYS, readInclude } from "./include.ts";
import { openExport } from "./open.ts";

/** The route. The database is opened anew for every export. */
export const ocfExportRoute: ReadRoute = {
  method: "GET",
  path: "/api/v1/cap-table/ocf-export",
  operationId: "exportOcf",
  tag: "Cap table",
  summary: "Export the cap table in Open Cap Format",
  description:
    "A ZIP of the cap table as of this moment, in Open Cap Format 1.2.0: one JSON file for each key. What the " +
    "format requires and was never given is filled with a default, and what it has no form for is left out; the " +
    "manifest's comments say so.",
  role: "VIEWER",
  status: 200,
  query: Type.Object(
    {
      include: Type.Optional(
        Type.String({
          description: `Comma-separated files to include: ${EXPORT_KEYS.join(", ")}. All when omitted.`,
          examples: ["stakeholders,stock_classes,transactions"],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  fileType: "application/zip",
  exports: "OCF",
  expense: () => "much",
  run: (db, { orgId, query, nowMs }) => {
    const { fileName, content } = openExport(db.sqlite.name, orgId, readInclude(query.include), nowMs);
    return { status: 200, file: { fileName, contentType: "application/zip", content } };
  },
};
