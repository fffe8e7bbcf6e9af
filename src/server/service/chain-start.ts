// The checks of the chain before serving: settings that contradict each other or the data directory stop the program; a
// node that does not answer does not, since jobs can wait.
import { statSync } from "node:fs";
import { KeyFileError } from "../../kernel/files/private-file.ts";
import type { Runtime } from "../../kernel/runtime.ts";
import { DataDamagedError } from "../../storage/data-dir/damage.ts";
import { DataDirectoryError } from "../../storage/data-dir/directory.ts";
import type { Reader, Tx } from "../../storage/database/sql.ts";
import { ChainError, EMBEDDED_CHAIN_ID } from "../../tokens/chain/port.ts";
import { type ChainSettings, chainSource } from "../../tokens/chain/source.ts";
import { findBinding } from "../../tokens/jobs/session.ts";
import { findTokenInUse, turnOff, turnOn } from "../../tokens/jobs/switch.ts";
import { type Config, SettingError, wrongSetting } from "../config.ts";

const ANSWER_MS_MAX = 3000;
const ANSWER_BYTES_MAX = 2 ** 20;
/** A chain id on which every readable key is accepted: the chain is known once the node answers. */
const ANY_KEY_CHAIN = EMBEDDED_CHAIN_ID;

/** The chain's part of the configuration. */
function chainSettings(config: Config): ChainSettings {
  return {
    dataDir: config.dataDir,
    rpcUrl: config.chainRpcUrl,
    keyFile: config.chainKeyFile,
    passwordFile: config.chainKeyPasswordFile,
    confirmations: config.chainConfirmations,
  };
}

/** The configured chain. Throws {@link SettingError} if it cannot be the data directory's. */
export function configuredChain(config: Config, db: Reader) {
  const { chainRpcUrl: rpcUrl, chainKeyFile: keyFile, chainId: wanted } = config;
  const bound = boundChain(db);
  if (rpcUrl !== null && keyFile === null) {
    throw new SettingError(
      "CAPTABLE_CHAIN_RPC_URL is set, but CAPTABLE_CHAIN_KEY_FILE is not: it needs the operator's key.",
    );
  }
  if (rpcUrl === null && wanted !== null && wanted !== EMBEDDED_CHAIN_ID) {
    throw new SettingError(
      `CAPTABLE_CHAIN_ID is ${wanted}, but without CAPTABLE_CHAIN_RPC_URL it is the embedded chain's ${EMBEDDED_CHAIN_ID}.`,
    );
  }
  if (bound !== null) refuseOther(bound, rpcUrl === null ? EMBEDDED_CHAIN_ID : wanted);
  return chainSource(chainSettings(config));
}

/** The id of the chain that the data directory belongs to, or null. Throws {@link DataDamagedError}. */
function boundChain(db: Reader): number | null {
  try {
    return findBinding(db)?.chainId ?? null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DataDamagedError(
      "the database's record of its chain cannot be read: keep a copy of the data directory and restore the " +
        "newest backup with captable restore FILE --force",
    );
  }
}

/**
 * Turns the chain on or off, as the settings say. Throws {@link DataDirectoryError} if it is to be off and a class has
 * a token, or soon will: the token would no longer follow the ledger.
 */
export function turnChain(tx: Tx, runtime: Runtime, { chain }: Config): void {
  if (chain === "on") {
    turnOn(tx);
    return;
  }
  const inUse = findTokenInUse(tx);
  if (inUse === null) {
    turnOff(tx, runtime);
    return;
  }
  const { name, id, tokenizationStatus } = inUse;
  throw new DataDirectoryError(
    `CAPTABLE_CHAIN is off, but the share class ${name} (${id}) has a token or is getting one (${tokenizationStatus}), ` +
      "which would no longer follow the ledger: start without CAPTABLE_CHAIN=off. The chain can be off only where no " +
      "class has a token",
  );
}

/** The configured chain, checked before serving; see {@link checkConfiguredChain}. */
export async function usableChain(config: Config, db: Reader) {
  refuseMissingFiles(config);
  const source = configuredChain(config, db);
  await checkConfiguredChain(config, db, source);
  return source;
}

function refuseMissingFiles(config: Config): void {
  for (const name of ["chainKeyFile", "chainKeyPasswordFile"] as const) {
    const path = config[name];
    if (path === null || statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    throw wrongSetting(name, path, "an existing file");
  }
}

/**
 * Checks what the start can check: the key file, and the chain's id if the node answers within 3 s. Throws {@link
 * SettingError}.
 */
async function checkConfiguredChain(
  config: Config,
  db: Reader,
  source: ReturnType<typeof configuredChain>,
): Promise<void> {
  const { chainRpcUrl: url, chainId: wanted } = config;
  if (url === null) return;
  const answered = await askForChainId(url);
  if (answered !== null) {
    const expected = wanted ?? findBinding(db)?.chainId ?? answered;
    if (wanted !== null && answered !== wanted) {
      throw new SettingError(`CAPTABLE_CHAIN_ID is ${wanted}, but the node serves chain ${answered}.`);
    }
    refuseOther(expected, answered);
  }
  try {
    await source.loadKey(answered ?? wanted ?? findBinding(db)?.chainId ?? ANY_KEY_CHAIN);
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    const isPassword = config.chainKeyPasswordFile !== null && error.message.startsWith(config.chainKeyPasswordFile);
    const name = `CAPTABLE_CHAIN_KEY_${isPassword ? "PASSWORD_" : ""}FILE`;
    throw new SettingError(`${name}: ${error.message}; allowed is a good file that its owner alone can read.`);
  }
}

async function askForChainId(url: string): Promise<number | null> {
  const { rpcChain } = await import("../../tokens/chain/rpc.ts");
  try {
    const chain = rpcChain({ url, timeoutMs: ANSWER_MS_MAX, answerBytesMax: ANSWER_BYTES_MAX });
    return (await chain.identity()).chainId;
  } catch (error) {
    if (error instanceof ChainError) return null;
    throw error;
  }
}

function refuseOther(bound: number, other: number | null): void {
  if (other === null || other === bound) return;
  throw new SettingError(
    `this data directory belongs to chain ${bound} and the settings lead to chain ${other}: use another data directory`,
  );
}
