// Chain selection: the chain of a data directory by its settings, which the composition root gives to the background
// work. Chain code is loaded on first use: many services never have a token, and every one should start at once.
import { existsSync } from "node:fs";
import { UnsafeFileError } from "../../kernel/files/ownership.ts";
import { KeyFileError } from "../../kernel/files/private-file.ts";
import { embeddedKeyFile } from "../../storage/data-dir/chain-files.ts";
import type { Operator } from "./keys.ts";
import { ChainError } from "./port.ts";

/** The settings of the chain and its keys. */
export interface ChainSettings {
  readonly dataDir: string;
  /** Null: the embedded development chain. */
  readonly rpcUrl: string | null;
  readonly keyFile: string | null;
  readonly passwordFile: string | null;
  readonly confirmations: number;
}

const RPC_TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 16 * 2 ** 20;
/** The most single operations in one transaction: few on the embedded chain, which should never be busy for long. */
const BATCH = { embedded: 20, rpc: 100 } as const;

/** The background work's access to chain and keys, for these settings. */
export function chainSource(settings: ChainSettings) {
  const { dataDir, rpcUrl, keyFile, passwordFile, confirmations } = settings;
  const loaded = new Map<number, Operator>();
  /** The node's operator for a chain id, read once: a keystore takes a second. Throws `KeyFileError`. */
  const loadKey = async (chainId: number): Promise<Operator | null> => {
    if (rpcUrl === null || keyFile === null) return null;
    const { loadOperator } = await import("./keys.ts");
    const operator = loaded.get(chainId) ?? loadOperator(keyFile, passwordFile, chainId);
    loaded.set(chainId, operator);
    return operator;
  };
  return {
    loadKey,
    confirmations,
    batchMax: rpcUrl === null ? BATCH.embedded : BATCH.rpc,
    async openChain() {
      if (rpcUrl === null) {
        const { openEmbeddedChain } = await import("./embedded/open.ts");
        return openEmbeddedChain(dataDir);
      }
      const { rpcChain } = await import("./rpc.ts");
      return rpcChain({ url: rpcUrl, timeoutMs: RPC_TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX });
    },
    async openOperator({ chainId }: { readonly chainId: number }, isBound: boolean) {
      const known = await waitingForKey(() => loadKey(chainId));
      if (known) return known;
      const file = embeddedKeyFile(dataDir);
      if (isBound && !existsSync(file)) {
        throw new ChainError("not-issuer", `the key that the tokens obey is missing: put it back at ${file}`);
      }
      const { embeddedOperator } = await import("./keys.ts");
      return waitingForKey(() => embeddedOperator(dataDir));
    },
    async openWallets() {
      const { openWalletSeed } = await import("./wallets.ts");
      return waitingForKey(() => openWalletSeed(dataDir).xpub);
    },
  };
}

/** An operator can correct a key file: until then the chain has to wait. */
async function waitingForKey<T>(open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof KeyFileError || error instanceof UnsafeFileError)
      throw new ChainError("not-issuer", error.message);
    throw error;
  }
}
