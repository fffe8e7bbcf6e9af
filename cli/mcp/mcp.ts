// captable mcp: the cap table for assistants, by the Model Context Protocol over standard input and output.
import { type Command, Option } from "commander";
import { type ConnectionOptions, senderFor, withConnection } from "../api/connection.ts";
import { told } from "../api/send.ts";
import { ProblemError } from "../client/errors.ts";
import { type CommonOptions, newCommand, say, withExamples } from "../command.ts";
import { Requests } from "./requests.ts";

const FORBIDDEN = 403;
const WRONG = 422;

interface McpOptions extends CommonOptions, ConnectionOptions {
  readonly allowWrites?: boolean;
  readonly confirm: "person" | "tool";
}

/** Declares the command. */
export function mcpCommand(): Command {
  const command = withConnection(
    newCommand("mcp", "Serve an assistant by the Model Context Protocol on standard input and output."),
  )
    .option("--data-dir <folder>", "no effect: this needs no data")
    .option("--json", "no effect: standard output has JSON-RPC alone")
    .option("--allow-writes", "offer changes, each proposed first and confirmed by the person (needs an EDITOR key)")
    .addOption(
      new Option("--confirm <who>", "who confirms a change: the person, whom the client asks, or the tool's call alone")
        .choices(["person", "tool"])
        .default("person"),
    );
  withExamples(
    command,
    "captable mcp --server https://cap.example.com --key-file viewer.key",
    "captable mcp --profile acme --allow-writes",
  );
  return command.action(run);
}

async function run(options: McpOptions): Promise<void> {
  const requests = new Requests(senderFor(options));
  const [{ serve }, mayWrite] = await Promise.all([import("./serve.ts"), told(() => mayWriteWith(requests))]);
  const { allowWrites: writes = false, confirm } = options;
  if (writes && !mayWrite) say("the key may only read: no changes are offered");
  await serve({ requests, mayWrite, writes: writes && mayWrite, confirm, onAnswer: giveBackMemory });
}

/** An assistant asks seldom and keeps the program for days: what an answer took is given back behind it. */
function giveBackMemory(): void {
  setTimeout(() => Bun.gc(true), 0);
}

/** Whether the key may write: asked by a batch of no operations, which changes nothing. */
async function mayWriteWith(requests: Requests): Promise<boolean> {
  try {
    await requests.ask("/api/v1/batch", { operations: [] });
  } catch (failure) {
    if (failure instanceof ProblemError && failure.status === WRONG) return true;
    if (failure instanceof ProblemError && failure.status === FORBIDDEN) return false;
    throw failure;
  }
  return true;
}
