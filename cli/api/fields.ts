// Fields as options: `--name.legal-name "Ada King"`, and from what was given the query and the body.
import { CommandError } from "../command.ts";
import { type ApiField, kebab } from "./api-command.ts";
import { isRow } from "./output.ts";

/** A field with the option that gives it; of an object's member, after the object's with a dot. */
export interface FieldOption {
  readonly option: string;
  readonly field: ApiField;
  /** The members that lead to it, from the body on. */
  readonly path: readonly string[];
}

/** What options were given, by name: each as often as it was. */
export type Given = ReadonlyMap<string, readonly string[]>;

/** A JSON value. */
type Json = unknown;
type JsonObject = Record<string, Json>;

/** The options of fields, those of objects' members behind the object's own. */
export function optionsOf(fields: readonly ApiField[], prefix = "", path: readonly string[] = []): FieldOption[] {
  return fields.flatMap((field) => {
    const option = `${prefix}${kebab(field.name)}`;
    const own = { option, field, path: [...path, field.name] };
    return [own, ...optionsOf(field.members ?? [], `${option}.`, own.path)];
  });
}

/** The query of a request. Exit 2 where an option was given twice. */
export function queryOf(fields: readonly ApiField[], given: Given): URLSearchParams {
  const query = new URLSearchParams();
  for (const { option, field } of optionsOf(fields)) {
    const values = given.get(option) ?? [];
    if (values.length > 0) query.set(field.name, String(readValue({ option, field, path: [] }, values)));
  }
  return query;
}

/**
 * The body: what `data` has, over it what the options say, and null for each field in `unset`. Null where none of them
 * says anything. Exit 2 for a value of another kind.
 */
export function bodyOf(
  fields: readonly ApiField[],
  given: Given,
  { data, unset }: { readonly data: Json; readonly unset: readonly string[] },
): JsonObject | null {
  const options = optionsOf(fields);
  const named = options.filter(({ option }) => given.has(option));
  if (data === undefined && named.length === 0 && unset.length === 0) return null;
  if (data !== undefined && !isRow(data)) throw new CommandError("--data: a body is a JSON object", 2);
  const body: JsonObject = structuredClone(data ?? {});
  for (const option of named) put(body, option.path, readValue(option, given.get(option.option) ?? []));
  for (const name of unset) {
    const found = options.find(({ option, path }) => option === name || path.join(".") === name);
    if (found === undefined) throw new CommandError(`--unset ${name}: there is no such field`, 2);
    if (given.has(found.option)) throw new CommandError(`--unset ${name}: --${found.option} gives it a value`, 2);
    put(body, found.path, null);
  }
  return body;
}

/** Sets a member of a member; what is no object there becomes one. */
function put(body: JsonObject, [name = "", ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    body[name] = value;
    return;
  }
  const inner = body[name];
  const members = isRow(inner) ? inner : {};
  body[name] = members;
  put(members, rest, value);
}

function readValue({ option, field: { kind } }: FieldOption, values: readonly string[]): Json {
  if (kind === "texts") return values;
  if (kind === "objects") return values.flatMap((text) => parsed(option, text));
  const [text = "", ...others] = values;
  if (others.length > 0) throw new CommandError(`--${option} is given ${values.length} times`, 2);
  if (kind === "text") return text;
  if (kind === "object") return parsed(option, text);
  if (kind === "boolean") {
    if (text !== "true" && text !== "false") throw new CommandError(`--${option} is ${text}; it is true or false`, 2);
    return text === "true";
  }
  if (!/^-?\d{1,15}(\.\d{1,10})?$/.test(text)) throw new CommandError(`--${option} is ${text}, which is no number`, 2);
  return Number(text);
}

function parsed(option: string, text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`--${option} is no JSON: ${text}`, 2);
  }
}
