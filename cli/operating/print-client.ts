// captable print client: writes the package of the typed client that the executable carries.
import { writeFileSync } from "node:fs";
import { CommandError, type CommonOptions } from "../command.ts";
import { outFile } from "../files/out-file.ts";
import { printBeside, refuseTerminal, STANDARD_OUTPUT, writeToStandardOutput } from "../standard-output.ts";
import { packedClient } from "./packed-client.ts";

/** Writes the package to `--out`. Throws {@link CommandError} (1) in a checkout, which has none. */
export async function writeClient(
  { out, ...options }: CommonOptions & { readonly out: string },
  dataDir: string,
): Promise<void> {
  if (packedClient === null) {
    throw new CommandError("a checkout has no packed client: bun run build:client builds it in dist/client", 1);
  }
  if (out === STANDARD_OUTPUT) refuseTerminal();
  const bytes = await packedClient();
  if (out === STANDARD_OUTPUT) await writeToStandardOutput([bytes]);
  else writeFileSync(outFile(out, dataDir), bytes);
  printBeside(out, options, { file: out, bytes: bytes.length }, `wrote the client to ${out}`);
}
