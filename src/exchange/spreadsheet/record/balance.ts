// What became of what was issued of a security that is brought in with what is left of it. Pure.

/** Numbers of shares, or principals: decimal strings. */
export interface Balance {
  /** What the schedule runs over: what was issued first, or what is left where that is more. */
  readonly issued: string;
  /** Exercised, or expired. */
  readonly exercised: string;
  /** Cancelled, repurchased, forfeited. */
  readonly forfeited: string;
  readonly transferred: string;
}

/** The members of an entry that tell it: what a file says of the same security later is compared with them. */
export const NOTED = {
  exercised: "importedExercised",
  forfeited: "importedForfeited",
  transferred: "importedTransferred",
} as const;

/** What the entry of the security says of it. */
export function notedBalance(balance: Balance): Readonly<Record<string, string>> {
  const ways = Object.entries(NOTED).map(([way, member]) => [member, balance[way as keyof typeof NOTED]] as const);
  return Object.fromEntries(ways.filter(([, quantity]) => quantity !== "0"));
}
