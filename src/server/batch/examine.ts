// What is wrong with a batch before it is carried out: all of it at once, in the thread of the requests.
import { findFaults } from "../../kernel/check.ts";
import type { FieldError } from "../../kernel/problem.ts";
import { pointerFragment } from "../../kernel/text/text.ts";
import type { WriteRoute } from "../../resources/route.ts";
import type { AllowedRoutes, Found } from "./allowed.ts";
import type { BatchBody, BatchOperation } from "./batch-schema.ts";
import { answersText, readReference, withReferences } from "./references.ts";

/** The faults of a batch, and the routes that it carries out. */
export interface Examined {
  readonly errors: readonly FieldError[];
  readonly routes: readonly WriteRoute[];
}

/** Looks at all operations of a batch. Each distinct reference counts as an id of its own. */
export function examine({ operations }: BatchBody, allowed: AllowedRoutes): Examined {
  const examining = new Examining(allowed);
  for (const [at, operation] of operations.entries()) examining.look(operation, at);
  return examining;
}

class Examining implements Examined {
  readonly errors: FieldError[] = [];
  readonly routes: WriteRoute[] = [];
  readonly #allowed: AllowedRoutes;
  /** The routes of the operations before, by name; null where that was none. */
  readonly #named = new Map<string, WriteRoute | null>();
  /** The ids that stand for texts which are not there yet. */
  readonly #ids = new Map<string, string>();

  constructor(allowed: AllowedRoutes) {
    this.#allowed = allowed;
  }

  look(operation: BatchOperation, at: number): void {
    const found = this.#allowed.find(operation.method, operation.path);
    const refuse = (member: string, detail: string) =>
      this.errors.push({ pointer: pointerFragment(`/operations/${at}/${member}`), detail });
    if (found === null) refuse("path", "is no address that a batch takes with this method");
    else {
      this.routes.push(found.route);
      this.#lookAtParams(found, refuse);
      this.#lookAtBody(found, operation, refuse);
      if (typeof operation.ifMatch === "string" && !found.route.record)
        refuse("ifMatch", "is not taken here: no record is named");
    }
    const { name } = operation;
    if (typeof name !== "string") return;
    if (this.#named.has(name)) refuse("name", "is the name of an earlier operation");
    else this.#named.set(name, found?.route ?? null);
  }

  #lookAtParams({ params }: Found, refuse: (member: string, detail: string) => void): void {
    for (const given of Object.values(params)) {
      if ("reference" in given) this.#resolve(given.reference, (detail) => refuse("path", detail));
    }
  }

  #lookAtBody(
    { route }: Found,
    { body: given }: BatchOperation,
    refuse: (member: string, detail: string) => void,
  ): void {
    if (!route.body) {
      if (given !== undefined && given !== null) refuse("body", "is not taken here");
      return;
    }
    const body = given ?? undefined;
    if (body === undefined && route.isBodyOptional !== true) {
      refuse("body", "is required");
      return;
    }
    const unresolved = new Set<string>();
    const resolved = withReferences(body ?? {}, route.body, (text, path) =>
      this.#resolve(text, (detail) => {
        unresolved.add(path);
        refuse(`body${path}`, detail);
      }),
    );
    if ("dryRun" in (body ?? {})) refuse("body/dryRun", "is for the batch alone");
    for (const { path, detail } of findFaults(route.body, resolved)) {
      if (!unresolved.has(path) && path !== "/dryRun") refuse(`body${path}`, detail);
    }
  }

  /** The id that stands for what a reference names; says what is wrong with the reference. */
  #resolve(text: string, refuse: (detail: string) => void): string {
    const reference = readReference(text);
    const route = reference ? this.#named.get(reference.name) : undefined;
    if (reference === null) refuse("must be the name of an earlier operation, a dot, and a member of its answer");
    else if (route === undefined) refuse(`no earlier operation is named ${reference.name}`);
    else if (route && !answersText(route.response, reference.member)) {
      refuse(`the answer of ${reference.name} has no text ${reference.member}`);
    }
    const id = this.#ids.get(text) ?? standIn(this.#ids.size);
    this.#ids.set(text, id);
    return id;
  }
}

const STAND_IN_DIGITS = 12;

/** A well-formed id that no record has. */
function standIn(number: number): string {
  return `00000000-0000-7000-8000-${number.toString(16).padStart(STAND_IN_DIGITS, "0")}`;
}
