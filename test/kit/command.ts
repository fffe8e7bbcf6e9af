// A command inside this process, for tests of what it says and does: starting the program takes ten times as long. That it
// says the same as a process is tested in test/cli/in-process.system.test.ts.
import { CommanderError } from "commander";
import { say } from "../../cli/command.ts";
import { exitStatus, explain } from "../../cli/failure.ts";
import { makeProgram } from "../../cli/program.ts";
import { type Ended, runProgram } from "./program.ts";

/** What serves until a signal comes, starts the program once more, or collects the garbage of the whole process. */
const NEEDS_A_PROCESS = /^(serve|restore|ocf import)\b/;

type Write = typeof process.stdout.write;

let last: Promise<unknown> = Promise.resolve();

/** Runs a command to its end as `cli/main.ts` does, after those that were asked for before; in a process where it needs one. */
export function runCommand(args: readonly string[]): Promise<Ended> {
  if (NEEDS_A_PROCESS.test(args.join(" "))) return runProgram(args);
  const ended = last.then(() => run(args));
  last = ended.catch(() => undefined);
  return ended;
}

async function run(args: readonly string[]): Promise<Ended> {
  const [stdout, stderr] = [collect(process.stdout), collect(process.stderr)];
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    const status = await statusOf(args);
    return { status, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.exitCode = before ?? 0;
    stdout.end();
    stderr.end();
  }
}

async function statusOf(args: readonly string[]): Promise<number> {
  try {
    await (await makeProgram(args[0], args[1])).parseAsync([...args], { from: "user" });
    return Number(process.exitCode);
  } catch (failure) {
    if (failure instanceof CommanderError) return failure.exitCode === 0 ? 0 : 2;
    say(explain(failure));
    return exitStatus(failure);
  }
}

/** Takes what is written to a stream, as if it were no terminal. */
function collect(stream: NodeJS.WriteStream) {
  const pieces: Buffer[] = [];
  const { write, isTTY } = stream;
  const take = (piece: string | Uint8Array, ...more: readonly unknown[]) => {
    pieces.push(Buffer.from(piece as string));
    for (const each of more) if (typeof each === "function") each();
    return true;
  };
  stream.write = take as Write;
  stream.isTTY = false;
  return {
    text: () => Buffer.concat(pieces).toString(),
    end: () => Object.assign(stream, { write, isTTY }),
  };
}
