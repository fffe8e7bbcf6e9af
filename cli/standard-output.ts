// Standard output as a file (`--out -`): bytes go to standard output, to be piped on, and messages to standard error.
import { CommandError, type CommonOptions, print } from "./command.ts";

/** What `--out` says for standard output. */
export const STANDARD_OUTPUT = "-";

/** Refuses to throw a file's bytes at a person: exit status 2. */
export function refuseTerminal(): void {
  if (process.stdout.isTTY !== true) return;
  throw new CommandError("--out -: standard output is a terminal, and this is no text: name a file, or pipe it on", 2);
}

/** Writes a stream to standard output and returns its bytes. Throws if the reading program has gone. */
export async function writeToStandardOutput(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  let bytes = 0;
  for await (const piece of content) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    process.stdout.write(piece, (failure) => (failure ? reject(failure) : resolve()));
    await promise.catch((failure: Error) => {
      throw new CommandError(
        `--out -: standard output was closed before everything was written: ${failure.message}`,
        1,
      );
    });
    bytes += piece.length;
  }
  return bytes;
}

/** Prints a command's result; beside a file on standard output, on standard error. */
export function printBeside(out: string, options: CommonOptions, json: unknown, lines: string | readonly string[]) {
  print(options, json, lines, out === STANDARD_OUTPUT ? process.stderr : process.stdout);
}
