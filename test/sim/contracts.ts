// The two contracts as a model: what a transaction does to the state of a chain, and what views answer. Written from
// ShareToken.sol and ShareTokenFactory.sol; states are values, so that a block can keep its own.
import {
  decodeFunctionData,
  encodeFunctionResult,
  getAddress,
  getContractAddress,
  keccak256,
  toEventSelector,
} from "viem";
import type { Address } from "../../src/kernel/text/wallet-address.ts";
import { ChainError, type Hex, type Log } from "../../src/tokens/chain/port.ts";
import { shareTokenAbi, shareTokenFactoryAbi } from "../../src/tokens/chain/token/abi.ts";
import tokenArtifact from "../../src/tokens/chain/token/ShareToken.json" with { type: "json" };

/** One share class's token. */
export interface Token {
  readonly authorized: bigint;
  readonly supply: bigint;
  readonly balances: ReadonlyMap<Address, bigint>;
  readonly keys: ReadonlySet<Hex>;
}

/** Everything on the chain: one sender, its factories, their tokens. */
export interface State {
  readonly nonce: number;
  readonly factories: ReadonlySet<Address>;
  readonly tokens: ReadonlyMap<Address, Token>;
}

/** What a transaction came to. */
export interface Effect {
  readonly state: State;
  readonly logs: readonly Log[];
  readonly contractAddress: Address | null;
}

export const EMPTY_STATE: State = { nonce: 0, factories: new Set(), tokens: new Map() };

const NO_TOKEN: Token = { authorized: 0n, supply: 0n, balances: new Map(), keys: new Set() };
const TOPICS = new Map(
  [...shareTokenAbi, ...shareTokenFactoryAbi].flatMap((item) =>
    item.type === "event" ? [[item.name as string, toEventSelector(item)] as const] : [],
  ),
);

/** Where a factory puts the token of a class. */
function tokenOf(factory: Address, digest: Hex): Address {
  return getAddress(`0x${keccak256(`${factory}${digest.slice(2)}` as Hex).slice(-40)}`);
}

/** Carries a call out. Throws what the contract refuses. */
export function execute(state: State, from: Address, to: Address | null, data: Hex): Effect {
  if (to === null) {
    const contractAddress = getContractAddress({ from, nonce: BigInt(state.nonce) });
    return {
      state: { ...state, factories: new Set([...state.factories, contractAddress]) },
      logs: [],
      contractAddress,
    };
  }
  if (state.factories.has(to)) return deploy(state, to, data);
  const token = state.tokens.get(to);
  // A call to an address without code succeeds, and does nothing.
  if (!token) return { state, logs: [], contractAddress: null };
  const { token: after, events } = operate(token, data);
  const logs = events.map(([name, key]) => ({
    address: to,
    topics: [TOPICS.get(name) as Hex, key],
    data: "0x" as Hex,
  }));
  return { state: { ...state, tokens: new Map(state.tokens).set(to, after) }, logs, contractAddress: null };
}

function deploy(state: State, factory: Address, data: Hex): Effect {
  const call = decodeFunctionData({ abi: shareTokenFactoryAbi, data });
  if (call.functionName !== "deploy") throw new ChainError("reverted", "the factory has no such function");
  const [digest, , , authorized] = call.args;
  const address = tokenOf(factory, digest);
  if (state.tokens.has(address)) return { state, logs: [], contractAddress: null };
  const tokens = new Map(state.tokens).set(address, { ...NO_TOKEN, authorized });
  const logs = [{ address: factory, topics: [TOPICS.get("Deployed") as Hex, digest], data: "0x" as Hex }];
  return { state: { ...state, tokens }, logs, contractAddress: null };
}

type Done = { readonly token: Token; readonly events: readonly (readonly [name: string, key: Hex])[] };

