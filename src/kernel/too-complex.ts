// The refusal of a file that would take more memory or time to read than it is given: it names the figure and what is
// allowed. Each figure is counted as the bytes go by, before anything is made of them.
import { type Problem, problem } from "./problem.ts";

/** The way on for what the command line allows more of. */
const ON_THE_MACHINE = "Split it, or import it on the server's machine.";
const SPLIT = "Split it, or save it anew with the program that made it.";

/** What has no figure: the process that read the file was ended. */
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
