// Schemas of spreadsheet imports.
import { Type } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import { body, date, defaulted, id, nullable, oneOf, optional } from "../../kernel/fields.ts";
import { timestamp } from "../../resources/present.ts";
import { readMapping, WrongMapping } from "./mapping/mapping.ts";
import { FORMAT_NAMES, ImportOptionsBody } from "./options.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });
const text = (description: string, ...examples: readonly string[]) => Type.String({ description, examples });

const mappingMember = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      "With the format `MAPPING`: what is what in the file; `captable import mapping OCX` prints an example.",
  },
);

/** The body of `POST /imports`. */
export const ImportCreate = withRules(
  body({
    documentId: id({ description: "The file: a document whose content was stored before." }),
    format: defaulted(
      oneOf([...FORMAT_NAMES, "MAPPING"], {
        description: "The format of the file; `AUTO` takes the one that it is in.",
      }),
      "AUTO",
    ),
    mapping: optional(mappingMember),
    options: optional({ ...ImportOptionsBody, description: "How the import is to be done." }),
  }),
  {
    of: ["format", "mapping"],
    findings({ format = "AUTO", mapping = null }) {
      if ((format === "MAPPING") !== (mapping !== null)) {
        return [["#/mapping", format === "MAPPING" ? "is required with this format" : "is for the format `MAPPING`"]];
      }
      return mapping === null ? [] : mappingFindings(mapping);
    },
  },
);

function mappingFindings(mapping: object): readonly (readonly [string, string])[] {
  try {
    readMapping(JSON.stringify(mapping));
    return [];
  } catch (error) {
    if (error instanceof WrongMapping) return error.faults.map(({ path, detail }) => [`#/mapping${path}`, detail]);
    throw error;
  }
}

const Remark = Type.Object({
  code: text("The kind of fault, for programs.", "unknown-holder"),
  sheet: nullable(text("The sheet, or the CSV without its suffix.", "Stock")),
  row: nullable(Type.Integer({ minimum: 1, description: "The row, from 1." })),
  cell: nullable(text("The cell.", "F12")),
  header: nullable(text("What the column is called in the file.", "Holder")),
  value: nullable(text("What stands in the cell, up to 100 characters.", "Ada Exmple")),
  detail: text("What is wrong.", "Ada Exmple is not known"),
  fix: text("What can be done about it.", "Add the holder to Stakeholders, or write the name as it is there."),
});

const Counts = Type.Object({
  create: count("How many are made."),
  unchanged: count("How many are there already, in every column as the file has them."),
  differs: count("How many are there already, and differ: a warning says where. They stay as they are."),
  leftOut: count("How many are left out."),
});

const STATES = ["READING", "PREVIEWED", "COMMITTING", "COMMITTED", "FAILED"] as const;

/** An import as answers show it. */
export const Import = Type.Object({
  id: id({ description: "Identifies the import." }),
  orgId: id({ description: "The organization that it belongs to." }),
  state: oneOf(STATES, {
    description:
      "`READING` and `COMMITTING` go on by themselves: ask again. `PREVIEWED` may be committed where there are no " +
      "problems. `FAILED`: `failure` says why the file cannot be read, or which cell was recorded otherwise.",
  }),
  documentId: id({ description: "The file." }),
  sha256: text("SHA-256 of the file when the import was asked for.", "a".repeat(64)),
  format: text("The format that the file is in; before that is known, the one that was asked for.", "CAPTABLE"),
  mode: nullable(
    oneOf(["FULL", "OUTSTANDING"], {
      description: "`FULL`: securities as they were first issued; `OUTSTANDING`: with what is left of each.",
    }),
  ),
  options: Type.Object(ImportOptionsBody.properties, { description: "As they were asked for." }),
  asOf: nullable(date({ description: "The day that the file is of, where it says one." })),
  counts: Type.Record(Type.String(), Counts, {
    description: "By kind of row, such as `stakeholders`, `stock`, `events`.",
  }),
  rows: count("How many rows the file has."),
  closed: count("How many rows are left out because nothing is left of what they have."),
  problemCount: count("How many problems there are; any keeps the import from being committed."),
  warningCount: count("How many warnings there are."),
  problems: Type.Array(Remark, { description: "The first 1,000; `problems.csv` has all." }),
  warnings: Type.Array(Remark, { description: "The first 1,000; `problems.csv` has all." }),
  totals: Type.Array(
    Type.Object({
      name: text("Of what.", "Common"),
      file: text("The sum that the file states.", "900"),
      computed: text("What its rows add up to.", "900"),
      equal: Type.Boolean({ description: "Whether they agree." }),
    }),
    { description: "Sums that the file states itself." },
  ),
  failure: nullable(
    text(
      "Why the file cannot be read, which cell would be recorded otherwise, or why the last commit was undone.",
      "The file is empty.",
    ),
  ),
  failureCode: nullable(
    oneOf(["file-too-complex", "reader-ended"], {
      description:
        "`file-too-complex`: the file takes more memory or time to read than the server gives; `failure` names the figure. " +
        "`reader-ended`: reading it ended by itself, or ended the server twice. Null for every other cause.",
    }),
  ),
  attempts: count(
    "How often reading the file was begun. An import that a start of the server finds unread after two is `FAILED`.",
  ),
  firstSequence: nullable(Type.Integer({ description: "The first entry of the ledger that the commit made." })),
  lastSequence: nullable(Type.Integer({ description: "The last one." })),
  createdAt: timestamp({ description: "When the import was asked for." }),
  updatedAt: timestamp({ description: "When it last changed." }),
  committedAt: nullable(timestamp()),
});
