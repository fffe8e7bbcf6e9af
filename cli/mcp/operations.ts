// The operations that changes are made of: their names from the table of commands, schema and example from the server.
import { type ApiCommand, commandAt } from "../api/api-command.ts";
import { readCommands } from "../api/command-table.ts";
import { isRow, type Row } from "../api/output.ts";
import { Refusal } from "./answer.ts";
import type { Requests } from "./requests.ts";

const MODELS: ReadonlySet<string> = new Set(["modelRound", "modelWaterfall"]);
/** Left out of schemas: the example shows the one, and the other is of no use to a caller. */
const LEFT_OUT: ReadonlySet<string> = new Set(["examples", "x-extension"]);

/** The operations of batches, and the bodies of models. */
export class Operations {
  readonly #requests: Requests;
  #described: Promise<ReadonlyMap<string, Described>> | null = null;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** All of them. */
  async all(): Promise<readonly ApiCommand[]> {
    return (await readCommands()).filter((each) => each.isBatched === true || MODELS.has(each.operation));
  }

  /** The names, without schemas. */
  async list(): Promise<Row> {
    const all = await this.all();
    return {
      operations: all.map(({ operation, method, path, summary }) => ({
        operation,
        method,
        path: documented(path),
        summary,
      })),
    };
  }

  /** One with its schema and an example. Throws {@link Refusal} for an unknown one. */
  async describe(name: string): Promise<Row> {
    const found = (await this.all()).find(({ operation }) => operation === name);
    if (found === undefined) throw new Refusal(`there is no operation ${name}: without an argument all are listed`);
    const { operation, method, path, summary, isBatched } = found;
    const described = (await this.#read()).get(name);
    return {
      ...{ operation, method, path: documented(path), summary, description: described?.description ?? null },
      goesInto: isBatched === true ? "operations of dry_run and propose_changes" : "body of model_round or model_exit",
      schema: described?.schema ?? null,
      example: described?.example ?? null,
    };
  }

  /** What an operation does, in words; its method and path where none is known. */
  async summaryOf(method: string, path: string): Promise<string> {
    return commandAt(await this.all(), method, path)?.summary ?? `${method} ${path}`;
  }

  /** What the API's document says of them, which the server has for everyone. The rest of it is large, and not kept. */
  #read(): Promise<ReadonlyMap<string, Described>> {
    this.#described ??= this.#describeAll();
    this.#described.catch(() => {
      this.#described = null;
    });
    return this.#described;
  }

  async #describeAll(): Promise<ReadonlyMap<string, Described>> {
    const [all, document] = await Promise.all([this.all(), this.#requests.get("/api/v1/openapi.json")]);
    return new Map(all.map((each) => [each.operation, describedIn(document, each)]));
  }
}

/** What the document says of an operation and its body. */
interface Described {
  readonly description: unknown;
  readonly schema: unknown;
  readonly example: unknown;
}

function describedIn(document: Row, { path, method }: ApiCommand): Described {
  const operation = within(document, "paths", documented(path), method.toLowerCase());
  const content = within(withoutRef(document, within(operation, "requestBody")), "content", "application/json");
  return {
    description: within(operation, "description"),
    schema: brief(within(content, "schema")),
    example: within(content, "example"),
  };
}

/** A path as the document has it. */
function documented(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

/** A member at some depth; undefined without one. */
function within(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => (isRow(inner) ? inner[name] : undefined), value);
}

/** What a reference in the document stands for. */
function withoutRef(document: Row, value: unknown): unknown {
  const ref = within(value, "$ref");
  return typeof ref === "string" ? within(document, ...ref.split("/").slice(1)) : value;
}

/** A schema without what a caller does not need. */
function brief(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(brief);
  if (!isRow(schema)) return schema;
  const kept = Object.entries(schema).filter(([name]) => !LEFT_OUT.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, brief(value)]));
}
