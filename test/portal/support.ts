// Holders who are signed in, on a server with a clock of its own.
import { toTimestamp } from "../../src/kernel/runtime.ts";
import type { MemberRole } from "../../src/records/member.ts";
import { signedIn } from "../kit/people.ts";
import type { Answer, TestServer } from "../kit/service.ts";

const HOUR_MS = 3_600_000;

/** A member of one organization. */
export interface Person {
  readonly memberId: string;
  /** Calls the API below `/api/v1` as this person, in that organization. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Whom {@link member} makes. */
export interface Somebody {
  readonly orgId: string;
  readonly role?: MemberRole;
  readonly stakeholderIds?: readonly string[];
  readonly hasSecondFactor?: boolean;
  /** When it is. */
  readonly nowMs: number;
}

/** Makes a member who is signed in: a STAKEHOLDER unless told otherwise. */
export async function member(server: TestServer, somebody: Somebody): Promise<Person> {
  const { orgId, nowMs, role = "STAKEHOLDER", ...given } = somebody;
  const [now, later] = [toTimestamp(nowMs), toTimestamp(nowMs + HOUR_MS)];
  const times = { confirmedAt: now, lastSeenAt: now, expiresAt: later };
  const browser = await signedIn(server, { ...given, ...times, role, orgId });
  return {
    memberId: browser.memberId,
    ask: (method, path, body) => browser.api(method, path, body, { orgId }),
  };
}
