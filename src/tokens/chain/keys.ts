// The operator's key, which signs all transactions of the service and which the tokens obey as their issuer. It is read
// once at start, never leaves this module, and is not derived from the holders' seed (wallets.ts).
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { keccak256 } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { KeyFileError, readOrCreatePrivateFile, readPrivateFile } from "../../kernel/files/private-file.ts";
import type { Address } from "../../kernel/text/wallet-address.ts";
import { embeddedKeyFile } from "../../storage/data-dir/chain-files.ts";
import { decryptKeystore, KeystoreError } from "./keystore.ts";
import { EMBEDDED_CHAIN_ID, type Fees, type Hex } from "./port.ts";
import { custodialAddress } from "./wallets.ts";

/** A transaction that only lacks its signature. `to` is null for the creation of a contract. */
export interface UnsignedTransaction {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address | null;
  readonly data: Hex;
  readonly gas: bigint;
  readonly fees: Fees;
}

/** A signed transaction, kept before it is sent, so that a restart can send the same bytes again. */
export interface SignedTransaction {
  readonly raw: Hex;
  readonly hash: Hex;
}

/** The signer. */
export interface Operator {
  readonly address: Address;
  /** Signs offline: the same transaction always gives the same bytes. */
  sign(transaction: UnsignedTransaction): Promise<SignedTransaction>;
}

/**
 * The operator of a node's chain: `keyFile` holds a raw key or a keystore of version 3, whose password is in
 * `passwordFile`. Throws {@link KeyFileError}, also for the well-known keys of test nodes.
 */
export function loadOperator(keyFile: string, passwordFile: string | null, chainId: number): Operator {
  const text = readPrivateFile(keyFile);
  const key = text.startsWith("{") ? openKeystore(keyFile, text, passwordFile) : text;
  const operator = operatorOf(keyFile, key);
  if (!TEST_CHAIN_IDS.includes(chainId) && isPublishedTestKey(operator.address)) {
    throw new KeyFileError(`${keyFile} holds a key that test nodes publish: anyone could use it on chain ${chainId}`);
  }
  return operator;
}

/**
 * The operator of the embedded chain; its key is created (mode 0600) if it is missing. If the chain has tokens already,
 * check first that {@link embeddedKeyFile} exists: they do not obey a new key.
 */
export function embeddedOperator(dataDir: string): Operator {
  const file = embeddedKeyFile(dataDir);
  return operatorOf(file, readOrCreatePrivateFile(file, generatePrivateKey).text);
}

function operatorOf(file: string, text: string): Operator {
  const account = accountOf(file, text);
  return {
    address: account.address,
    async sign({ chainId, nonce, to, data, gas, fees }) {
      const common = { chainId, nonce, data, gas, ...(to === null ? {} : { to }) };
      const raw = await account.signTransaction({ ...common, ...fees });
      return { raw, hash: keccak256(raw) };
    },
  };
}

function accountOf(file: string, text: string) {
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1];
  try {
    if (digits) return privateKeyToAccount(`0x${digits}`);
  } catch {
    // zero, or beyond the curve's order; the library's message would show the key
  }
  throw new KeyFileError(`${file} holds neither a private key (64 hexadecimal digits) nor a keystore of version 3`);
}

function openKeystore(file: string, text: string, passwordFile: string | null): Hex {
  if (passwordFile === null) throw new KeyFileError(`${file} is a keystore, but no password file is set`);
  try {
    return decryptKeystore(text, readPrivateFile(passwordFile));
  } catch (error) {
    if (error instanceof KeystoreError) throw new KeyFileError(`${file} cannot be opened: ${error.message}`);
    throw error;
  }
}

/** anvil's and hardhat's own chain, and the embedded one. */
const TEST_CHAIN_IDS: readonly number[] = [31337, EMBEDDED_CHAIN_ID];
const TEST_MNEMONIC = "test test test test test test test test test test test junk";
const TEST_KEYS = 20;

function isPublishedTestKey(address: Address): boolean {
  const { publicExtendedKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(TEST_MNEMONIC)).derive("m/44'/60'/0'/0");
  for (let index = 0; index < TEST_KEYS; index++) {
    if (custodialAddress(publicExtendedKey, index) === address) return true;
  }
  return false;
}
