// Wallet addresses: checked and shown in checksum form (EIP-55), where the case of the letters is the checksum. Pure;
// schemas and stores may use it.
import { getAddress } from "viem";

/** An account or contract of an EVM chain, 20 bytes; in checksum form wherever it is stored or shown (EIP-55). */
export type Address = `0x${string}`;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const ZERO = /^0x0{40}$/;

/**
 * Whether `text` can be a holder's wallet: `0x` and 40 hexadecimal digits, all lower or all upper case, or mixed with
 * the right checksum, which shows a mistyped address. The zero address has no owner, and tokens cannot be sent to it.
 */
export function isWalletAddress(text: string): boolean {
  if (!ADDRESS.test(text) || ZERO.test(text)) return false;
  const digits = text.slice(2);
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return oneCase || text === checksumAddress(text);
}

/**
 * The checksum form of an address in any case. Throws if `text` is not an address: ask {@link isWalletAddress} first.
 */
export function checksumAddress(text: string): Address {
  return getAddress(text.toLowerCase());
}
