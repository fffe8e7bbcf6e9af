// File names of the embedded chain in a data directory. Names only: backup, restore and the start checks need no more.
import { join } from "node:path";

/** The embedded chain, one SQLite file. */
export function embeddedChainFile(dataDir: string): string {
  return join(dataDir, "chain.db");
}

/** The key of the embedded chain's operator. */
export function embeddedKeyFile(dataDir: string): string {
  return join(dataDir, "chain-operator.key");
}

/** The seed phrase of the holders' wallets. */
export function walletSeedFile(dataDir: string): string {
  return join(dataDir, "wallet-seed");
}
