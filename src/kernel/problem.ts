// Problem documents (RFC 9457): the one table of every refusal that a caller can see. A `Problem` may be thrown
// anywhere and is rendered in one place; any other error is a bug and becomes `internal-error` without its cause.

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** For the page at /problems/{slug}: what happened, and the remedy. */
  readonly explanation: string;
}

/** The problem kinds by slug: the last segment of `type`. */
export const PROBLEMS = {
  "malformed-json": {
    status: 400,
    title: "Malformed JSON",
    explanation:
      "The request body could not be read as JSON: it is empty, cut short, not UTF-8, nested deeper than 64 levels, or not JSON at all. Correct the body and send the request again.",
  },
  "malformed-host": {
    status: 400,
    title: "Malformed Host",
    explanation:
      "The `Host` header is empty, given twice, or names no host. Every client sets it by itself; check the proxy between it and this server.",
  },
  unauthorized: {
    status: 401,
    title: "Unauthorized",
    explanation:
      "The request carries neither a valid API key nor a living session. People sign in; programs send `Authorization: Bearer <key>` with a key of this server's environment that has neither been revoked nor expired. An administrator makes new keys with `POST /api/v1/api-keys` or `captable keys create`.",
  },
  "sign-in-failed": {
    status: 401,
    title: "Sign-in Failed",
    explanation:
      "E-mail, password, code or key is wrong. The server does not say which, so that no one can probe for accounts. If you forgot your password, ask an administrator of the organization or the server's operator for a reset link.",
  },
  "second-factor-required": {
    status: 401,
    title: "Second Factor Required",
    explanation:
      "The password is right, and the account has a second factor: send the six digits that the app shows, or a recovery code, in `code`, or sign in with the passkey. `ways` lists those that the account has.",
  },
  forbidden: {
    status: 403,
    title: "Forbidden",
    explanation:
      "The caller is known, but its role is too low, or it is an API key without the scope that this needs. Reading needs VIEWER, writing EDITOR; the organization, members, API keys, the audit log and OCF import need ADMIN. A STAKEHOLDER sees the portal alone. The detail names what is missing: an administrator makes another key.",
  },
  "cross-origin": {
    status: 403,
    title: "Cross-origin",
    explanation:
      "The request has a session and does not come from this server's own pages, or names another host than the server's. Programs use an API key instead.",
  },
  "confirmation-required": {
    status: 403,
    title: "Confirmation Required",
    explanation:
      "This needs a proof of who you are that is not older than 10 minutes: confirm with your password, a code or a passkey (`POST /api/v1/auth/confirm`), and send the request again.",
  },
  "second-factor-missing": {
    status: 403,
    title: "Second Factor Missing",
    explanation:
      "This needs a second factor in the session: the organization requires one of its members, and an operator needs one to reset accounts. Set one up under Account (`POST /api/v1/auth/totp`, or a passkey), or sign in with the one that you have.",
  },
  "not-found": {
    status: 404,
    title: "Not Found",
    explanation:
      "There is no such address, or the organization of this API key has no record with this id: it never existed, was deleted, or belongs to another organization. A record that the body refers to may be the missing one; the detail says which.",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method Not Allowed",
    explanation: "The address exists but does not take this method. The `Allow` header lists those it takes.",
  },
  conflict: {
    status: 409,
    title: "Conflict",
    explanation:
      "The request contradicts what the cap table holds now. Read the record again, then decide whether to send the request again.",
  },
  "invalid-state": {
    status: 409,
    title: "Invalid State",
    explanation:
      "The record is not in a state that allows this operation: for instance a security that is no longer ACTIVE, or an approval that was already submitted.",
  },
  "in-use": {
    status: 409,
    title: "In Use",
    explanation: "Another record that still counts depends on this one, so it cannot be deleted. The detail names it.",
  },
  "insufficient-authorized-shares": {
    status: 409,
    title: "Insufficient Authorized Shares",
    explanation:
      "The operation would bring the share class above its authorized shares, or its authorized shares below what is issued. Raise the authorized figure first (`PATCH /api/v1/share-classes/{id}` or `POST /api/v1/transactions/adjust-authorized`).",
  },
  "insufficient-plan-reserve": {
    status: 409,
    title: "Insufficient Plan Reserve",
    explanation:
      "The equity plan has less available than the grant needs. Raise the reserve first (`PATCH /api/v1/equity-plans/{id}` or `POST /api/v1/transactions/adjust-reserve`).",
  },
  "unvested-quantity": {
    status: 409,
    title: "Unvested Quantity",
    explanation:
      "Fewer shares have vested by the effective date than the exercise asks for. `GET /api/v1/securities/{id}/vesting` shows the schedule; `earlyExercise: true` allows it where the grant does.",
  },
  "organization-closed": {
    status: 409,
    title: "Organization Closed",
    explanation:
      "The organization is closed and takes no writes; nothing of the request was kept. Reads, events and exports go on. An organization is closed to move it to another instance: ask the server's operator where it is now. `captable org reopen ID` opens it here again.",
  },
  "organization-unnamed": {
    status: 409,
    title: "Organization Unnamed",
    explanation:
      "The organization has no name yet, and its certificates and statements need one. Name it first: `PATCH /api/v1/organization` with `legalName`, or `captable org update ID --set legalName=…`.",
  },
  "duplicate-certificate-id": {
    status: 409,
    title: "Duplicate Certificate Id",
    explanation: "Another security of the organization already has this certificate id. Choose another.",
  },
  "duplicate-wallet-address": {
    status: 409,
    title: "Duplicate Wallet Address",
    explanation: "Another stakeholder of the organization already uses this wallet address.",
  },
  "events-rewound": {
    status: 409,
    title: "Events Rewound",
    explanation:
      "The cursor is of data that is not here any more: the database was restored to an earlier state. Go on from the member `cursor`: what comes again has the ids that it had.",
  },
  "precondition-failed": {
    status: 412,
    title: "Precondition Failed",
    explanation:
      "The record is no longer what `If-Match` demands: another change came between reading and this request. Read the record again, look at what changed, and send the request again with its new `ETag`.",
  },
  "payload-too-large": {
    status: 413,
    title: "Payload Too Large",
    explanation:
      "The request body is larger than this operation accepts, or has more values of JSON. Large OCF packages go in by " +
      "`captable ocf import`.",
  },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported Media Type",
    explanation: "The body must be JSON, sent with `Content-Type: application/json`.",
  },
  "misdirected-request": {
    status: 421,
    title: "Misdirected Request",
    explanation:
      "This address does not answer under the name that the `Host` header gives. Ask by the machine's IP address, by `localhost`, or by the host of `CAPTABLE_PUBLIC_URL`.",
  },
  "validation-failed": {
    status: 422,
    title: "Validation Failed",
    explanation:
      "The request was understood, but a part of it is not acceptable. `errors` lists everything that is wrong: `pointer` names a place in the body, `parameter` a query parameter, `header` a header.",
  },
  "file-too-complex": {
    status: 422,
    title: "File Too Complex",
    explanation:
      "A file or package takes more memory or time to read than the server gives. If the detail names a figure, it gives the limit too: bytes once unpacked, values, nested levels, rows or cells. Split the file, or import it on the server's machine by `captable ocf import` or `captable import spreadsheet`, which give it more.",
  },
  "idempotency-key-reused": {
    status: 422,
    title: "Idempotency Key Reused",
    explanation:
      "This `Idempotency-Key` was already used for a request with another body. Use a new key for a new request, and the same key only to retry the same one.",
  },
  "unsolvable-model": {
    status: 409,
    title: "Unsolvable Model",
    explanation:
      "No price solves the round that was asked for: what converts, the pool and the new money ask for more than the whole company, or a price rounds to nothing. Look at caps, percentages and the pool's target; `pricePlaces` gives a small price more places.",
  },
  "model-changed": {
    status: 409,
    title: "Model Changed",
    explanation:
      "The round gives another result now than the one whose digest was sent: the cap table or the terms changed meanwhile. Model it again, review the result, and close it with the new digest.",
  },
  "rate-limited": {
    status: 429,
    title: "Rate Limited",
    explanation:
      "Too many requests with this key or session, or too many failed sign-ins for this e-mail or from this address. Wait `Retry-After` seconds.",
  },
  "storage-full": {
    status: 409,
    title: "Storage Full",
    explanation:
      "This request would bring the organization above its storage limit, which counts documents, originals of imported packages and previews of imports. `used` and `allowed` are in bytes. Replace or shorten stored documents; the server's operator can allow more (`CAPTABLE_ORG_STORAGE_MB`), and `captable ocf import` and `captable import spreadsheet` on its machine warn only.",
  },
  "internal-error": {
    status: 500,
    title: "Internal Server Error",
    explanation:
      "The server failed unexpectedly; nothing of the request was kept. Its log holds the cause under the id in `instance`.",
  },
  "disk-low": {
    status: 503,
    title: "Disk Low",
    explanation:
      "The server's disk has less than 512 MiB free, or less than four times its write-ahead log, so uploads and imports are refused: the remaining space is kept for records. Other writes go on. The operator must free disk space; uploads then work again without a restart.",
  },
  unavailable: {
    status: 503,
    title: "Service Unavailable",
    explanation:
      "The server cannot do this at the moment: its disk is full and it cannot write, or other reads kept this request waiting for more than 30 seconds. Nothing of the request was kept, unless `detail` says otherwise. Try again after `Retry-After` seconds.",
  },
} as const satisfies Record<string, ProblemKind>;

