// Routes of OCF imports. POST /cap-table/ocf-import and /ocf-validate: a package as parsed JSON or a zip; and GET
// /cap-table/ocf-import, the progress of the import.
import { type TSchema, Type } from "@sinclair/typebox";
import type { Call } from "../../../kernel/call.ts";
import { body, instant, nullable, oneOf } from "../../../kernel/fields.ts";
import type { Room } from "../../../resources/organization/room.ts";
import { type ReadRoute, type Reply, seriesRoute } from "../../../resources/route.ts";
import type { Writer } from "../../../storage/database/writer.ts";
import { Brief } from "../../../views/cap-table/brief.ts";
import type { Counted } from "../codec/counted.ts";
import type { OcfPackage } from "../package.ts";
import type { PackageLine } from "../package-lines.ts";
import { DRY_RUN, PackageCheckBody, PackageImportBody } from "./body.ts";
import type { ImportReport } from "./report.ts";
import { IMPORT_STATES, type ImportsUnderWay, type TellImport } from "./under-way.ts";

const BYTES_MAX = 64 * 1024 * 1024;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const alsoCount = (description: string) => Type.Integer({ minimum: 0, description, "x-extension": true });
const COUNTS: Readonly<Record<Counted, TSchema>> = {
  stakeholders: count("Stakeholders."),
  stockClasses: count("Share classes."),
  issuances: count("Issuances of any kind of security."),
  stockPlans: alsoCount("Equity plans."),
  vestingTerms: alsoCount("Vesting terms."),
  valuations: alsoCount("Valuations."),
  documents: alsoCount("Documents."),
  stockLegends: alsoCount("Stock legends."),
  transactions: alsoCount("Transactions other than issuances."),
  other: alsoCount("Objects of other kinds."),
};
const orNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const Remark = Type.Object({
  code: Type.String({ description: "The kind of fault, for programs.", examples: ["dangling-reference"] }),
  file: orNull(Type.String({ description: "The file of the package.", examples: ["transactions.json"] })),
  index: orNull(Type.Integer({ description: "The object's place in the file's `items`, from 0." })),
  objectType: orNull(
    Type.String({ description: "The object's kind, by Open Cap Format's names.", examples: ["TX_STOCK_ISSUANCE"] }),
  ),
  id: orNull(Type.String({ description: "The object's id in the package.", examples: ["issuance-7"] })),
  pointer: Type.String({ description: "JSON Pointer fragment into the object.", examples: ["#/stock_class_id"] }),
  detail: Type.String({
    description: "What is wrong.",
    examples: ['stakeholder_id names "s-9", and there is no stakeholder with that id.'],
  }),
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
  id: Type.String({ description: "The issuer's id in the package.", examples: ["issuer-1"] }),
  legalName: orNull(Type.String({ description: "The issuer's full legal name.", examples: ["Acme, Inc."] })),
  isOther: Type.Boolean({ description: "Whether an earlier import brought another issuer." }),
});

const Report = Type.Object({
  issuer: Type.Union([Issuer, Type.Null()], {
    description: "The package's issuer; null where it names none.",
    "x-extension": true,
  }),
  imported: Type.Object(
    { ...COUNTS },
    {
      description: "How many of each kind came in.",
    },
  ),
  conflicts: Type.Array(
    Type.Object({
      entityType: Type.String({ description: "The kind of object.", examples: ["stakeholder"] }),
      id: Type.String({ description: "The object's id.", examples: ["stakeholder-1"] }),
      reason: Type.String({ description: "Why it was left out.", examples: ["It was imported before."] }),
    }),
    { description: "Objects that were there already; nothing is overwritten." },
  ),
  healed: Type.Array(
    Type.Object({
      objectType: Type.String({
        description: "The object's kind, by Open Cap Format's names.",
        examples: ["STOCK_PLAN"],
      }),
      id: Type.String({ description: "The object's id.", examples: ["plan-1"] }),
      member: Type.String({ description: "OCF's member.", examples: ["stock_class_ids"] }),
    }),
    {
      description: "References that an earlier import left out, and this one set: what they name is there now.",
      "x-extension": true,
    },
  ),
  warnings: Type.Array(Remark, { description: "What is odd about objects that came in.", "x-extension": true }),
  errors: Type.Array(Refused, { description: "Objects that were refused; the others are in.", "x-extension": true }),
});

/** Additional members of a dry run's answer. */
const DryRunReport = Type.Object({
  ...Report.properties,
  capTable: Type.Optional(
    Type.Object(
      {
        before: { ...Brief, description: "The cap table before the import." },
        after: { ...Brief, description: "The cap table as it would be after the import." },
      },
      { description: "Of a dry run: the cap table of today, and as it would be.", "x-extension": true },
    ),
  ),
});

const EXAMPLE = {
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
};

