// captable read-file: reads an untrusted file, in a process of its own that can be ended. The service, `ocf` and
// `import` start it; users do not.
import type { Command } from "commander";
import { readFileByPipes } from "../../src/exchange/reading/reading-child.ts";
import { READ_FILE, readApart } from "../../src/exchange/reading/reading-process.ts";
import type { FileKind, FileRequest, Parts, Pieces } from "../../src/exchange/reading/reading-protocol.ts";
import { newCommand } from "../command.ts";
import { ownProgram } from "../own-program.ts";

/** Declares `captable read-file`. */
export function readFileCommand(): Command {
  return newCommand(READ_FILE, "Read the file on standard input.")
    .argument("<form>")
    .argument("<gives>")
    .action((form: FileKind["form"], gives: FileKind["gives"]) => readFileByPipes({ form, gives }));
}

/** Reads a file in a process of its own, within what a command gives it. */
export function readByCommand(request: Omit<FileRequest, "bounds">, parts: Parts): Pieces {
  return readApart({ program: ownProgram(), request: { ...request, bounds: "command" }, parts });
}
