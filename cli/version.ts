// captable version.
import type { Command } from "commander";
import { migrations } from "../migrations/index.ts";
import { findSigningKey, verifierOf } from "../src/checkpoint/signing-key.ts";
import { VERSION } from "../src/version.ts";
import { type CommonOptions, configOf, newCommand, print, withDataDir, withExamples } from "./command.ts";

/** Declares `captable version`. */
export function versionCommand(): Command {
  const command = withDataDir(
    newCommand("version", "Print the version; with --json the data directory's public key too."),
  );
  withExamples(command, "captable version --json");
  return command.action((options: CommonOptions) => {
    const schema = Object.keys(migrations).at(-1) ?? null;
    const shown = { version: VERSION, schema, bun: Bun.version, platform: `${process.platform}-${process.arch}` };
    const signer = options.json ? findSigningKey(configOf(options).dataDir) : null;
    print(
      options,
      { ...shown, signingKey: signer && verifierOf(signer) },
      `captable ${VERSION} (schema ${schema}, Bun ${Bun.version}, ${shown.platform})`,
    );
  });
}
