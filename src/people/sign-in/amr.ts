// Authentication methods (RFC 8176, `amr`): whether those that a provider names are two factors.

const KINDS: Readonly<Record<string, readonly string[]>> = {
  knowledge: ["pwd", "pin", "kba"],
  possession: ["otp", "hwk", "swk", "sc", "sms", "tel", "pop"],
  being: ["face", "fpt", "iris", "retina", "vbm"],
};

/**
 * True if it says so itself (`mfa`), or names methods of two kinds: something known, something held, something that the
 * person is.
 */
export function isTwoFactors(amr: unknown): boolean {
  if (!Array.isArray(amr)) return false;
  const kinds = Object.values(KINDS).filter((ways) => ways.some((way) => amr.includes(way)));
  return amr.includes("mfa") || kinds.length > 1;
}