/** The name of a problem kind, the last segment of its `type` URI. */
export type ProblemSlug = keyof typeof PROBLEMS;

/** One thing that is wrong: in the body (JSON Pointer fragment), the query or a header. */
export type FieldError =
  | { readonly pointer: string; readonly detail: string }
  | { readonly parameter: string; readonly detail: string }
  | { readonly header: string; readonly detail: string };

/** What a refusal carries besides its text. */
interface ProblemHints {
  /** Seconds for `Retry-After`, if waiting helps. */
  readonly retryAfterSeconds?: number | undefined;
  /** The cause, for the server's log; the caller does not see it. */
  readonly cause?: unknown;
  /** Further members of the problem document. */
  readonly members?: ProblemMembers | undefined;
}

/** Further members of a problem document, by name. */
export type ProblemMembers = Readonly<Record<string, string | number | null | readonly string[]>>;

/** A refusal that is reported to the caller. Nothing of the request takes effect. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly retryAfterSeconds: number | undefined;
  readonly members: ProblemMembers | undefined;
  constructor(
    readonly slug: ProblemSlug,
    readonly detail: string,
    readonly errors?: readonly FieldError[],
    { retryAfterSeconds, cause, members }: ProblemHints = {},
  ) {
    super(`${slug}: ${detail}`, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
    this.members = members;
  }
  get status(): number {
    return PROBLEMS[this.slug].status;
  }
}

/** Makes a {@link Problem} to throw. */
export function problem(slug: ProblemSlug, detail: string, errors?: readonly FieldError[]): Problem {
  return new Problem(slug, detail, errors);
}

/** A fault of a body: a pointer such as `#/quantity`, and its text. */
export type Finding = readonly [pointer: string, detail: string];

/** Throws one `422` with all faults; does nothing if the list is empty. */
export function refuse(findings: readonly Finding[]): void {
  if (findings.length === 0) return;
  const errors = findings.map(([pointer, detail]) => ({ pointer, detail }));
  throw new Problem("validation-failed", "The request body is not acceptable.", errors);
}

/** A `404` for a record; the body is the same whether the id never existed or belongs to another organization. */
export function notFound(what: string): Problem {
  return new Problem("not-found", `No such ${what} in this organization.`);
}
