// Reads an untrusted file in a process of its own, within what a command gives it.
import { readApart } from "../../src/exchange/reading/reading-process.ts";
import type { FileRequest, Parts, Pieces } from "../../src/exchange/reading/reading-protocol.ts";
import { ownProgram } from "../own-program.ts";

/** The lines of the answer. */
export function readByCommand(request: Omit<FileRequest, "bounds">, parts: Parts): Pieces {
  return readApart({ program: ownProgram(), request: { ...request, bounds: "command" }, parts });
}
