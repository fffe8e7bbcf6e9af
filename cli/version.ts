// captable version.
import type { Command } from "commander";
import { migrations } from "../migrations/index.ts";
import { VERSION } from "../src/version.ts";
import { type CommonOptions, newCommand, print, withExamples, withoutDataDir } from "./command.ts";

/** Declares `captable version`. */
export function versionCommand(): Command {
  const command = withoutDataDir(newCommand("version", "Print the version."));
  withExamples(command, "captable version --json");
  return command.action((options: CommonOptions) => {
    const schema = Object.keys(migrations).at(-1) ?? null;
    const shown = { version: VERSION, schema, bun: Bun.version, platform: `${process.platform}-${process.arch}` };
    print(options, shown, `captable ${VERSION} (schema ${schema}, Bun ${Bun.version}, ${shown.platform})`);
  });
}
