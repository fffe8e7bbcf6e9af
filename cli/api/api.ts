// captable api: whatever speaks to a server. Its commands are made from the route table.
import type { Command } from "commander";
import { newCommand, withExamples } from "../command.ts";
import { anyRequestCommands, METHODS } from "./any-request.ts";
import type { ApiCommand } from "./api-command.ts";
import { readCommands } from "./command-table.ts";
import { followCommand } from "./follow.ts";
import { withRoom } from "./help.ts";
import { profileCommand } from "./profile-commands.ts";
import { routeCommand } from "./route-command.ts";

const METHOD_NAMES: readonly string[] = METHODS;

/** Declares `captable api`: with the commands that begin with `word`, with all where none does, with none for null. */
export async function apiCommand(word?: string | null): Promise<Command> {
  const api = withRoom(newCommand("api", "Speak to a server: every operation of its API.")).enablePositionalOptions();
  withExamples(
    api,
    "captable api profile add acme --server https://cap.example.com \\",
    "  --key-file acme.key --default",
    "captable api stakeholders list --status CURRENT",
    "captable api stakeholders create --display-name Ada --type INDIVIDUAL \\",
    '  --name.legal-name "Ada King"',
    "captable api transactions issue-shares --help",
    "captable api events follow --state cursor",
  );
  if (word === null) return api;
  const isOther = word !== undefined && (METHOD_NAMES.includes(word) || word === "profile");
  const all = isOther ? [] : await readCommands();
  const begun = all.filter(({ words }) => words[0] === word);
  const isAll = begun.length === 0 && !isOther;
  grow(api, isAll ? all : begun);
  if (isAll || METHOD_NAMES.includes(word ?? "")) for (const command of anyRequestCommands()) api.addCommand(command);
  if (isAll || word === "profile") api.addCommand(profileCommand());
  return api;
}

/** Adds commands below one, by their words from `depth` on. */
function grow(parent: Command, entries: readonly ApiCommand[], depth = 0): void {
  for (const [name, below] of Map.groupBy(entries, ({ words }) => words[depth] ?? "")) {
    const own = below.find(({ words }) => words.length === depth + 1);
    const inner = below.filter((entry) => entry !== own);
    const isFollowed = depth === 0 && name === "events";
    const names = [...new Set(inner.map(({ words }) => words[depth + 1])), ...(isFollowed ? ["follow"] : [])];
    const command =
      own === undefined
        ? withRoom(newCommand(name, `${names.join(", ")}.`)).enablePositionalOptions()
        : routeCommand(own);
    grow(command, inner, depth + 1);
    if (isFollowed) command.addCommand(followCommand());
    parent.addCommand(command);
  }
}
