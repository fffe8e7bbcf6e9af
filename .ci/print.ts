// Literals of made modules, as the formatter leaves them.

const LINE_LENGTH_MAX = 120;

/** What can be printed. */
type Printed = string | boolean | readonly string[] | readonly Members[] | Members;
export type Members = { readonly [name: string]: Printed | undefined };

/** A literal: on one line where it fits behind `start`, and has no more than one level. */
export function print(value: Printed, indent = "", start = indent): string {
  if (typeof value !== "object") return JSON.stringify(value);
  const [inner, isList] = [`${indent}  `, Array.isArray(value)];
  const nameOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? `${name}: ` : `${JSON.stringify(name)}: `);
  const items = isList
    ? (value as readonly Printed[]).map((each) => print(each, inner))
    : Object.entries(value as Members).map(([name, each = ""]) => {
        return `${nameOf(name)}${print(each, inner, `${inner}${nameOf(name)}`)}`;
      });
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const space = isList || items.length === 0 ? "" : " ";
  const line = `${open}${space}${items.join(", ")}${space}${close}`;
  const isFlat = !items.some((item) => item.includes("\n") || /(?:^|: )\{ /.test(item));
  if (isFlat && start.length + line.length < LINE_LENGTH_MAX) return line;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}${close}`;
}