/** The import of an OCF package where there is room; `tell` gets its progress. */
export function ocfImport(tell: TellImport, room: Room) {
  return seriesRoute({
    method: "POST",
    path: "/api/v1/cap-table/ocf-import",
    operationId: "importOcf",
    tag: "Cap table",
    summary: "Import an OCF package",
    description:
      "Takes in every object and transaction of an Open Cap Format package, whatever its version and layout. Ids that " +
      "exist already are skipped and reported. The import is not one transaction: what came in before a failure stays, " +
      "and importing again is safe. Also takes a zip archive as the export gives it, with `dryRun` in the query. Up to " +
      "64 MiB; larger packages go in by `captable ocf import`.",
    role: "ADMIN",
    scope: "import",
    status: 200,
    problems: [409],
    response: Type.Object({ data: DryRunReport }),
    bytesMax: BYTES_MAX,
    body: PackageImportBody,
    bodyExample: EXAMPLE,
    zipQuery: body({ dryRun: Type.Optional(oneOf(["true", "false"], DRY_RUN)) }),
    gives: "objects",
    async open(query) {
      const { PackageLines } = await import("../package-lines.ts");
      const lines = new PackageLines();
      let isDryRun = query.dryRun === "true";
      return {
        take(line) {
          const told = line as PackageLine | { readonly asked: { readonly dryRun: boolean } };
          if ("asked" in told) isDryRun = told.asked.dryRun;
          else lines.take(told);
        },
        run: (writer, call) => importReply({ writer, call, tell, room }, lines.ocf, isDryRun),
      };
    },
  });
}

/** The organization, the author and the progress callback of an import. */
interface Importing {
  readonly writer: Writer;
  readonly call: () => Call;
  readonly tell: TellImport;
  readonly room: Room;
}

async function importReply(importing: Importing, ocf: OcfPackage, isDryRun: boolean): Promise<Reply> {
  // Every schema and check of OCF comes with it, so it is loaded with the first package.
  const { writer, call, room } = importing;
  room.refuseLowDisk();
  if (isDryRun) {
    const [{ tryPackage }, { onCopy }] = await Promise.all([import("./dry-run.ts"), import("./on-copy.ts")]);
    const data = await onCopy(writer.db.sqlite.name, (copy) => tryPackage({ writer: copy, call }, ocf));
    return { status: 200, json: { data } };
  }
  const [{ importPackage }, { bytesOfPackage }] = await Promise.all([import("./run.ts"), import("./bytes.ts")]);
  const giveBack = room.reserve(writer.db, call().orgId, await bytesOfPackage(ocf));
  try {
    const report = await telling(importing, (onProgress) => importPackage({ writer, call, onProgress }, ocf));
    return { status: 200, json: { data: report } };
  } finally {
    giveBack();
  }
}

/** Tells that an import begins, how far it is, and how it ended. */
async function telling(
  { call, tell }: Importing,
  run: (onProgress: (done: number, total: number) => void) => Promise<ImportReport>,
): Promise<ImportReport> {
  const { orgId, at: startedAt, newId } = call();
  const importId = newId();
  let far = { objectsTotal: null as number | null, objectsDone: 0, startedAt };
  const say = (state: "RUNNING" | "DONE" | "FAILED", finishedAt: string | null, report: ImportReport | null) =>
    tell({ orgId, importId, state: { state, ...far, finishedAt, report } });
  say("RUNNING", null, null);
  try {
    const report = await run((objectsDone, objectsTotal) => {
      far = { ...far, objectsDone, objectsTotal };
      say("RUNNING", null, null);
    });
    say("DONE", call().at, report);
    return report;
  } catch (thrown) {
    say("FAILED", call().at, null);
    throw thrown;
  }
}

const UnderWay = Type.Object({
  state: oneOf(IMPORT_STATES, { description: "`IDLE`: there was none since the server began." }),
  objectsTotal: nullable(
    Type.Integer({ minimum: 0, description: "Objects and transactions; null until the package was looked through." }),
  ),
  objectsDone: Type.Integer({ minimum: 0, description: "How many of them are taken in, skipped or refused." }),
  startedAt: nullable(instant({ description: "When it began." })),
  finishedAt: nullable(instant({ description: "When it ended; null while it runs." })),
  report: Type.Union([Report, Type.Null()], { description: "What the import answered; null unless it is `DONE`." }),
});

/** The progress of an import. */
export function ocfImportState(imports: ImportsUnderWay): ReadRoute {
  return {
    method: "GET",
    path: "/api/v1/cap-table/ocf-import",
    operationId: "getOcfImport",
    tag: "Cap table",
    summary: "Show how an import is getting on",
    description:
      "The organization's import that is under way, or its last one since the server began; dry runs and " +
      "`captable ocf import` are not included.",
    role: "ADMIN",
    scope: "import",
    isExtension: true,
    status: 200,
    response: Type.Object({ data: UnderWay }),
    run: (_db, { orgId }) => ({ status: 200, json: { data: imports.of(orgId) } }),
  };
}

const Problems = Type.Object({
  problems: Type.Array(
    Type.Composite([
      Type.Object({ severity: oneOf(["problem", "warning"], { description: "How bad it is." }) }),
      Remark,
    ]),
    {
      description: "Everything that can be said of the package without a database.",
    },
  ),
  objects: Type.Integer({ description: "The objects in the package, the issuer included." }),
});

/** The check of an OCF package. */
export const ocfValidate = seriesRoute({
  method: "POST",
  path: "/api/v1/cap-table/ocf-validate",
  operationId: "validateOcf",
  tag: "Cap table",
  summary: "Check an OCF package",
  description:
    "Says everything that can be said of an Open Cap Format package without a database, and keeps nothing: what " +
    "`captable ocf validate --json` prints. Takes the body of the import, or a zip archive.",
  role: "ADMIN",
  scope: "import",
  isExtension: true,
  status: 200,
  response: Problems,
  bytesMax: BYTES_MAX,
  body: PackageCheckBody,
  bodyExample: EXAMPLE,
  gives: "findings",
});
