// What a command of `captable api` is, as data: made from a route, and from it options, help and the request.

/** How the value of a field is written: text, a JSON number, `true` or `false`, a list of texts or of objects, JSON. */
export type FieldKind = "text" | "number" | "boolean" | "texts" | "objects" | "object";

/** A field of a query or of a body. */
export interface ApiField {
  readonly name: string;
  readonly kind: FieldKind;
  /** What it is, in a few words. */
  readonly about: string;
  readonly isRequired?: true;
  /** Of an object whose members are known. */
  readonly members?: readonly ApiField[];
}

/** A command: the words that name it, and the request that it sends. */
export interface ApiCommand {
  /** The operation's id in the API's document. */
  readonly operation: string;
  readonly words: readonly string[];
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** From `/api/v1` on, with `:name` for parameters, which the command takes as arguments in their order. */
  readonly path: string;
  readonly summary: string;
  readonly query: readonly ApiField[];
  /** The members of the body; absent for none. */
  readonly body?: readonly ApiField[];
  /** Whether a body may be left out. */
  readonly isBodyOptional?: true;
  /** Whether the body is a file's bytes, as they are. */
  readonly isUpload?: true;
  /** Whether a zip archive may stand in place of the JSON. */
  readonly takesZip?: true;
  /** Whether it takes an `Idempotency-Key`. */
  readonly isKeyed?: true;
  /** Whether it writes nothing although it has a body. */
  readonly isAsk?: true;
  /** Whether it takes `If-Match`. */
  readonly takesTag?: true;
  /** Whether its answer has a cursor of the next page. */
  readonly hasPages?: true;
  /** The media type of the file that it answers. */
  readonly file?: string;
  /** Whether a batch may carry it out. */
  readonly isBatched?: true;
  /** Whether it is shown and confirmed before it is done. */
  readonly isDangerous?: true;
}

/** The names of the parameters in a path, in their order. */
export function parametersOf({ path }: Pick<ApiCommand, "path">): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

/**
 * The command whose request goes to a path, with a query or without; where several fit, the one with fixed segments.
 * Undefined for none.
 */
export function commandAt(commands: readonly ApiCommand[], method: string, path: string): ApiCommand | undefined {
  const [asked = ""] = path.split("?");
  const segments = asked.split("/");
  const fits = (each: ApiCommand) => {
    const own = each.path.split("/");
    const isEqual = (segment: string, at: number) =>
      segment.startsWith(":") ? segments[at] !== "" : segment === segments[at];
    return each.method === method && own.length === segments.length && own.every(isEqual);
  };
  const fitting = commands.filter(fits);
  return fitting.sort((one, other) => parametersOf(one).length - parametersOf(other).length)[0];
}

/** A name in the letters of options: `legalName` is `legal-name`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
