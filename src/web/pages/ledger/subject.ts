// Subject of a ledger entry: security, holder, class or plan.

/** The id of the record that an entry changed: a security, else a holder, a class or a plan; null where it names none. */
export function subjectOf({
  securityId,
  stakeholderId,
  metadata,
}: {
  readonly securityId: string | null;
  readonly stakeholderId: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}): string | null {
  const named = [securityId, stakeholderId, metadata?.stockClassId, metadata?.equityPlanId];
  return named.find((each): each is string => typeof each === "string") ?? null;
}
