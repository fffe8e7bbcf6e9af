// Token calls: operations as data, their keys, the encoded calls, and the effects that a receipt proves. Sending is up
// to the jobs.
import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  toEventSelector,
} from "viem";
import type { Address } from "../../../kernel/text/wallet-address.ts";
import { type BlockRef, type Chain, ChainError, type Hex, type Receipt } from "../port.ts";
import { shareTokenAbi, shareTokenFactoryAbi } from "./abi.ts";
import tokenArtifact from "./ShareToken.json" with { type: "json" };
import factoryArtifact from "./ShareTokenFactory.json" with { type: "json" };

/** The token's limit for a share class without one. */
export const NO_LIMIT = 2n ** 256n - 1n;

/** An operation of the issuer on one holder, under its own key. `amount` counts 10^-10 shares, as the ledger does. */
export interface HolderEntry {
  readonly key: Hex;
  readonly holder: Address;
  readonly amount: bigint;
}

/** The issuer's operations on a token. A split is an `issue` (or `cancel`) of the difference for each holder. */
export type TokenOperation =
  /** A single entry fails as a whole if its key is used; of several, those with used keys are skipped. */
  | { readonly kind: "issue" | "cancel"; readonly entries: readonly HolderEntry[] }
  | {
      readonly kind: "transfer";
      readonly key: Hex;
      readonly from: Address;
      readonly to: Address;
      readonly amount: bigint;
    }
  /** `authorized` counts 10^-10 shares, or is {@link NO_LIMIT}. */
  | { readonly kind: "setAuthorized"; readonly key: Hex; readonly authorized: bigint };

/** The key of one effect of a ledger entry: derived from the effect's source, and usable once on chain. */
export function operationKey(organizationId: string, entryId: string, effect: number): Hex {
  return digest(organizationId, entryId, String(effect));
}

/** The digest from which the factory derives the address of a share class's token. */
export function classDigest(organizationId: string, shareClassId: string): Hex {
  return digest(organizationId, shareClassId);
}

/** The call to a token for `operation`. */
export function encodeOperation(operation: TokenOperation): Hex {
  if (operation.kind === "transfer") {
    const { key, from, to, amount } = operation;
    return encodeFunctionData({
      abi: shareTokenAbi,
      functionName: "controllerTransfer",
      args: [key, from, to, amount],
    });
  }
  if (operation.kind === "setAuthorized") {
    const { key, authorized } = operation;
    return encodeFunctionData({ abi: shareTokenAbi, functionName: "setAuthorized", args: [key, authorized] });
  }
  const { kind, entries } = operation;
  const [only] = entries;
  if (only && entries.length === 1) {
    const args = [only.key, only.holder, only.amount] as const;
    return encodeFunctionData({ abi: shareTokenAbi, functionName: kind, args });
  }
  const args = [entries.map((e) => e.key), entries.map((e) => e.holder), entries.map((e) => e.amount)] as const;
  return encodeFunctionData({ abi: shareTokenAbi, functionName: `${kind}Batch`, args });
}

/**
 * The transaction that creates the factory, sent without a recipient; its sender becomes the factory's owner and the
 * issuer of all tokens.
 */
export const FACTORY_CREATION = factoryArtifact.bytecode as Hex;

/** The call to the factory for a share class's token. It has no effect if the token exists. */
export function encodeDeploy(shareClass: Hex, name: string, symbol: string, authorized: bigint): Hex {
  const args = [shareClass, name, symbol, authorized] as const;
  return encodeFunctionData({ abi: shareTokenFactoryAbi, functionName: "deploy", args });
}

/** The address at which the factory has, or will create, the token of a share class. */
export async function tokenAddress(chain: Chain, factory: Address, shareClass: Hex, at: BlockRef): Promise<Address> {
  const data = encodeFunctionData({ abi: shareTokenFactoryAbi, functionName: "tokenOf", args: [shareClass] });
  const result = await chain.read(factory, data, at);
  return checkedResult(() =>
    decodeFunctionResult({ abi: shareTokenFactoryAbi, functionName: "tokenOf", data: result }),
  );
}

