import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checksumAddress, isWalletAddress } from "../../../src/kernel/text/wallet-address.ts";

// The examples of EIP-55.
const NORMAL = [
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
] as const;
const digits = fc.stringMatching(/^[0-9a-f]{40}$/).filter((text) => /[1-9a-f]/.test(text));

describe("a wallet's address", () => {
  test("has the checksum of EIP-55, whatever case it comes in", () => {
    for (const address of NORMAL) {
      expect(checksumAddress(address.toLowerCase())).toBe(address);
      expect(checksumAddress(`0x${address.slice(2).toUpperCase()}`)).toBe(address);
      expect(isWalletAddress(address)).toBe(true);
    }
  });

  test("counts in one case, and in checksum form, and in no other mixture", () => {
    fc.assert(
      fc.property(digits, fc.nat({ max: 39 }), (text, place) => {
        const right = checksumAddress(`0x${text}`);
        const one = right.slice(0, place + 2);
        const letter = right.charAt(place + 2);
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        const changed = one + other + right.slice(place + 3);
        const body = changed.slice(2);
        const oneCase = body === body.toLowerCase() || body === body.toUpperCase();
        expect([right, `0x${text}`, `0x${text.toUpperCase()}`].every(isWalletAddress)).toBe(true);
        expect(isWalletAddress(changed)).toBe(changed === right || oneCase);
      }),
    );
  });

  test("is nothing else: not shorter or longer, not without 0x, not the zero address, not with spaces", () => {
    const [address] = NORMAL;
    const wrong = [
      "",
      "0x",
      address.slice(2),
      address.slice(0, -1),
      `${address}0`,
      ` ${address}`,
      `${address}\n`,
      address.replace("0x", "0X"),
      address.replace("A", "G"),
      `0x${"0".repeat(40)}`,
      "vitalik.eth",
    ];
    expect(wrong.filter(isWalletAddress)).toEqual([]);
  });
});
