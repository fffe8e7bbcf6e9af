// A proposal in words, as the person who confirms it reads it: what is done, to whom, with which values.
import { printable } from "../../src/kernel/text/text.ts";
import { isRow, type Row } from "../api/output.ts";
import type { Operations } from "./operations.ts";
import type { Operation, Proposal } from "./proposals.ts";
import { type Requests, recordPath } from "./requests.ts";

const SHOWN_MAX = 30;
const VALUE_MAX = 160;
const LOOKUPS_MAX = 60;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The record that a member's id is of, by the end of the member's name. */
const RESOURCE_OF: readonly (readonly [end: RegExp, resource: string])[] = [
  [/stakeholderId$/i, "stakeholders"],
  [/(stock|share)ClassId$/i, "share-classes"],
  [/securityId$/i, "securities"],
  [/equityPlanId$/i, "equity-plans"],
  [/vestingTermsId$/i, "vesting-terms"],
  [/approvalId$/i, "approvals"],
  [/valuationId$/i, "valuations"],
];

/** What is known of the company and its API. */
export interface Known {
  readonly requests: Requests;
  readonly operations: Operations;
}

/** The question to the person. Text of others stands in quotation marks, on one line. */
export async function inWords({ operations, reason, issued, effects }: Proposal, known: Known): Promise<string> {
  const names = new Names(known.requests);
  const { legalName } = await known.requests.get("/api/v1/organization");
  const count = operations.length === 1 ? "1 change" : `${operations.length} changes`;
  const lines = [`Record ${count} in ${quoted(legalName)}?`];
  for (const [at, operation] of operations.slice(0, SHOWN_MAX).entries()) {
    // Elsewhere a member of the body is not the field of the same name: a transfer's quantity is what is moved.
    const isUpdate = operation.method === "PATCH";
    const former = new Map(effects.filter((each) => isUpdate && each.operation === at).map(formerOf));
    lines.push(await line(at, operation, { operations, names, known, former }));
  }
  if (operations.length > SHOWN_MAX) lines.push(await others(operations.slice(SHOWN_MAX), known));
  if (issued.before !== issued.after) lines.push(`Shares issued in all: ${issued.before} → ${issued.after}.`);
  lines.push(`The assistant's reason: ${quoted(reason)}`);
  return lines.join("\n");
}

/** What an operation says is done. */
interface Telling {
  readonly operations: readonly Operation[];
  readonly names: Names;
  readonly known: Known;
  /** Of a record that is updated, values before, by the names of its fields. */
  readonly former: ReadonlyMap<unknown, unknown>;
}

function formerOf({ field, before }: Row): readonly [field: unknown, before: unknown] {
  return [field, before];
}

async function line(at: number, operation: Operation, telling: Telling): Promise<string> {
  const { operations, names, known } = telling;
  const { method, path, body } = operation;
  const [, , , resource = "", id = ""] = path.split("/");
  const of = UUID.test(id)
    ? ` ${await names.shown(resource, id)}`
    : id.startsWith("{")
      ? ` ${made(id, operations)}`
      : "";
  const members = isRow(body) ? Object.entries(body) : [];
  const told = await Promise.all(members.map(([name, value]) => member(name, value, telling)));
  const summary = await known.operations.summaryOf(method, path);
  return `${at + 1}. ${summary}${of}${told.length === 0 ? "" : `: ${told.join("; ")}`}`;
}

async function member(name: string, value: unknown, { operations, names, former }: Telling): Promise<string> {
  const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const resource = RESOURCE_OF.find(([end]) => end.test(name))?.[1];
  if (resource !== undefined && typeof value === "string") {
    return `${label.replace(/ id$/, "")} ${await names.shown(resource, value)}`;
  }
  if (isRow(value) && typeof value.$ref === "string") return `${label} ${made(`{${value.$ref}}`, operations)}`;
  return former.has(name) ? `${label} ${quoted(former.get(name))} → ${quoted(value)}` : `${label} ${quoted(value)}`;
}

/** What stands for the answer of an earlier operation. */
function made(reference: string, operations: readonly Operation[]): string {
  const [, name] = /^\{([^.}]+)\./.exec(reference) ?? [];
  const at = operations.findIndex((each) => each.name === name);
  return at === -1 ? quoted(reference) : `of change ${at + 1}`;
}

/** How many operations of each kind are not shown. */
async function others(operations: readonly Operation[], known: Known): Promise<string> {
  const summaries = await Promise.all(operations.map(({ method, path }) => known.operations.summaryOf(method, path)));
  const counts = [...Map.groupBy(summaries, (each) => each)].map(([summary, all]) => `${all.length} × ${summary}`);
  return `… and ${operations.length} more, which are not shown here: ${counts.join(", ")}`;
}

/** A value in quotation marks where it is text. */
function quoted(value: unknown): string {
  const text = typeof value === "string" ? `"${printable(value)}"` : printable(JSON.stringify(value) ?? "nothing");
  return text.length <= VALUE_MAX ? text : `${text.slice(0, VALUE_MAX)}… (${text.length} characters)`;
}

/** Names of records, each asked for once. */
class Names {
  readonly #requests: Requests;
  readonly #names = new Map<string, Promise<string>>();

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** A record's name in quotation marks; its id where it has none or cannot be read. */
  shown(resource: string, id: string): Promise<string> {
    const key = `${resource}/${id}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const asked = this.#names.size < LOOKUPS_MAX ? this.#ask(resource, id) : Promise.resolve(quoted(id));
    this.#names.set(key, asked);
    return asked;
  }

  async #ask(resource: string, id: string): Promise<string> {
    try {
      const answer = await this.#requests.get(recordPath(resource, id));
      const record: Row = isRow(answer.data) ? answer.data : answer;
      const { displayName, name, title, planName, certificateId, stakeholderId } = record;
      const own = [displayName, name, title, planName, certificateId].find((each) => typeof each === "string");
      const of = typeof stakeholderId === "string" ? ` of ${await this.shown("stakeholders", stakeholderId)}` : "";
      return own === undefined ? quoted(id) : `${quoted(own)}${of}`;
    } catch {
      return quoted(id);
    }
  }
}
