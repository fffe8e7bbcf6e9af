// One-time codes against the vectors of RFC 6238, and when a code counts.
import { describe, expect, test } from "bun:test";
import {
  hashRecoveryCode,
  matchingStep,
  newRecoveryCodes,
  newTotpSecret,
  stepAt,
  totpCode,
} from "../../../src/people/sign-in/totp.ts";

/** "12345678901234567890" in base32. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

describe("codes", () => {
  // RFC 6238, appendix B, the rows of SHA-1: eight digits.
  test.each([
    [59, "94287082"],
    [1111111109, "07081804"],
    [1111111111, "14050471"],
    [1234567890, "89005924"],
    [2000000000, "69279037"],
    [20000000000, "65353130"],
  ])("at %i seconds: %s", (seconds, code) => {
    const step = stepAt(seconds * 1000);
    expect(totpCode(SECRET, step, 8)).toBe(code);
    expect(totpCode(SECRET, step)).toBe(code.slice(2));
  });

  test("count one step early and late, and no more", () => {
    const nowMs = 1_111_111_111_000;
    const now = stepAt(nowMs);
    const matched = [-2, -1, 0, 1, 2].map((off) => matchingStep(SECRET, totpCode(SECRET, now + off), nowMs, null));
    expect(matched).toEqual([null, now - 1, now, now + 1, null]);
  });

  test("count no second time, nor does an earlier one", () => {
    const nowMs = 1_111_111_111_000;
    const now = stepAt(nowMs);
    expect(matchingStep(SECRET, totpCode(SECRET, now), nowMs, now)).toBeNull();
    expect(matchingStep(SECRET, totpCode(SECRET, now - 1), nowMs, now)).toBeNull();
    expect(matchingStep(SECRET, totpCode(SECRET, now + 1), nowMs, now)).toBe(now + 1);
  });

  test("of another secret, too short or too long do not count", () => {
    const now = stepAt(0);
    for (const code of [totpCode(newTotpSecret(), now), "", "12345", "1234567"]) {
      expect(matchingStep(SECRET, code, 0, null)).toBeNull();
    }
  });
});

test("secrets have 160 bits, and recovery codes 16 characters; no two are the same", () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const codes = Array.from({ length: 100 }, newRecoveryCodes).flat();
  for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{16}$/);
  expect([new Set(secrets).size, new Set(codes).size]).toEqual([100, 1000]);
});

test("a recovery code counts as it was typed off", () => {
  expect(hashRecoveryCode("abcd-efgh ijkl-mnop")).toBe(hashRecoveryCode("ABCDEFGHIJKLMNOP"));
  expect(hashRecoveryCode("ABCDEFGHIJKLMNOQ")).not.toBe(hashRecoveryCode("ABCDEFGHIJKLMNOP"));
});