/**
 * Finds a factory that `operator` made before, for a ledger restored from an older backup that does not know it: among
 * the contracts of its first transactions. Null if it finds no factory.
 */
export async function findFactory(chain: Chain, operator: Address, at: BlockRef): Promise<Address | null> {
  const end = Math.min(await chain.nonce(operator, at), FACTORY_NONCES_SEARCHED);
  for (let nonce = 0; nonce < end; nonce++) {
    const candidate = getContractAddress({ from: operator, nonce: BigInt(nonce) });
    const implementation = getContractAddress({ from: candidate, nonce: 1n });
    if ((await chain.code(implementation, at)) === tokenArtifact.deployedBytecode) return candidate;
  }
  return null;
}
const FACTORY_NONCES_SEARCHED = 16;

/** A token's state, all as of one block. Amounts count 10^-10 shares. */
export interface TokenView {
  totalSupply(): Promise<bigint>;
  /** {@link NO_LIMIT} for a class without a limit. */
  authorized(): Promise<bigint>;
  /** The issuer: the only address that the token obeys. */
  owner(): Promise<Address>;
  /** In the order of `holders`; at most some hundreds at once. */
  balancesOf(holders: readonly Address[]): Promise<readonly bigint[]>;
  /** Whether each key is used, in their order; at most some hundreds at once. */
  processed(keys: readonly Hex[]): Promise<readonly boolean[]>;
}

/** The views of the token at `token`; they reject with `no-contract` if no contract is at that address. */
export function tokenAt(chain: Chain, token: Address, at: BlockRef): TokenView {
  const ask = async <T>(call: Hex, decode: (data: Hex) => T): Promise<T> => {
    const data = await chain.read(token, call, at);
    return checkedResult(() => decode(data));
  };
  const abi = shareTokenAbi;
  return {
    totalSupply: () =>
      ask(encodeFunctionData({ abi, functionName: "totalSupply" }), (data) =>
        decodeFunctionResult({ abi, functionName: "totalSupply", data }),
      ),
    authorized: () =>
      ask(encodeFunctionData({ abi, functionName: "authorized" }), (data) =>
        decodeFunctionResult({ abi, functionName: "authorized", data }),
      ),
    owner: () =>
      ask(encodeFunctionData({ abi, functionName: "owner" }), (data) =>
        decodeFunctionResult({ abi, functionName: "owner", data }),
      ),
    balancesOf: (holders) =>
      ask(encodeFunctionData({ abi, functionName: "balancesOf", args: [holders] }), (data) =>
        decodeFunctionResult({ abi, functionName: "balancesOf", data }),
      ),
    processed: (keys) =>
      ask(encodeFunctionData({ abi, functionName: "processedMany", args: [keys] }), (data) =>
        decodeFunctionResult({ abi, functionName: "processedMany", data }),
      ),
  };
}

const KEYED_EVENTS = new Set<Hex>(
  [...shareTokenAbi, ...shareTokenFactoryAbi].filter((item) => item.type === "event").map(toEventSelector),
);

/**
 * The keys that a receipt proves as executed, by `contract`'s own events: operation keys for a token, class digests for
 * the factory. A successful receipt alone proves nothing: a call to an address without code succeeds too.
 */
export function keysProven(receipt: Receipt, contract: Address): ReadonlySet<Hex> {
  const keys = new Set<Hex>();
  for (const { address, topics } of receipt.logs) {
    const [event, key] = topics;
    const ours = address.toLowerCase() === contract.toLowerCase();
    if (ours && event && key && KEYED_EVENTS.has(event)) keys.add(key);
  }
  return keys;
}

function digest(...parts: readonly string[]): Hex {
  return keccak256(encodeAbiParameters([{ type: "string[]" }], [parts]));
}

function checkedResult<T>(decode: () => T): T {
  try {
    return decode();
  } catch {
    throw new ChainError("no-contract", "another contract than expected answers at this address");
  }
}
