// The refusal of a file that would take too much memory or time to read: it names the figure and the limit. Each figure
// is counted while the bytes arrive, before anything is parsed.
import { type Problem, problem } from "./problem.ts";

/** The remedy if the command line allows more. */
const ON_THE_MACHINE = "Split it, or import it on the server's machine.";
const SPLIT = "Split it, or save it anew with the program that made it.";

/** The refusal without a figure: the process that read the file was ended. */
export const TOO_MUCH = `This file takes more memory or time to read than the server gives. ${ON_THE_MACHINE}`;

/** The refusal of more of something than a file may have: `what` is the plural noun that follows both figures. */
export function tooMany(what: string, found: number, allowed: number, isLessHere = false): Problem {
  return tooComplex(`${figure(found)} ${what} or more`, `${figure(allowed)} are allowed`, isLessHere);
}

/** The refusal of a file by what it has and what is allowed, in words. */
export function tooComplex(has: string, allowed: string, isLessHere = false): Problem {
  return problem("file-too-complex", `The file has ${has}; ${allowed}. ${isLessHere ? ON_THE_MACHINE : SPLIT}`);
}

const MEBIBYTE = 1024 ** 2;

/** `96 MiB`, rounded up. */
export function mebibytes(bytes: number): string {
  return `${figure(Math.ceil(bytes / MEBIBYTE))} MiB`;
}

/** `1,000,000`. */
function figure(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
