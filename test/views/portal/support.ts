// Holders who are signed in, on a server with a clock of its own.
import { toTimestamp } from "../../../src/kernel/runtime.ts";
import type { MemberRole } from "../../../src/storage/records/member.ts";
import { signedIn } from "../../kit/people.ts";
import type { Answer, TestServer } from "../../kit/service.ts";

const HOUR_MS = 3_600_000;

/** A member of one organization. */
export interface Person {
  readonly memberId: string;
  /** Calls the API below `/api/v1` as this person, in that organization. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A file of the API, as this person is given it. */
  file(path: string): Promise<{ readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array }>;
}

/** Whom {@link member} makes. */
export interface NewMember {
  readonly orgId: string;
  readonly role?: MemberRole;
  readonly stakeholderIds?: readonly string[];
  readonly hasSecondFactor?: boolean;
  /** When it is. */
  readonly nowMs: number;
}

/** Makes a member who is signed in: a STAKEHOLDER unless told otherwise. */
export async function member(server: TestServer, wanted: NewMember): Promise<Person> {
  const { orgId, nowMs, role = "STAKEHOLDER", ...given } = wanted;
  const [now, later] = [toTimestamp(nowMs), toTimestamp(nowMs + HOUR_MS)];
  const times = { confirmedAt: now, lastSeenAt: now, expiresAt: later };
  const browser = await signedIn(server, { ...given, ...times, role, orgId });
  return {
    memberId: browser.memberId,
    ask: (method, path, body) => browser.api(method, path, body, { orgId }),
    async file(path) {
      const own = { cookie: `${browser.cookieName}=${browser.token}`, "captable-organization": orgId };
      const answer = await fetch(`${server.url}/api/v1${path}`, {
        headers: { ...own, "sec-fetch-site": "same-origin" },
      });
      return { status: answer.status, headers: answer.headers, bytes: await answer.bytes() };
    },
  };
}
