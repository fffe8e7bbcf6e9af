// captable api events follow: events as they happen, a JSON line each, with the place kept in a file.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { type EventsOptions, eventsOf } from "../client/events.ts";
import { CommandError, type CommonOptions, newCommand, withExamples, withoutDataDir } from "../command.ts";
import { writeToStandardOutput } from "../standard-output.ts";
import { type ConnectionOptions, senderFor, withConnection } from "./connection.ts";
import { orProblem, told } from "./send.ts";

const CURSOR = /^[A-Za-z0-9_-]{1,500}$/;

interface FollowOptions extends CommonOptions, ConnectionOptions {
  readonly types?: string;
  readonly after?: string;
  readonly state?: string;
}

/** Declares the command. */
export function followCommand(): Command {
  const command = withoutDataDir(withConnection(newCommand("follow", "Print events as they happen, a JSON line each.")))
    .option("--types <types>", "only these, with commas between them: security.updated, security.*")
    .option("--after <cursor>", "begin behind this cursor; without one, with what happens from now on")
    .option("--state <file>", "keep the cursor in this file, and begin behind the one that is in it");
  withExamples(
    command,
    "captable api events follow --types 'transaction.*' --state cursor",
    "captable api events follow | jq .type",
  );
  return command.action((options: FollowOptions) => orProblem(options.json === true, () => follow(options)));
}

async function follow({ types, after, state, ...options }: FollowOptions): Promise<void> {
  const begin = state === undefined ? after : (readState(state) ?? after);
  const sender = senderFor(options);
  const ending = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => ending.abort(ENDED));
  const asked: EventsOptions = {
    signal: ending.signal,
    ...(begin === undefined ? {} : { after: begin }),
    ...(types === undefined ? {} : { types: types.split(",") as NonNullable<EventsOptions["types"]> }),
  };
  try {
    await told(async () => {
      for await (const event of eventsOf(sender, asked)) {
        // The place is kept behind what has been taken: after a kill the last event may come again, and none is left out.
        await writeToStandardOutput([new TextEncoder().encode(`${JSON.stringify(event)}\n`)]);
        if (state !== undefined) writeState(state, event.cursor);
      }
    });
  } catch (failure) {
    if (failure !== ENDED) throw failure;
  }
}

/** The reason of an end that was asked for. */
const ENDED = new Error("ended");

/** The cursor in a file; undefined for none. Exit 2 where the file has something else. */
function readState(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8").trim();
  if (text === "") return undefined;
  if (!CURSOR.test(text)) throw new CommandError(`--state: ${file} has no cursor in it`, 2);
  return text;
}

/** The file has the one cursor or the other, whenever the program ends. */
function writeState(file: string, cursor: string): void {
  const draft = `${file}.new`;
  writeFileSync(draft, `${cursor}\n`);
  renameSync(draft, file);
}
