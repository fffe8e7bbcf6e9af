// Chain state for one transaction: the file's rows, overlaid with the transaction's writes. Writes can be rolled back
// to any checkpoint one by one, so that a call frame costs what it writes, not what the chain holds. There is no Merkle
// trie: this is a local development chain, and its blocks have no state root.
import type { StateManagerInterface } from "@ethereumjs/common";
import { Account, type Address, bytesToUnprefixedHex, KECCAK256_RLP, unprefixedHexToBytes } from "@ethereumjs/util";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { assert } from "../../../kernel/assert.ts";
import type { AccountRow, ChainStore, StateChange } from "./store.ts";

const EMPTY = new Uint8Array(0);
const ADDRESS_DIGITS = 40;

/** A transaction's view of the state, for the EVM. `take` returns the writes and starts a new overlay. */
export class JournaledState implements StateManagerInterface {
  readonly #store: ChainStore;
  readonly #accounts = new Map<string, Account | null>();
  readonly #codes = new Map<string, Uint8Array>();
  readonly #slots = new Map<string, Uint8Array>();
  readonly #wiped = new Map<string, true>();
  #undo: (() => void)[] = [];
  #checkpoints: number[] = [];

  /** A slot's value at the start of the transaction, as the file holds it: gas refunds are computed from it. */
  readonly originalStorageCache = {
    get: async (address: Address, slot: Uint8Array) => this.#store.slot(address.bytes, slot) ?? EMPTY,
    clear: () => {},
  };

  constructor(store: ChainStore) {
    this.#store = store;
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const written = this.#accounts.get(bytesToUnprefixedHex(address.bytes));
    if (written !== undefined) return written === null ? undefined : copy(written);
    const row = this.#store.account(address.bytes);
    return row ? new Account(BigInt(row.nonce), BigInt(row.balance), KECCAK256_RLP, row.code_hash) : undefined;
  }

  /** Stores a copy: the EVM keeps changing the object that it passes. */
  async putAccount(address: Address, account?: Account): Promise<void> {
    this.#set(this.#accounts, bytesToUnprefixedHex(address.bytes), account ? copy(account) : null);
  }

  async deleteAccount(address: Address): Promise<void> {
    this.#set(this.#accounts, bytesToUnprefixedHex(address.bytes), null);
  }

  async modifyAccountFields(address: Address, fields: Partial<Account>): Promise<void> {
    await this.putAccount(address, Object.assign((await this.getAccount(address)) ?? new Account(), fields));
  }

  async getCode(address: Address): Promise<Uint8Array> {
    const account = await this.getAccount(address);
    if (!account?.isContract()) return EMPTY;
    const code = this.#codes.get(bytesToUnprefixedHex(account.codeHash)) ?? this.#store.code(account.codeHash);
    assert(code, "the embedded chain lacks the code of a contract");
    return code;
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    const codeHash = keccak_256(code);
    this.#set(this.#codes, bytesToUnprefixedHex(codeHash), code);
    await this.modifyAccountFields(address, { codeHash });
  }

  async getStorage(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    const owner = bytesToUnprefixedHex(address.bytes);
    const written = this.#slots.get(owner + bytesToUnprefixedHex(slot));
    if (written !== undefined) return written;
    return this.#wiped.has(owner) ? EMPTY : (this.#store.slot(address.bytes, slot) ?? EMPTY);
  }

  async putStorage(address: Address, slot: Uint8Array, value: Uint8Array): Promise<void> {
    const zero = value.every((byte) => byte === 0);
    this.#set(this.#slots, bytesToUnprefixedHex(address.bytes) + bytesToUnprefixedHex(slot), zero ? EMPTY : value);
  }

  async clearStorage(address: Address): Promise<void> {
    const owner = bytesToUnprefixedHex(address.bytes);
    this.#set(this.#wiped, owner, true);
    for (const key of this.#slots.keys()) {
      if (key.startsWith(owner)) this.#set(this.#slots, key, EMPTY);
    }
  }

  async checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#undo.length);
  }

  async commit(): Promise<void> {
    this.#checkpoints.pop();
  }

  async revert(): Promise<void> {
    const length = this.#checkpoints.pop() ?? 0;
    while (this.#undo.length > length) this.#undo.pop()?.();
  }

  /** Returns and clears the writes since the last call, to be stored or dropped. */
  take(): StateChange {
    const change = {
      wipedStorage: [...this.#wiped.keys()].map(unprefixedHexToBytes),
      accounts: [...this.#accounts].map(([key, account]) => [unprefixedHexToBytes(key), toRow(account)] as const),
      codes: [...this.#codes].map(([key, code]) => [unprefixedHexToBytes(key), code] as const),
      slots: [...this.#slots].map(([key, value]) => {
        const [owner, slot] = [key.slice(0, ADDRESS_DIGITS), key.slice(ADDRESS_DIGITS)];
        return [unprefixedHexToBytes(owner), unprefixedHexToBytes(slot), value] as const;
      }),
    };
    for (const written of [this.#accounts, this.#codes, this.#slots, this.#wiped]) written.clear();
    this.#undo = [];
    this.#checkpoints = [];
    return change;
  }

  clearCaches(): void {}

  getStateRoot(): Promise<Uint8Array> {
    return Promise.reject(new Error("the embedded chain has no state root"));
  }

  setStateRoot(): Promise<void> {
    return Promise.reject(new Error("the embedded chain has no state root"));
  }

  async hasStateRoot(): Promise<boolean> {
    return false;
  }

  shallowCopy(): StateManagerInterface {
    return new JournaledState(this.#store);
  }

  #set<V>(written: Map<string, V>, key: string, value: V): void {
    const before = written.get(key);
    this.#undo.push(before === undefined ? () => written.delete(key) : () => written.set(key, before));
    written.set(key, value);
  }
}

function copy(account: Account): Account {
  return new Account(account.nonce, account.balance, account.storageRoot, account.codeHash);
}

function toRow(account: Account | null): AccountRow | null {
  if (account === null) return null;
  return { nonce: Number(account.nonce), balance: account.balance.toString(), code_hash: account.codeHash };
}
