// Compares acceptances with their digests, and what securities say of their acceptance with the acceptances that there
// are. Pure: rows come in as iterables.
import { acceptanceStatusOf } from "../../ledger/writes/acceptance.ts";
import { canonicalText, digestText } from "../../storage/database/log/log-hash.ts";
import type { Row } from "../../storage/database/sql.ts";
import { RESTORE, type Tell } from "./report.ts";

type Accepted = Pick<
  Row<"acceptances">,
  "id" | "securityId" | "stakeholderId" | "acceptedAt" | "shown" | "digest" | "ledgerSequence"
>;
type Accepting = Pick<
  Row<"securities">,
  "id" | "stakeholderId" | "asksAcceptance" | "acceptanceStatus" | "acceptanceAskedAt" | "acceptedAt"
>;

/** What is compared. */
export interface Acceptances {
  /** Oldest first. */
  readonly acceptances: Iterable<Accepted>;
  /** The securities that say anything of an acceptance. */
  readonly securities: Iterable<Accepting>;
  /** The place of the last direct edit of each security that was edited. */
  readonly lastEdits: ReadonlyMap<string, number>;
}

/** Reports what was shown and is not what its digest says, and securities that say otherwise than the acceptances. */
export function compareAcceptances({ acceptances, securities, lastEdits }: Acceptances, tell: Tell): void {
  const newest = new Map<string, Accepted>();
  for (const each of acceptances) {
    newest.set(each.securityId, each);
    const subject = `acceptance ${each.id}`;
    if (isAsDigested(each)) continue;
    const detail = "what it says was shown is not what its digest is of: one of the two was changed";
    tell({ code: "acceptance-altered", subject, detail, fix: RESTORE });
  }
  for (const row of securities) {
    const differ = (detail: string) =>
      tell({ code: "acceptance-differs", subject: `security ${row.id}`, detail, fix: RESTORE });
    const word = acceptanceStatusOf(row);
    if (row.acceptanceStatus !== word) differ(`its acceptanceStatus is ${row.acceptanceStatus}, and ${word} follows`);
    if (row.acceptanceStatus === "PENDING" && row.acceptanceAskedAt === null)
      differ("it waits for its holder, and nothing says since when");
    if (row.acceptedAt === null) continue;
    const holds = newest.get(row.id);
    if (holds?.acceptedAt !== row.acceptedAt)
      differ(`it says that it was accepted at ${row.acceptedAt}, and no acceptance does`);
    else if (holds.stakeholderId !== row.stakeholderId)
      differ("it says that it is accepted, and another holder did that");
    else if ((lastEdits.get(row.id) ?? 0) > holds.ledgerSequence)
      differ("it says that it is accepted, and a direct edit came after that");
  }
}

function isAsDigested({ shown, digest }: Accepted): boolean {
  if (shown === null || digest === null) return shown === digest;
  return digestText(shown) === digest && isCanonical(shown);
}

function isCanonical(text: string): boolean {
  try {
    return canonicalText(text) === text;
  } catch {
    return false;
  }
}
