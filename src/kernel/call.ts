// The call of a write: its author, its instant and its channel. Every write takes one, so that the log can name them.
import type { CalendarDate } from "./date.ts";
import { type Runtime, type Timestamp, toTimestamp, toUtcDate } from "./runtime.ts";

/** The channel of a write. */
export const ACTORS = ["api-key", "person", "cli", "job"] as const;

/** The author of a write: an API key, a person who signed in, the operator at the command line, or a background job. */
export interface Principal {
  readonly actor: (typeof ACTORS)[number];
  /** The key; null for others. */
  readonly apiKeyId: string | null;
  /** The person's account, and its name then; null for others. */
  readonly accountId: string | null;
  readonly actorName: string | null;
  /** The person's session; null for others. */
  readonly sessionId: string | null;
}

/** One write in an organization. */
export interface Call extends Principal {
  readonly orgId: string;
  readonly requestId: string | null;
  readonly method: string | null;
  readonly path: string | null;
  /** When the write happens; every row of it carries this instant. */
  readonly at: Timestamp;
  /** The day of `at` in UTC. */
  readonly today: CalendarDate;
  /** A write that a closed organization takes, too: it opens or closes it, ends access, or says what became of the data. */
  readonly evenClosed?: true;
  /** A new UUIDv7. */
  newId(): string;
  /**
   * For an import of a spreadsheet: the members that each entry gets besides its own. Limits then warn instead of
   * refusing.
   */
  readonly importing?: {
    readonly noted: Readonly<Record<string, string>>;
    /** The document of that spreadsheet; the records refer to it. */
    readonly sourceDocumentId?: string | null;
    /** Members that describe the issued security, besides those that its route takes. */
    readonly described?: SecurityDescription;
  };
}

/** Members of a security that no ledger entry holds; legends are a JSON list of ids, vestings one of parcels. */
export interface SecurityDescription {
  readonly comments?: string;
  readonly stockLegendIds?: string;
  readonly stockholderApprovalDate?: string;
  readonly vestings?: string;
  readonly statedConsideration?: string;
}

/** The call of a write without a request: by the command line, or by a background job. */
export function callWithoutRequest(runtime: Runtime, orgId: string, actor: "cli" | "job"): Call {
  const nowMs = runtime.nowMs();
  return {
    orgId,
    actor,
    apiKeyId: null,
    accountId: null,
    actorName: null,
    sessionId: null,
    requestId: null,
    method: null,
    path: null,
    at: toTimestamp(nowMs),
    today: toUtcDate(nowMs),
    newId: () => runtime.newId(),
  };
}

/** A call by the command line in the name of an organization. */
export function commandLineCall(runtime: Runtime, orgId: string): Call {
  return callWithoutRequest(runtime, orgId, "cli");
}
