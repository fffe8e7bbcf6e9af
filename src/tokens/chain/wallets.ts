// Wallets of holders without an address of their own: derived from the extended public key of one seed, so that in
// daily use their private keys are never in memory. Nothing needs these keys: the issuer can move every share.
import { bytesToHex, publicToAddress } from "@ethereumjs/util";
import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { assert } from "../../kernel/assert.ts";
import { KeyFileError, readOrCreatePrivateFile } from "../../kernel/files/private-file.ts";
import { type Address, checksumAddress } from "../../kernel/text/wallet-address.ts";
import { walletSeedFile } from "../../storage/data-dir/chain-files.ts";

/** The level above the addresses (BIP-44, coin type Ethereum, first account, external chain). */
const PATH = "m/44'/60'/1'/0";
const WORDS_ENTROPY_BITS = 256;
const INDEX_END = 2 ** 31;

/**
 * The extended public key of the seed in `<data-dir>/wallet-seed` (24 words), which is created (mode 0600) if missing.
 * Keep the answer: with it, {@link custodialAddress} never needs the seed again. Throws {@link KeyFileError}.
 */
export function openWalletSeed(dataDir: string): { xpub: string; created: boolean } {
  const file = walletSeedFile(dataDir);
  const { text, created } = readOrCreatePrivateFile(file, () => generateMnemonic(wordlist, WORDS_ENTROPY_BITS));
  if (!validateMnemonic(text, wordlist)) throw new KeyFileError(`${file} does not hold the words of a seed (BIP-39)`);
  const parent = HDKey.fromMasterSeed(mnemonicToSeedSync(text)).derive(PATH);
  return { xpub: parent.publicExtendedKey, created };
}

/** The address of holder `index` (0, 1, 2, …; never used twice) under an extended public key, in checksum form. */
export function custodialAddress(xpub: string, index: number): Address {
  assert(Number.isInteger(index) && index >= 0 && index < INDEX_END, "a wallet's index is a whole number below 2^31");
  const { publicKey } = HDKey.fromExtendedKey(xpub).deriveChild(index);
  assert(publicKey, "an extended public key has a public key");
  return checksumAddress(bytesToHex(publicToAddress(publicKey, true)));
}
