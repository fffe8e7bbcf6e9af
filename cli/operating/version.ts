// captable version: prints the program's version, its build and the signing key.
import type { Command } from "commander";
import { migrations } from "../../migrations/index.ts";
import { VERSION } from "../../src/kernel/version.ts";
import { type CommonOptions, configOf, newCommand, print, withDataDir, withExamples } from "../command.ts";

/** Declares `captable version`. */
export function versionCommand(): Command {
  const command = newCommand("version", "Print the version; with --json the data directory's public key too.");
  withExamples(withDataDir(command), "captable version --json");
  return command.action(async (options: CommonOptions) => {
    const schema = Object.keys(migrations).at(-1) ?? null;
    const shown = { version: VERSION, schema, bun: Bun.version, platform: `${process.platform}-${process.arch}` };
    const signingKey = options.json ? await findPublicKey(options) : null;
    const text = `captable ${VERSION} (schema ${schema}, Bun ${Bun.version}, ${shown.platform})`;
    print(options, { ...shown, signingKey }, text);
  });
}

/** The public half of the data directory's key; null where it has none yet. */
async function findPublicKey(options: CommonOptions): Promise<string | null> {
  const { findSigningKey, verifierOf } = await import("../../src/safekeeping/checkpoint/signing-key.ts");
  const signer = findSigningKey(configOf(options).dataDir);
  return signer && verifierOf(signer);
}
