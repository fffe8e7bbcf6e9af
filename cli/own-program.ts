// The command line of this program, to start it as a child process: the executable, or Bun with the sources.
import { join } from "node:path";

/** The words that start it, before a command's own. */
export function ownProgram(): string[] {
  const isExecutable = Bun.main.startsWith("/$bunfs/") || /^[A-Z]:[\\/]~BUN/.test(Bun.main);
  return isExecutable ? [process.execPath] : [process.execPath, join(import.meta.dir, "main.ts")];
}
