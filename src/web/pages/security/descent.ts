// Successors of a security, from the ledger entries that name it.
const MADE = ["newSecurityId", "balanceSecurityId"] as const;

/** The securities that entries about `id` made, in the order of the entries. */
export function successorsOf(
  id: string,
  entries: readonly {
    readonly securityId: string | null;
    readonly sequence: number;
    readonly metadata: Readonly<Record<string, unknown>> | null;
  }[],
): readonly string[] {
  const own = entries.filter(({ securityId }) => securityId === id).toSorted((a, b) => a.sequence - b.sequence);
  const made = own.flatMap(({ metadata }) => {
    const several = metadata?.resultingSecurityIds;
    return [...MADE.map((name) => metadata?.[name]), ...(Array.isArray(several) ? several : [])];
  });
  return [...new Set(made.filter((each) => typeof each === "string" && each !== id))] as string[];
}
