// Strict JSON parser for request bodies: checks depth, the number of values, UTF-8 and syntax, in that order.
import { countJson } from "./count-json.ts";
import { type Problem, problem } from "./problem.ts";

const DEPTH_MAX = 64;

/**
 * Parses UTF-8 JSON nested up to 64 levels, of up to so many values. Throws `400 malformed-json`, and `413
 * payload-too-large` with more values: they are counted before they are made.
 */
export function parseJson(
  bytes: Uint8Array,
  parse: (text: string) => unknown,
  valuesMax = Number.POSITIVE_INFINITY,
): unknown {
  const { values, levels } = countJson(bytes, { values: valuesMax, levels: DEPTH_MAX });
  if (levels > DEPTH_MAX) throw malformed(`The body is nested deeper than ${DEPTH_MAX} levels.`);
  if (values > valuesMax) throw problem("payload-too-large", `The body has more than ${valuesMax} values of JSON.`);
  try {
    return parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw malformed(error instanceof SyntaxError ? "The body is not valid JSON." : "The body is not valid UTF-8.");
  }
}

/** The `400` of a body that is not JSON. */
export function malformed(detail: string): Problem {
  return problem("malformed-json", detail);
}
