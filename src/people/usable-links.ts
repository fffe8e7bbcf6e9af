// Links as they are opened: one that works, or why it does not.
import { type Problem, problem } from "../kernel/problem.ts";
import type { Reader } from "../storage/database/sql.ts";
import { isStillMade } from "./makers.ts";
import { findLink, type Link } from "./stores/link-store.ts";

/** The state of a link. */
export type LinkState = "OPEN" | "USED" | "REVOKED" | "EXPIRED";

const FAULTS: Readonly<Record<Exclude<LinkState, "OPEN">, string>> = {
  USED: "This link was used already; each works once.",
  REVOKED: "This link was revoked.",
  EXPIRED: "This link has expired.",
};

const ASK = "Ask its sender for a new one.";

/** The state of a link at an instant. */
export function linkState({ usedAt, revokedAt, expiresAt }: LinkTimes, now: string): LinkState {
  if (usedAt !== null) return "USED";
  if (revokedAt !== null) return "REVOKED";
  return expiresAt <= now ? "EXPIRED" : "OPEN";
}

type LinkTimes = Readonly<Pick<Link, "usedAt" | "revokedAt" | "expiresAt">>;

/** The link with this token, of any kind. Throws `404`, and `409 invalid-state` if it no longer works. */
export function requireAnyLink(db: Reader, tokenHash: string, now: string): Link {
  const link = findLink(db, { tokenHash });
  if (!link) throw noLink();
  const state = linkState(link, now);
  if (state !== "OPEN") throw problem("invalid-state", `${FAULTS[state]} ${ASK}`);
  if (isStillMade(db, link, now)) return link;
  throw problem("invalid-state", "The person who made this link can no longer make it. Ask for another.");
}

/** The same, of one kind. */
export function requireLink(db: Reader, tokenHash: string, kind: Link["kind"], now: string): Link {
  const link = requireAnyLink(db, tokenHash, now);
  if (link.kind !== kind) throw noLink();
  return link;
}

/** The reset link with this token, once it counts. Throws as {@link requireAnyLink}, and `409` while it waits. */
export function requireReset(db: Reader, tokenHash: string, now: string): Link {
  const link = requireLink(db, tokenHash, "RESET", now);
  if (link.validFrom === null || link.agreedAt !== null || link.validFrom <= now) return link;
  throw problem(
    "invalid-state",
    `This link works from ${link.validFrom} on: until then the person's organizations may refuse it.`,
  );
}

function noLink(): Problem {
  return problem("not-found", `There is no such link. ${ASK}`);
}
