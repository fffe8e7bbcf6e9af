// What the chain keeps in a data directory. Names only: whoever copies, restores or looks for the files needs no more.
import { join } from "node:path";

/** The embedded chain, one SQLite file. */
export function embeddedChainFile(dataDir: string): string {
  return join(dataDir, "chain.db");
}

/** The key of the embedded chain's operator. */
export function embeddedKeyFile(dataDir: string): string {
  return join(dataDir, "chain-operator.key");
}

/** The words of the holders' seed. */
export function walletSeedFile(dataDir: string): string {
  return join(dataDir, "wallet-seed");
}
