// The refusals that operations share, for `components.responses`, and which of them a route can give.
import { PROBLEMS, type ProblemSlug } from "../../../kernel/problem.ts";
import { isWriting } from "../../../resources/route.ts";
import { type AnyRoute, isOfPeople } from "../any-route.ts";
import type { Json } from "./described-schema.ts";
import { COMMON_HEADERS, headersNamed } from "./words.ts";

interface Refusal {
  readonly status: number;
  /** The kinds of problem that it stands for; the first is the example. */
  readonly slugs: readonly ProblemSlug[];
  readonly detail: string;
  readonly errors?: readonly Json[];
  readonly headers?: Json;
}

const CONFLICTS = (Object.keys(PROBLEMS) as ProblemSlug[]).filter(
  (slug) => PROBLEMS[slug].status === 409 && slug !== "conflict",
);

const REFUSALS = {
  MalformedHost: { status: 400, slugs: ["malformed-host"], detail: "The `Host` header must be given once." },
  MalformedJson: {
    status: 400,
    slugs: ["malformed-json", "malformed-host"],
    detail: "The body is not valid JSON.",
  },
  Unauthorized: {
    status: 401,
    slugs: ["unauthorized", "sign-in-failed", "second-factor-required"],
    detail: "Authentication is required: send a valid API key as a Bearer token.",
    headers: headersNamed("X-Request-Id", "WWW-Authenticate"),
  },
  Forbidden: {
    status: 403,
    slugs: ["forbidden", "cross-origin", "confirmation-required", "second-factor-missing"],
    detail: "This operation needs the role EDITOR; the key has VIEWER.",
  },
  NotFound: { status: 404, slugs: ["not-found"], detail: "No such stakeholder in this organization." },
  Conflict: {
    status: 409,
    slugs: [...CONFLICTS, "conflict"],
    detail: "The security is CANCELLED; only an ACTIVE one can be transferred.",
  },
  PreconditionFailed: {
    status: 412,
    slugs: ["precondition-failed"],
    detail: "The record is no longer what `If-Match` demands: it was changed after it was read.",
  },
  PayloadTooLarge: {
    status: 413,
    slugs: ["payload-too-large"],
    detail: "The body is larger than 1048576 bytes.",
  },
  UnsupportedMediaType: {
    status: 415,
    slugs: ["unsupported-media-type"],
    detail: "Send JSON with `Content-Type: application/json`.",
  },
  InvalidBody: {
    status: 422,
    slugs: ["validation-failed", "idempotency-key-reused", "file-too-complex"],
    detail: "The request is not acceptable; `errors` says why.",
    errors: [{ pointer: "#/quantity", detail: "must be more than zero" }],
  },
  InvalidQuery: {
    status: 422,
    slugs: ["validation-failed"],
    detail: "The request is not acceptable; `errors` says why.",
    errors: [{ parameter: "limit", detail: "must be a whole number" }],
  },
  RateLimited: {
    status: 429,
    slugs: ["rate-limited"],
    detail: "Too many requests; try again in 2 s.",
    headers: { ...COMMON_HEADERS, ...headersNamed("Retry-After") },
  },
  InternalError: { status: 500, slugs: ["internal-error"], detail: "The server failed unexpectedly." },
  Unavailable: {
    status: 503,
    slugs: ["unavailable", "disk-low"],
    detail: "The database cannot be written at the moment.",
    headers: { ...COMMON_HEADERS, ...headersNamed("Retry-After") },
  },
} as const satisfies Record<string, Refusal>;

type RefusalName = keyof typeof REFUSALS;

/** `components.responses`. */
export const REFUSAL_RESPONSES: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries<Refusal>(REFUSALS).map(([name, refusal]) => [name, responseOf(refusal)]),
);

function responseOf(refusal: Refusal): Json {
  const { status, slugs, detail, errors, headers = COMMON_HEADERS } = refusal;
  const [slug = "internal-error"] = slugs;
  const kinds = slugs.map((kind) => `\`${kind}\``).join(", ");
  const example = {
    type: `https://cap.example.com/problems/${slug}`,
    title: PROBLEMS[slug].title,
    status,
    detail,
    instance: "urn:uuid:0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    ...(errors ? { errors } : {}),
  };
  return {
    description: `${PROBLEMS[status === 409 ? "conflict" : slug].title}: ${kinds}.`,
    headers,
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" }, example } },
  };
}

/** The refusals that a route can give, by status. */
export function refusalsOf(route: AnyRoute): Record<string, Json> {
  const hasJsonBody = route.method !== "GET" && route.body !== undefined;
  const hasBody = hasJsonBody || route.method === "PUT";
  const names: RefusalName[] = [
    hasBody ? "MalformedJson" : "MalformedHost",
    "Unauthorized",
    "Forbidden",
    ...(route.problems?.includes(404) || route.path.includes("/:") ? (["NotFound"] as const) : []),
    ...(route.problems?.includes(409) || (!isOfPeople(route) && isWriting(route)) ? (["Conflict"] as const) : []),
    ...(!isOfPeople(route) && route.record ? (["PreconditionFailed"] as const) : []),
    ...(hasBody ? (["PayloadTooLarge"] as const) : []),
    ...(hasJsonBody ? (["UnsupportedMediaType"] as const) : []),
    hasJsonBody ? "InvalidBody" : "InvalidQuery",
    "RateLimited",
    "InternalError",
    ...(route.method === "GET" && !("expense" in route) ? [] : (["Unavailable"] as const)),
  ];
  return Object.fromEntries(
    names.map((name) => [String(REFUSALS[name].status), { $ref: `#/components/responses/${name}` }]),
  );
}
