// captable completion: shell completions of commands and options, made from the commands themselves.
import { Argument, type Command } from "commander";
import { type CommonOptions, newCommand, printText, withExamples, withoutDataDir } from "../command.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** A command as a shell sees it: the words that lead to it, and what may follow. */
interface Place {
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly { readonly name: string; readonly summary: string }[];
}

/** Declares `captable completion`; it completes what `program` holds when it runs. */
export function completionCommand(program: Command): Command {
  const command = withoutDataDir(newCommand("completion", "Print a script that completes commands in your shell."));
  command.addArgument(new Argument("<shell>", "your shell").choices(SHELLS));
  withExamples(
    command,
    "captable completion bash > /etc/bash_completion.d/captable",
    'captable completion zsh > "$' + '{fpath[1]}/_captable"',
    "captable completion fish > ~/.config/fish/completions/captable.fish",
  );
  return command.action((shell: Shell, options: CommonOptions) => {
    const script = WRITERS[shell](listPlaces(program, []));
    printText(options, { shell, script }, script);
  });
}

function listPlaces(command: Command, path: readonly string[]): Place[] {
  const own: Place = {
    path,
    commands: command.commands.map((child) => ({ name: child.name(), summary: child.description() })),
    options: [
      ...command.options.map((option) => ({ name: option.long ?? option.flags, summary: option.description })),
      { name: "--help", summary: "show help" },
    ],
  };
  return [own, ...command.commands.flatMap((child) => listPlaces(child, [...path, child.name()]))];
}

const WRITERS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = { bash, zsh, fish };

function words({ commands, options }: Place): string {
  return [...commands, ...options].map(({ name }) => name).join(" ");
}

/** The lines that follow the words typed so far as far as they are commands, into `at`. */
function walk(places: readonly Place[]): string {
  return places
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `      "${[...path.slice(0, -1), ""].join(" ")}${path.at(-1)}") at="$at$word " ;;`)
    .join("\n");
}

function bash(places: readonly Place[]): string {
  const cases = places.map(
    (place) => `    "${place.path.map((word) => `${word} `).join("")}") words="${words(place)}" ;;`,
  );
  return `# captable for bash
_captable() {
  local at="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at$word" in
${walk(places)}
    esac
  done
  case "$at" in
${cases.join("\n")}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _captable captable
`;
}

function zsh(places: readonly Place[]): string {
  const quote = (text: string) => `'${text.replace(/'/g, "'\\''")}'`;
  const list = (all: Place["commands"]) =>
    all.map(({ name, summary }) => quote(`${name.replace(/:/g, "\\:")}:${summary}`)).join(" ");
  const cases = places.map(
    (place) =>
      `    "${place.path.map((word) => `${word} `).join("")}") found=(${list([...place.commands, ...place.options])}) ;;`,
  );
  return `#compdef captable
_captable() {
  local at="" word
  local -a found
  for word in "\${words[@]:1:CURRENT-2}"; do
    case "$at$word" in
${walk(places)}
    esac
  done
  case "$at" in
${cases.join("\n")}
  esac
  _describe captable found
  _files
}
compdef _captable captable
`;
}

function fish(places: readonly Place[]): string {
  const quote = (text: string) => `'${text.replace(/\\/g, "\\\\").replace(/'/g, "\\'")}'`;
  const lines = places.flatMap(({ path, commands, options }) => {
    const others = commands.map(({ name }) => name).join(" ");
    const inside = path.map((word) => `__fish_seen_subcommand_from ${word}`);
    const open = others === "" ? [] : [`not __fish_seen_subcommand_from ${others}`];
    const condition = [...inside, ...open].join("; and ");
    const when = condition === "" ? "" : ` -n ${quote(condition)}`;
    return [
      ...commands.map(({ name, summary }) => `complete -c captable -f${when} -a ${name} -d ${quote(summary)}`),
      ...options.map(({ name, summary }) => `complete -c captable${when} -l ${name.slice(2)} -d ${quote(summary)}`),
    ];
  });
  return `# captable for fish\n${lines.join("\n")}\n`;
}