function operate(token: Token, data: Hex): Done {
  const call = decodeFunctionData({ abi: shareTokenAbi, data });
  switch (call.functionName) {
    case "issue":
    case "cancel": {
      const [key, holder, amount] = call.args;
      return change(token, call.functionName === "issue" ? 1n : -1n, [key], [holder], [amount], true);
    }
    case "issueBatch":
    case "cancelBatch": {
      const [keys, holders, amounts] = call.args;
      return change(token, call.functionName === "issueBatch" ? 1n : -1n, keys, holders, amounts, false);
    }
    case "controllerTransfer": {
      const [key, from, to, amount] = call.args;
      const used = use(token, key);
      const balances = add(add(used.balances, from, -amount), to, amount);
      return { token: { ...used, balances }, events: [["Moved", key]] };
    }
    case "setAuthorized": {
      const [key, authorized] = call.args;
      if (authorized < token.supply) throw new ChainError("reverted", "more shares exist than the new limit");
      return { token: { ...use(token, key), authorized }, events: [["AuthorizedSet", key]] };
    }
    default:
      throw new ChainError("reverted", `the token has no ${call.functionName}`);
  }
}

function change(
  token: Token,
  sign: bigint,
  keys: readonly Hex[],
  holders: readonly Address[],
  amounts: readonly bigint[],
  isSingle: boolean,
): Done {
  const events: [string, Hex][] = [];
  let after = token;
  for (const [index, key] of keys.entries()) {
    if (!isSingle && after.keys.has(key)) continue;
    const amount = sign * (amounts[index] as bigint);
    const used = use(after, key);
    after = { ...used, supply: used.supply + amount, balances: add(used.balances, holders[index] as Address, amount) };
    if (amount > 0n && after.supply > after.authorized) {
      throw new ChainError("reverted", `${after.supply} would exist, more than ${after.authorized}`);
    }
    events.push([sign > 0n ? "Issued" : "Cancelled", key]);
  }
  return { token: after, events };
}

function use(token: Token, key: Hex): Token {
  if (token.keys.has(key)) throw new ChainError("key-used", "the operation was carried out before");
  return { ...token, keys: new Set([...token.keys, key]) };
}

function add(balances: ReadonlyMap<Address, bigint>, given: Address, amount: bigint): ReadonlyMap<Address, bigint> {
  const holder = getAddress(given);
  const balance = (balances.get(holder) ?? 0n) + amount;
  if (balance < 0n) throw new ChainError("reverted", `the holder ${holder} lacks ${-balance}`);
  return new Map(balances).set(holder, balance);
}

/** Answers a view. Throws `no-contract` where nothing is. */
export function view(state: State, to: Address, data: Hex): Hex {
  if (state.factories.has(to)) {
    const { args } = decodeFunctionData({ abi: shareTokenFactoryAbi, data });
    const result = tokenOf(to, args?.[0] as Hex);
    return encodeFunctionResult({ abi: shareTokenFactoryAbi, functionName: "tokenOf", result });
  }
  const token = state.tokens.get(to);
  if (!token) throw new ChainError("no-contract", "there is no token contract at this address");
  const abi = shareTokenAbi;
  const call = decodeFunctionData({ abi, data });
  switch (call.functionName) {
    case "totalSupply":
      return encodeFunctionResult({ abi, functionName: "totalSupply", result: token.supply });
    case "authorized":
      return encodeFunctionResult({ abi, functionName: "authorized", result: token.authorized });
    case "balancesOf": {
      const result = call.args[0].map((holder) => token.balances.get(getAddress(holder)) ?? 0n);
      return encodeFunctionResult({ abi, functionName: "balancesOf", result });
    }
    case "processedMany": {
      const result = call.args[0].map((key) => token.keys.has(key));
      return encodeFunctionResult({ abi, functionName: "processedMany", result });
    }
    default:
      throw new ChainError("reverted", `the token has no view ${call.functionName}`);
  }
}

/** The code at an address; of the tokens' implementation the real one, by which a factory is recognized. */
export function codeAt(state: State, address: Address): Hex | null {
  if (state.tokens.has(address)) return "0x01";
  if (state.factories.has(address)) return "0x02";
  const isOurs = [...state.factories].some((factory) => getContractAddress({ from: factory, nonce: 1n }) === address);
  return isOurs ? (tokenArtifact.deployedBytecode as Hex) : null;
}
