// Carries out a batch in the writer's transaction: each operation in turn, as it would be alone, and all of them or none.
import type { Call } from "../../kernel/call.ts";
import { findFaults } from "../../kernel/check.ts";
import { type FieldError, Problem, problem } from "../../kernel/problem.ts";
import { pointerFragment } from "../../kernel/text/text.ts";
import { findHead } from "../../ledger/store.ts";
import { type Effect, jsonOf, type PathParams, type ReadRoute, type Reply } from "../../resources/route.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { RollBack } from "../../storage/database/writer.ts";
import { invalid } from "../changes/answer.ts";
import { requireTag } from "../changes/tags.ts";
import type { AllowedRoutes, Found } from "./allowed.ts";
import { RecordEffects } from "./batch-effects.ts";
import type { BatchBody, BatchOperation } from "./batch-schema.ts";
import { answeredMembers, readReference, withReferences } from "./references.ts";

/** What a batch is carried out with. */
export interface Carrying {
  readonly allowed: AllowedRoutes;
  /** The route of the cap table's summary. */
  readonly summary: ReadRoute;
  /** The path before every address of the service. */
  basePath(): string;
}

/** What an operation answered. */
interface Result {
  readonly name: string | null;
  readonly status: number;
  readonly location: string | null;
  readonly body: unknown;
}

/**
 * Carries out a batch that was examined. Throws the problem of the first operation that has one, with its number and
 * name, and `412` where the ledger has another head than `ifHead`; a dry run is rolled back.
 */
export function carryOut(tx: Tx, call: Call, batch: BatchBody, carrying: Carrying): Reply {
  const { operations, dryRun: isDry = false, ifHead } = batch;
  const { hash: head } = findHead(tx, call.orgId);
  if (typeof ifHead === "string" && ifHead !== head) {
    throw problem("precondition-failed", "The ledger's newest entry is not the one that `ifHead` names.");
  }
  const summaryNow = () => {
    const { json } = carrying.summary.run(tx, { orgId: call.orgId, params: {}, query: {}, nowMs: Date.parse(call.at) });
    return answeredMembers(json);
  };
  const before = isDry ? summaryNow() : null;
  const run = new BatchRun(tx, call, { carrying, isDry });
  for (const [at, operation] of operations.entries()) run.carryOut(operation, at);
  const { results } = run;
  if (!isDry) return { status: 200, json: { data: { results } } };
  const nameless = results.map((result) => ({ ...result, location: null, body: null }));
  const data = { results: nameless, effects: run.effects(), before, after: summaryNow(), head };
  throw new RollBack<Reply>({ status: 200, json: { data } });
}

class BatchRun {
  readonly results: Result[] = [];
  readonly #tx: Tx;
  readonly #call: Call;
  readonly #carrying: Carrying;
  readonly #isDry: boolean;
  readonly #effects: (Effect & { readonly operation: number })[] = [];
  /** The members of what named operations answered. */
  readonly #answers = new Map<string, Readonly<Record<string, unknown>>>();
  /** The ids that were made. */
  readonly #made = new Set<unknown>();

  constructor(tx: Tx, call: Call, { carrying, isDry }: { readonly carrying: Carrying; readonly isDry: boolean }) {
    this.#tx = tx;
    this.#call = call;
    this.#carrying = carrying;
    this.#isDry = isDry;
  }

  /** What would change; what would be made has no id. */
  effects(): readonly (Effect & { readonly operation: number })[] {
    const named = (value: unknown) => (this.#made.has(value) ? null : value);
    return this.#effects.map((effect) => ({
      ...effect,
      id: named(effect.id) as string | null,
      before: named(effect.before),
      after: named(effect.after),
    }));
  }

  /** Carries out the next operation. Throws its problem. */
  carryOut(operation: BatchOperation, at: number): void {
    const { name = null } = operation;
    try {
      const reply = this.#run(operation, at);
      const json = jsonOf(reply);
      if (name !== null) this.#answers.set(name, answeredMembers(json));
      const location = reply.location === undefined ? null : this.#carrying.basePath() + reply.location;
      this.results.push({ name, status: reply.status, location, body: json });
    } catch (thrown) {
      throw thrown instanceof Problem ? ofOperation(thrown, at, name) : thrown;
    }
  }

  #run(operation: BatchOperation, at: number): Reply {
    const { method, path } = operation;
    const found = this.#carrying.allowed.find(method, path);
    if (found === null) throw problem("not-found", "There is no such address.");
    const { route } = found;
    const [tx, { orgId }] = [this.#tx, this.#call];
    const { params, address } = this.#addressOf(found, path);
    const body = this.#bodyOf(found, operation);
    const nowMs = Date.parse(this.#call.at);
    const { ifMatch } = operation;
    const demanded = ifMatch === "*" ? ifMatch : ifMatch ? [ifMatch] : undefined;
    requireTag(tx, { record: route.record, whole: route.whole, demanded, orgId, params, nowMs });
    const call = { ...this.#call, method, path: address, newId: () => this.#newId() };
    const read = () => (route.record as ReadRoute).run(tx, { orgId, params, query: {}, nowMs });
    const effects = this.#isDry ? new RecordEffects(route, params, read) : null;
    const reply = route.run(tx, call, { params, query: {}, body });
    for (const effect of effects?.after(reply) ?? []) this.#effects.push({ operation: at, ...effect });
    return reply;
  }

  #newId(): string {
    const id = this.#call.newId();
    this.#made.add(id);
    return id;
  }

  /** The parameters of an address, and the address itself, with its references resolved. */
  #addressOf({ route, params: given }: Found, path: string): { readonly params: PathParams; readonly address: string } {
    const params = Object.fromEntries(
      Object.entries(given).map(([name, param]) => [
        name,
        "value" in param ? param.value : this.#textOf(param.reference, "/path"),
      ]),
    );
    const address = Object.values(given).some((param) => "reference" in param)
      ? route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
      : path;
    return { params, address };
  }

  #bodyOf({ route }: Found, operation: BatchOperation): Record<string, unknown> {
    if (!route.body) return {};
    const body = withReferences(operation.body ?? {}, route.body, (text, path) => this.#textOf(text, `/body${path}`));
    const faults = findFaults(route.body, body);
    if (faults.length === 0) return body as Record<string, unknown>;
    throw invalid(faults.map(({ path, detail }) => ({ pointer: pointerFragment(path), detail })));
  }

  /** The text that an earlier operation answered. Throws `422` at `path` of the operation where that is null. */
  #textOf(reference: string, path: string): string {
    const { name, member } = readReference(reference) ?? { name: "", member: "" };
    const value = this.#answers.get(name)?.[member];
    if (typeof value === "string") return value;
    const detail = `${member} is empty in the answer of ${name}`;
    throw new AtOperation("validation-failed", "The request is not acceptable; `errors` says why.", [
      { pointer: pointerFragment(path), detail },
    ]);
  }
}

/** A problem whose pointers begin at the operation, and not at its body. */
class AtOperation extends Problem {}

/** The problem of a batch whose operation has a problem. */
function ofOperation(thrown: Problem, at: number, name: string | null): Problem {
  const root = `#/operations/${at}${thrown instanceof AtOperation ? "" : "/body"}`;
  const placed = (error: FieldError): FieldError =>
    "pointer" in error ? { ...error, pointer: root + error.pointer.replace(/^#\/?$/, "#").slice(1) } : error;
  const { retryAfterSeconds, cause } = thrown;
  return new Problem(thrown.slug, thrown.detail, thrown.errors?.map(placed), {
    retryAfterSeconds,
    cause,
    members: { ...thrown.members, operation: at, name },
  });
}
