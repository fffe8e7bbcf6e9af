// Whether the ways in which a provider says somebody proved who he is (RFC 8176) are two factors.

const KINDS: Readonly<Record<string, readonly string[]>> = {
  knowledge: ["pwd", "pin", "kba"],
  possession: ["otp", "hwk", "swk", "sc", "sms", "tel", "pop"],
  being: ["face", "fpt", "iris", "retina", "vbm"],
};

/** True where it says so itself (`mfa`), or names ways of two kinds: something known, something held, something one is. */
export function isTwoFactors(amr: unknown): boolean {
  if (!Array.isArray(amr)) return false;
  const kinds = Object.values(KINDS).filter((ways) => ways.some((way) => amr.includes(way)));
  return amr.includes("mfa") || kinds.length > 1;
}
