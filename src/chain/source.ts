// Which chain a data directory uses, by its settings: the composition root hands it to the background work.
import { existsSync } from "node:fs";
import { openEmbeddedChain } from "./embedded/open.ts";
import { embeddedKeyFile, embeddedOperator, loadOperator, type Operator } from "./keys.ts";
import { ChainError } from "./port.ts";
import { KeyFileError } from "./private-file.ts";
import { rpcChain } from "./rpc.ts";
import { openWalletSeed } from "./wallets.ts";

/** Where the chain and its keys are. */
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
/** Single operations that go in one transaction: few on the embedded chain, which should never be busy for long. */
const BATCH = { embedded: 20, rpc: 100 } as const;

/** What the background work needs of the outside, for these settings. */
export function chainSource(settings: ChainSettings) {
  const { dataDir, rpcUrl, keyFile, passwordFile, confirmations } = settings;
  const loaded = new Map<number, Operator>();
  /** The node's operator for a chain id, read once: a keystore takes a second. Throws `KeyFileError`. */
  const loadKey = (chainId: number): Operator | null => {
    if (rpcUrl === null || keyFile === null) return null;
    const operator = loaded.get(chainId) ?? loadOperator(keyFile, passwordFile, chainId);
    loaded.set(chainId, operator);
    return operator;
  };
  return {
    loadKey,
    confirmations,
    batchMax: rpcUrl === null ? BATCH.embedded : BATCH.rpc,
    async openChain() {
      if (rpcUrl === null) return openEmbeddedChain(dataDir);
      return rpcChain({ url: rpcUrl, timeoutMs: RPC_TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX });
    },
    async openOperator({ chainId }: { readonly chainId: number }, isBound: boolean) {
      const known = waitingForKey(() => loadKey(chainId));
      if (known) return known;
      const file = embeddedKeyFile(dataDir);
      if (isBound && !existsSync(file)) {
        throw new ChainError("not-issuer", `the key that the tokens obey is missing: put it back at ${file}`);
      }
      return waitingForKey(() => embeddedOperator(dataDir));
    },
    openWallets: () => waitingForKey(() => openWalletSeed(dataDir).xpub),
  };
}

/** Whoever looks after the service can put a key file right: until then the chain has to wait. */
function waitingForKey<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof KeyFileError) throw new ChainError("not-issuer", error.message);
    throw error;
  }
}
