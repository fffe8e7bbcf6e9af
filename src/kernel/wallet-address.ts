// EVM addresses as holders give them: EIP-55, the mixed-case checksum.
import { getAddress } from "viem";

/** Whether `text` is `0x` and 40 hex digits, all of one case or in the case that the checksum asks for. */
export function isWalletAddress(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const digits = text.slice(2);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || text === checksumAddress(text);
}

/** The address in checksum form. `text` is one that {@link isWalletAddress} accepts. */
export function checksumAddress(text: string): string {
  return getAddress(text.toLowerCase() as `0x${string}`);
}
