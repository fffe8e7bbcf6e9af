// The balance of a security that is imported with its rest: what became of the quantity issued. Pure.

/** Numbers of shares, or principals: decimal strings. */
export interface Balance {
  /** The quantity that the schedule runs over: the quantity issued first, or the rest if that is more. */
  readonly issued: string;
  /** Exercised, or expired. */
  readonly exercised: string;
  /** Cancelled, repurchased, forfeited. */
  readonly forfeited: string;
  readonly transferred: string;
}

/** The members of an entry that carry it: a later import compares the same security with them. */
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
