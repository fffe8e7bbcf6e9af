// JSON numbers that a double cannot represent: they would come back as others, or as null. They are refused, not
// rounded, because nothing sent is silently changed.

/** Stands in a parsed body for a number that cannot be held; no schema accepts it. */
class InexactNumber {}

/** What a text has to hold for {@link parseExactly} to look closer: sixteen digits or an exponent of three, outside quotes. */
const SUSPECT = /[:,[\s]-?(?:[\d.]{16}|[\d.]+e[+-]?\d{3})/i;

/** Parses JSON, with an {@link InexactNumber} in place of each number that cannot be held. Throws as `JSON.parse` does. */
export function parseExactly(text: string): unknown {
  return SUSPECT.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
}

/** Whether `value` is or holds a number that could not be held. */
export function holdsInexact(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return value instanceof InexactNumber || Object.values(value).some(holdsInexact);
}

function exactly(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  return canonical(context.source) === canonical(String(value)) ? value : new InexactNumber();
}

/** A number's digits and exponent, the same for all ways to write one number. */
function canonical(source: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(source) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return whole === "" ? source : "0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
