// JSON numbers that a double cannot represent. Parsing would change them or make them null, so they are refused: no
// figure is changed silently.

/** Stands in a parsed body for a number that a double cannot represent; no schema accepts it. */
class InexactNumber {}

/** A fast test for texts that may hold such a number: sixteen digits or an exponent of three, outside quotes. */
const SUSPECT = /[:,[\s]-?(?:[\d.]{16}|[\d.]+e[+-]?\d{3})/i;

/**
 * Parses JSON, with an {@link InexactNumber} in place of each number that a double cannot represent. Throws as
 * `JSON.parse` does.
 */
export function parseExactly(text: string): unknown {
  return SUSPECT.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
}

/** Whether `value` is or contains an {@link InexactNumber}. */
export function holdsInexact(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return value instanceof InexactNumber || Object.values(value).some(holdsInexact);
}

function exactly(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  return canonical(context.source) === canonical(String(value)) ? value : new InexactNumber();
}

/** A number's digits and exponent, equal for every notation of one number. */
function canonical(source: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(source) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return whole === "" ? source : "0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
