// Strict JSON parser for request bodies: checks UTF-8, syntax and depth, in that order.
import { type Problem, problem } from "./problem.ts";

const DEPTH_MAX = 64;

/** Parses UTF-8 JSON nested up to 64 levels. Throws `400 malformed-json`. */
export function parseJson(bytes: Uint8Array, parse: (text: string) => unknown): unknown {
  let value: unknown;
  try {
    value = parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    throw malformed(error instanceof SyntaxError ? "The body is not valid JSON." : "The body is not valid UTF-8.");
  }
  if (isDeeperThan(value, DEPTH_MAX)) throw tooDeep();
  return value;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const member of Object.values(value)) if (isDeeperThan(member, levels - 1)) return true;
  return false;
}

/** The `400` of a body that is not JSON. */
export function malformed(detail: string): Problem {
  return problem("malformed-json", detail);
}

function tooDeep(): Problem {
  return malformed(`The body is nested deeper than ${DEPTH_MAX} levels.`);
}
