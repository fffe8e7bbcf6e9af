// Webhook endpoints and deliveries in answers, and the bodies of their routes.
import { Type } from "@sinclair/typebox";
import { body, defaulted, id, instant, nullable, oneOf, optional, patchOf, text } from "../../kernel/fields.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { WEBHOOK_ENDPOINT_FIELDS } from "../../storage/records/webhook-endpoint.ts";
import { makerShape } from "../api-keys/maker.ts";
import { presenter, shown, timestamp } from "../present.ts";
import { pendingOf } from "./pending.ts";
import type { Endpoint } from "./store.ts";

const CURSOR = { examples: ["MTIuOWY4NmQwODE4ODRjN2Q2NS4zMS40YjFmNmQwZTNjNTU0ZDJl"] };

/** Why a request to an endpoint failed, or why none is sent. */
export const DELIVERY_ERRORS = [
  ...(["dns", "address-not-allowed", "connect", "tls", "timeout", "redirect", "status"] as const),
  ...(["response-too-large", "key-missing"] as const),
] as const;
/** One of them. */
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

const ERROR = {
  description:
    "`status`: the answer was no 2xx. `redirect`: it was a 3xx, which is not followed. `key-missing`: the server's " +
    "`webhook.key` is missing or another than the secret was made with; nothing is sent until the secret is rotated.",
};

const DISABLED_REASONS = ["REQUESTED", "MAKER_REMOVED", "GONE", "FAILING"] as const;

/** The body of a new endpoint. */
export const EndpointCreate = body({
  ...WEBHOOK_ENDPOINT_FIELDS,
  startAt: defaulted(
    text(200, {
      description: "The first event: `latest`: the next that happens; `beginning`; or a `cursor` of `GET /events`.",
      examples: ["latest"],
    }),
    "latest",
  ),
});

/** The body of a change. */
export const EndpointPatch = patchOf(
  body({
    ...WEBHOOK_ENDPOINT_FIELDS,
    status: Type.Optional(
      oneOf(["ENABLED", "DISABLED"], {
        description: "`ENABLED` goes on where deliveries ended, and forgets failures.",
      }),
    ),
  }),
);

const members = {
  id: id({ description: "Identifies the endpoint." }),
  ...shown(WEBHOOK_ENDPOINT_FIELDS),
  types: Type.Array(Type.String({ examples: ["transaction.*"] }), {
    description: "The types of events that it gets.",
    examples: [["transaction.*"]],
  }),
  status: oneOf(["ENABLED", "DISABLED"], { description: "Whether events are sent." }),
  disabledReason: nullable(
    oneOf(DISABLED_REASONS, {
      description:
        "`REQUESTED`: by a change. `MAKER_REMOVED`: with its maker's membership. `GONE`: it answered 410. `FAILING`: for " +
        "72 hours without a success.",
    }),
  ),
  previousSecretUntil: nullable(timestamp({ description: "Until when the secret before this one signs, too." })),
  madeBy: makerShape("The author of the endpoint."),
  createdAt: timestamp({ description: "When it was made." }),
  updatedAt: timestamp({ description: "When it was last changed." }),
  cursor: Type.String({ description: "The place behind the last event that was delivered.", ...CURSOR }),
  pendingEvents: Type.Integer({
    description: "How many events wait: counted up to 1,000, over the next 2,000 changes.",
    examples: [0],
  }),
  oldestPendingAt: nullable(timestamp({ description: "When the first of them was recorded." })),
  lastSuccessAt: nullable(timestamp({ description: "When an event was last delivered." })),
  failingSince: nullable(timestamp({ description: "The first failure since then." })),
  nextAttemptAt: nullable(timestamp({ description: "When the event that failed is sent again." })),
  lastError: nullable(oneOf(DELIVERY_ERRORS, ERROR)),
};

/** An endpoint in answers. */
export const EndpointShown = Type.Object(members);

const SECRET = Type.String({
  description: "Signs requests (Standard Webhooks); shown this once.",
  examples: ["whsec_…"],
});

/** A new endpoint, or one with a new secret. */
export const EndpointWithSecret = Type.Object({ ...members, secret: SECRET });

const showRow = presenter(EndpointShown);

/** An endpoint as answers show it. */
export function showEndpoint(db: Reader, row: Endpoint): Record<string, unknown> {
  return showRow({ ...row, ...pendingOf(db, row) });
}

/** The body of a rotation. */
export const RotateBody = body({
  overlapHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 168,
      default: 24,
      description: "For how many hours the old secret signs, too.",
      examples: [24],
    }),
  ),
});

/** The body of a move of an endpoint's place; exactly one member. */
export const SeekBody = body({
  cursor: optional(text(200, { description: "To behind this `cursor`.", ...CURSOR })),
  since: optional(instant({ description: "To what was recorded from this instant on." })),
  latest: optional(Type.Literal(true, { description: "To the next event that happens." })),
  skip: optional(Type.Literal(true, { description: "Past the event that fails." })),
});

const STATES = ["PENDING", "SUCCEEDED", "FAILED"] as const;

/** A delivery in answers. */
export const DeliveryShown = Type.Object({
  id: id({ description: "Identifies the delivery." }),
  eventId: Type.String({
    description: "The event, as `webhook-id` names it.",
    examples: ["evt_9f86d081884c7d659a2feaa0c55ad015"],
  }),
  eventType: Type.String({ description: "Its type.", examples: ["security.updated"] }),
  kind: oneOf(["ORDERED", "TEST", "REDELIVERY", "CHECKPOINT"], {
    description: "`ORDERED`: in the order of the feed. The others go out of turn, once.",
  }),
  attempt: Type.Integer({ description: "1 for the first request of the event.", examples: [1] }),
  state: oneOf(STATES, { description: "What became of it." }),
  createdAt: timestamp({ description: "When it was made." }),
  startedAt: nullable(timestamp({ description: "When the request began; null before that." })),
  durationMs: nullable(Type.Integer({ description: "How long it took, in milliseconds.", examples: [120] })),
  responseStatus: nullable(Type.Integer({ description: "The answer's status.", examples: [200] })),
  error: nullable(oneOf(DELIVERY_ERRORS, ERROR)),
  cursor: nullable(Type.String({ description: "The place in the feed behind the event.", ...CURSOR })),
});

/** The filter of a list of deliveries. */
export const STATE_FILTER = oneOf(STATES, { description: "Only deliveries in this state." });

/** A delivery as answers show it. */
export const showDelivery = presenter(DeliveryShown);
