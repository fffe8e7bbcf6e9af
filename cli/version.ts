// captable version.
import type { Command } from "commander";
import { migrations } from "../migrations/index.ts";
import { VERSION } from "../src/version.ts";
import { newCommand, print, withExamples } from "./command.ts";

/** Declares `captable version`. */
export function versionCommand(): Command {
  const command = newCommand("version", "Print the version.").option("--json", "print one JSON document");
  withExamples(command, "captable version --json");
  return command.action((options: { json?: boolean }) => {
    const schema = Object.keys(migrations).at(-1) ?? null;
    const shown = { version: VERSION, schema, bun: Bun.version, platform: `${process.platform}-${process.arch}` };
    print(options, shown, `captable ${VERSION} (schema ${schema}, Bun ${Bun.version}, ${shown.platform})`);
  });
}
