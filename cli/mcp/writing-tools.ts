// The tools that try changes, propose them and carry them out once the person has confirmed.
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type JsonSchemaType,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isRow, type Row } from "../api/output.ts";
import { ProblemError } from "../client/errors.ts";
import { answered, fitted, Refusal } from "./answer.ts";
import { inWords, type Known } from "./in-words.ts";
import type { Operation, Proposal, Proposals } from "./proposals.ts";
import { type Answer, type Args, type Tool, text } from "./tool.ts";

const BATCH = "/api/v1/batch";
const CONFLICT = 409;
const PRECONDITION_FAILED = 412;
const LIMITED = 429;
const FAILED = 500;

const operations: JsonSchemaType = {
  type: "array",
  minItems: 1,
  maxItems: 500,
  description:
    'Carried out in order, all or none. A later one refers to what an earlier one with a name makes: {"$ref": ' +
    '"ada.id"} as a value in a body, {ada.id} as a segment of a path. describe_operation has bodies.',
  items: {
    type: "object",
    properties: {
      method: { type: "string", enum: ["POST", "PATCH", "DELETE"] },
      path: { type: "string", maxLength: 500, description: "From /api/v1/ on." },
      body: { type: "object" },
      name: { type: "string", maxLength: 50 },
      ifMatch: { type: "string", maxLength: 100 },
    },
    required: ["method", "path"],
    additionalProperties: false,
  },
};
const proposalId: JsonSchemaType = { type: "string", maxLength: 100, description: "What propose_changes answered." };

/** The tool that shows what changes would do. */
export function tryingTool({ requests }: Known): Tool {
  return {
    name: "dry_run",
    title: "Try changes",
    description: "What changes would do, each effect with the value before and after. Nothing is recorded.",
    args: { operations, cursor: { type: "string", description: "Where to go on: the cursor of the last answer." } },
    required: ["operations"],
    does: "reads",
    async run(args, { mcpReq: { signal } }) {
      const { data } = await requests.ask(BATCH, { operations: args.operations, dryRun: true }, signal);
      return answered(fitted(isRow(data) ? data : {}, text(args, "cursor")));
    },
  };
}

/** What a tool that writes works with. */
export interface Writing extends Known {
  readonly proposals: Proposals;
  readonly confirm: "person" | "tool";
  /** What a client of the first era said at its handshake that it can. */
  readonly clientCan: () => Row | undefined;
}

/** The tools that propose changes and carry them out. */
export function writingTools(writing: Writing): readonly Tool[] {
  const { confirm, proposals } = writing;
  const asks = confirm === "person" ? " The person is asked first, by the client." : "";
  return [
    {
      name: "propose_changes",
      title: "Propose changes",
      description: "Tries changes and keeps them for 15 minutes, to be confirmed. Nothing is recorded yet.",
      args: { operations, reason: { type: "string", minLength: 1, maxLength: 500, description: "For the person." } },
      required: ["operations", "reason"],
      does: "prepares",
      run: (args) => propose(args, writing),
    },
    {
      name: "confirm_changes",
      title: "Confirm changes",
      description: `Records what was proposed, once, if the ledger has not changed since.${asks}`,
      args: { proposalId },
      required: ["proposalId"],
      does: "writes",
      run: (args, context) => confirmed(proposals.get(text(args, "proposalId") ?? ""), context, writing),
    },
    {
      name: "cancel_proposal",
      title: "Cancel a proposal",
      description: "Forgets a proposal. What was confirmed stays.",
      args: { proposalId },
      required: ["proposalId"],
      does: "prepares",
      async run(args) {
        const id = text(args, "proposalId") ?? "";
        const { isConfirmed } = proposals.get(id);
        proposals.drop(id);
        return answered({ proposalId: id, status: isConfirmed ? "was confirmed before" : "cancelled" });
      },
    },
  ];
}

async function propose(args: Args, { requests, proposals }: Writing): Promise<Answer> {
  proposals.makeRoom();
  const { data } = await requests.ask(BATCH, { operations: args.operations, dryRun: true });
  const { effects, before, after, head } = isRow(data) ? data : {};
  if (typeof head !== "string") throw new Refusal("the server answered no place in the ledger");
  const { id, expiresAt } = proposals.add({
    operations: args.operations as readonly Operation[],
    reason: text(args, "reason") ?? "",
    head,
    effects: Array.isArray(effects) ? effects.filter(isRow) : [],
    issued: { before: issuedOf(before), after: issuedOf(after) },
  });
  return answered(fitted({ proposalId: id, expiresAt, effects, before, after, head }));
}

function issuedOf(summary: unknown): string {
  return isRow(summary) ? String(summary.totalIssued) : "";
}

/** Asks the person, unless that was done, and records. */
async function confirmed(proposal: Proposal, context: ServerContext, writing: Writing): Promise<Answer> {
  if (!proposal.isConfirmed && writing.confirm === "person") {
    if (!canAsk(context, writing)) {
      throw new Refusal(
        "this client cannot ask the person (it has no elicitation), so nothing was changed. The person may start " +
          "captable mcp with --confirm tool, or record the changes elsewhere",
      );
    }
    const question = context.mcpReq.requestState<string>();
    // An answer counts once, and for a question that was asked about this proposal.
    if (question === undefined || !proposal.questions.delete(question)) return ask(proposal, writing);
    const said = inputResponse(context.mcpReq.inputResponses, "confirm");
    if (said.kind !== "elicit" || said.action === "cancel") {
      throw new Refusal("the person did not answer: nothing was changed");
    }
    if (said.action !== "accept" || said.content?.confirm !== true) {
      writing.proposals.drop(proposal.id);
      throw new Refusal("the person said no: nothing was changed, and the proposal is gone");
    }
  }
  return record(proposal, writing);
}

async function ask(proposal: Proposal, writing: Writing): Promise<Answer> {
  const message = await inWords(proposal, writing);
  const question = crypto.randomUUID();
  proposal.questions.add(question);
  const confirm = { type: "boolean" as const, title: "Record these changes", default: false };
  const requestedSchema = { type: "object" as const, properties: { confirm }, required: ["confirm"] };
  return inputRequired({
    inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema }) },
    requestState: question,
  });
}

/** Whether the client has a form for questions, as it says with the request or said at its handshake. */
function canAsk({ mcpReq: { envelope } }: ServerContext, { clientCan }: Writing): boolean {
  const said: unknown = isRow(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
  const capabilities: unknown = said ?? clientCan();
  const elicitation = isRow(capabilities) ? capabilities.elicitation : undefined;
  if (!isRow(elicitation)) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** Sends the changes: with one key, so that they are done once, and only on the ledger that was tried. */
async function record(proposal: Proposal, { requests, proposals }: Writing): Promise<Answer> {
  const { id, operations: given, head } = proposal;
  proposal.isConfirmed = true;
  try {
    const { data } = await requests.write(BATCH, { operations: given, ifHead: head }, id);
    return answered(fitted({ proposalId: id, status: "recorded", ...(isRow(data) ? data : {}) }));
  } catch (failure) {
    if (!(failure instanceof ProblemError)) throw failure;
    const { status } = failure;
    // After these it may have been done, or may still be: the same again, with the same key, is safe.
    if (status >= FAILED || status === LIMITED || status === CONFLICT) throw failure;
    proposals.drop(id);
    if (status !== PRECONDITION_FAILED) throw failure;
    throw new Refusal("the records have changed since this was proposed: nothing was recorded. Propose it again");
  }
}
