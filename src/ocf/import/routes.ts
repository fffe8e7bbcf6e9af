// POST /cap-table/ocf-import: a package as parsed JSON (API.md, Import; DECISIONS section 15).
import { Type } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import { body } from "../../kernel/fields.ts";
import type { Finding } from "../../kernel/problem.ts";
import { seriesRoute } from "../../route.ts";
import { pointerTo } from "../finding.ts";
import { isObject } from "../json.ts";
import { COUNTED } from "./report.ts";

const BYTES_MAX = 64 * 1024 * 1024;

const isExtra = (name: string) => !["stakeholders", "stockClasses", "issuances"].includes(name);
const count = (name: string) => Type.Integer({ minimum: 0, ...(isExtra(name) ? { "x-extension": true } : {}) });
const orNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const Remark = Type.Object({
  code: Type.String({ description: "The kind of fault, for programs.", examples: ["dangling-reference"] }),
  file: orNull(Type.String({ examples: ["transactions.json"] })),
  index: orNull(Type.Integer({ description: "The object's place in the file's `items`, from 0." })),
  objectType: orNull(Type.String({ examples: ["TX_STOCK_ISSUANCE"] })),
  id: orNull(Type.String({ examples: ["issuance-7"] })),
  pointer: Type.String({ description: "JSON Pointer fragment into the object.", examples: ["#/stock_class_id"] }),
  detail: Type.String({ examples: ['stakeholder_id names "s-9", and there is no stakeholder with that id.'] }),
  fix: Type.String({ description: "What can be done about it.", examples: ["Add the stakeholder."] }),
});

const named = (description: string) => Type.Optional(Type.String({ description }));
const Refused = Type.Composite([
  Remark,
  Type.Object({
    securityId: named("`changed-here`: the security that was changed here."),
    stockClassId: named("`changed-here`: the class whose stock was; `deleted-here`: the class that was deleted."),
    equityPlanId: named("`deleted-here`: the plan that was deleted."),
    transactionId: named("`changed-here`: the ledger entry that changed it."),
  }),
]);

const Issuer = Type.Object({
  id: Type.String({ examples: ["issuer-1"] }),
  legalName: orNull(Type.String({ examples: ["Acme, Inc."] })),
  isOther: Type.Boolean({ description: "Whether an earlier import brought another issuer." }),
});

const Report = Type.Object({
  issuer: Type.Union([Issuer, Type.Null()], {
    description: "The package's issuer; null where it names none.",
    "x-extension": true,
  }),
  imported: Type.Object(Object.fromEntries(COUNTED.map((name) => [name, count(name)]))),
  conflicts: Type.Array(
    Type.Object({
      entityType: Type.String({ examples: ["stakeholder"] }),
      id: Type.String({ examples: ["stakeholder-1"] }),
      reason: Type.String({ examples: ["It was imported before."] }),
    }),
    { description: "Objects that were there already; nothing is overwritten." },
  ),
  warnings: Type.Array(Remark, { description: "What is odd about objects that came in.", "x-extension": true }),
  errors: Type.Array(Refused, { description: "Objects that were refused; the others are in.", "x-extension": true }),
});

/** The findings for files whose content has no list of objects: nothing could be made of them. */
function unusableFiles({ entityFiles }: { readonly entityFiles: object }): readonly Finding[] {
  return Object.entries(entityFiles).flatMap(([name, content]: [string, unknown]): Finding[] => {
    const isBareList = Array.isArray(content);
    const isOtherFile = isObject(content) && (content.object_type === "ISSUER" || "ocf_version" in content);
    if (isBareList || isOtherFile || (isObject(content) && Array.isArray(content.items))) return [];
    const pointer = isObject(content) ? pointerTo("entityFiles", name, "items") : pointerTo("entityFiles", name);
    return [[pointer, "must be the content of an OCF file: an object with a list of `items`"]];
  });
}

/** The import of an OCF package. */
export const ocfImport = seriesRoute({
  method: "POST",
  path: "/api/v1/cap-table/ocf-import",
  operationId: "importOcf",
  tag: "Cap table",
  summary: "Import an OCF package",
  description:
    "Takes in every object and transaction of an Open Cap Format package, whatever its version and layout. Ids that " +
    "exist already are skipped and reported. The import is not one transaction: what came in before a failure stays, " +
    "and importing again is safe. Up to 64 MiB; larger packages go in by `captable ocf import`.",
  role: "ADMIN",
  status: 200,
  response: Type.Object({ data: Report }),
  bytesMax: BYTES_MAX,
  body: withRules(
    body({
      manifest: Type.Object({}, { additionalProperties: true, description: "The parsed manifest file." }),
      entityFiles: Type.Object(
        {},
        { additionalProperties: true, description: "Each file's parsed content by the file's name." },
      ),
    }),
    { of: ["entityFiles"], findings: unusableFiles },
  ),
  bodyExample: {
    manifest: { ocf_version: "1.2.0", issuer: { id: "issuer-1", object_type: "ISSUER", legal_name: "Acme, Inc." } },
    entityFiles: {
      "stakeholders.json": {
        file_type: "OCF_STAKEHOLDERS_FILE",
        items: [
          {
            object_type: "STAKEHOLDER",
            id: "stakeholder-1",
            name: { legal_name: "Ada Lovelace" },
            stakeholder_type: "INDIVIDUAL",
          },
        ],
      },
    },
  },
  async runSeries(writer, call, { manifest, entityFiles }) {
    // Every schema and check of OCF comes with it, so it is loaded with the first package.
    const [{ importPackage }, { packageOf }] = await Promise.all([import("./run.ts"), import("../package.ts")]);
    const data = await importPackage({ writer, call }, packageOf(manifest, entityFiles));
    const { issuer, imported, conflicts, warnings, errors } = data;
    return { status: 200, json: { data: { issuer, imported, conflicts, warnings, errors } } };
  },
});
