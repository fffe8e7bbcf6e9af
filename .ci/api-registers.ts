// The registers of `src/storage/records/`, as a module for the pages: titles, columns and filters of lists, and forms with
// the words of their fields. What a schema says of a field is read from it.
import type { TProperties } from "@sinclair/typebox";
import { choicesOf, type FormField, kindOf, mayStayEmpty, schemaAt } from "../src/storage/records/register.ts";
import { REGISTERS, type Registered } from "../src/storage/records/registers.ts";
import { type Members, print } from "./print.ts";

const HEAD = `// The registers: titles, columns and filters of lists, and forms with the words of their fields. Made by
// .ci/api-types.ts of src/storage/records/; change a record's register there, and run \`bun run typecheck\`.
`;

/** The registers that have a page by themselves, with its title. */
export function registerPages(registers: Readonly<Record<string, Registered>> = REGISTERS): Members {
  const titles = Object.entries(registers).flatMap(([name, { register }]) =>
    register.hasOwnPage ? [[name, register.title] as const] : [],
  );
  return Object.fromEntries(titles);
}

/** The module. */
export function registersText(registers: Readonly<Record<string, Registered>> = REGISTERS): string {
  const made = Object.fromEntries(Object.entries(registers).map(([name, each]) => [name, registerOf(each)]));
  return `${HEAD}\nexport const REGISTERS = ${print(made)} as const;\n`;
}

function registerOf({ fields, register }: Registered): Members {
  const { title, none, list, filters = {}, form = {} } = register;
  const groups = Object.entries(form).map(([name, group]) => [
    name,
    Object.entries(group).map(([member, field]) => fieldOf(fields, member, field)),
  ]);
  const words = Object.values(form).flatMap((group) => Object.entries(group).flatMap(wordsOf));
  return {
    ...{ title, none, list },
    listed: listedOf(fields, list),
    filters,
    choices: filterChoices(fields, filters),
    form: Object.fromEntries(groups),
    words: Object.fromEntries(words),
  };
}

/** How the columns are shown that are members. */
function listedOf(fields: TProperties, list: Registered["register"]["list"]): Members {
  const members = Object.keys(list).flatMap((name) => {
    const schema = schemaAt(fields, name);
    return schema && schema.type !== "object" ? [[name, kindOf(schema)] as const] : [];
  });
  return Object.fromEntries(members);
}

/** What can be chosen in filters that are members. */
function filterChoices(fields: TProperties, filters: Readonly<Record<string, string>>): Members {
  const members = Object.keys(filters).flatMap((name) => {
    const schema = schemaAt(fields, name);
    const choices = schema && choicesOf(schema);
    return choices ? [[name, choices] as const] : [];
  });
  return Object.fromEntries(members);
}

function fieldOf(fields: TProperties, name: string, { isOptional, isBeside, isForNew, isForChanges }: FormField) {
  const schema = schemaAt(fields, name);
  if (schema === undefined) throw new Error(`a form asks for ${name}, which its record does not have`);
  const choices = choicesOf(schema);
  const marks = { isOptional: isOptional ?? mayStayEmpty(schema), isBeside, isForNew, isForChanges };
  const said = Object.entries(marks).filter(([, mark]) => mark === true);
  return { name, kind: kindOf(schema), ...(choices ? { choices } : {}), ...Object.fromEntries(said) };
}

function wordsOf([member, { label, hint, unit, suffix, empty }]: readonly [string, FormField]) {
  const said = Object.entries({ label, unit, suffix, hint, empty }).filter(([, text]) => text !== undefined);
  return label === undefined ? [] : [[member, Object.fromEntries(said) as Members] as const];
}
