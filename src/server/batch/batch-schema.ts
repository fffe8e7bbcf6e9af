// Body and answer of a batch.
import { type Static, Type } from "@sinclair/typebox";
import { body, defaulted, EXTENSION, matching, nullable, oneOf, optional } from "../../kernel/fields.ts";
import { dryRun } from "../../ledger/operations/parts.ts";

const OPERATIONS_MAX = 500;
const PATH_MAX = 500;

/** The name of an operation in its batch. */
export const NAME = "[A-Za-z][A-Za-z0-9_-]{0,49}";

const BatchOperation = body({
  method: oneOf(["POST", "PATCH", "DELETE"], { description: "The method of the operation's own address." }),
  path: matching("^/api/v1/[^?#\\s]+$", "an address below /api/v1/ without a query", PATH_MAX, {
    description: "Its address. A segment `{name.member}` stands for a text of an earlier operation's answer.",
    examples: ["/api/v1/stakeholders"],
  }),
  body: optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Its body; left out where it takes none. An object `{"$ref": "name.member"}` stands for a text of an ' +
          "earlier operation's answer.",
      },
    ),
  ),
  name: optional(
    matching(`^${NAME}$`, "a letter, then up to 49 letters, digits, - or _", 50, {
      description: "A name for later operations to refer to; used once.",
      examples: ["ada"],
    }),
  ),
  ifMatch: optional(
    matching('^(?:\\*|"[!#-~]*")$', 'a tag in quotation marks, such as "00f1a2b3c4d5e6f7", or *', 100, {
      description: "The `ETag` that the operation's record must have when its turn comes.",
    }),
  ),
});

export const BatchBody = body({
  operations: Type.Array(BatchOperation, {
    minItems: 1,
    maxItems: OPERATIONS_MAX,
    description: "The operations, in the order in which they are carried out.",
  }),
  dryRun: defaulted(dryRun, false),
  ifHead: optional(
    matching("^[0-9a-f]{64}$", "the hash of a ledger entry, 64 digits of 0 to 9 and a to f", 64, {
      description: "The hash of the ledger's newest entry, 64 zeros without one: with another, nothing is changed.",
    }),
  ),
});

/** An operation of a batch. */
export type BatchOperation = Static<typeof BatchOperation>;
export type BatchBody = Static<typeof BatchBody>;

const result = Type.Object({
  name: nullable(Type.String({ description: "The operation's name; null without one.", examples: ["board"] })),
  status: Type.Integer({ description: "The status that it has alone." }),
  location: nullable(
    Type.String({
      description: "The `Location` that it has alone; null in a dry run.",
      examples: ["/api/v1/approvals/0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e"],
    }),
  ),
  body: Type.Unknown({
    description: "What it answers alone; null where that is nothing, and in a dry run.",
    examples: [{ data: { id: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e", title: "Grants of May", state: "Draft" } }],
  }),
});

const summary = (description: string) => Type.Optional(Type.Unknown({ description, ...EXTENSION }));

export const BatchAnswer = Type.Object({
  data: Type.Object({
    results: Type.Array(result, { description: "What each operation answers, in their order." }),
    effects: Type.Optional(
      Type.Array(Type.Unknown(), {
        description: "Of a dry run: each member that would change, with the number of its `operation`, from 0.",
        ...EXTENSION,
      }),
    ),
    before: summary("Of a dry run: the summary of the cap table as it is."),
    after: summary("Of a dry run: the summary as it would be."),
    head: Type.Optional(
      Type.String({
        description: "Of a dry run: the hash of the ledger's newest entry, for `ifHead`.",
        examples: ["0".repeat(64)],
        ...EXTENSION,
      }),
    ),
  }),
});
