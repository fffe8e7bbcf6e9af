// Changes of webhook endpoints by people: made, changed, removed, given another secret or another place. It is loaded with
// the first of them, since it judges URLs.
import type { Static } from "@sinclair/typebox";
import type { Call } from "../../kernel/call.ts";
import { newEventId } from "../../kernel/event-id.ts";
import { complete } from "../../kernel/fields.ts";
import { problem, refuse } from "../../kernel/problem.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import type { AllowedAddresses } from "../../kernel/text/network-address.ts";
import type { Reader, Tx } from "../../storage/database/sql.ts";
import { makerOf } from "../api-keys/maker.ts";
import { BEGINNING, cursorAt, type Place, readFeedCursor } from "../events/cursor.ts";
import { isTypeName } from "../events/event-types.ts";
import { readFeed } from "../events/feed.ts";
import { latestPlace, placeSince, requireHere } from "../events/place.ts";
import { faultOfUrl } from "./addresses.ts";
import { countPending, type Delivery, getDelivery, insertDelivery, removeDeliveries } from "./delivery-store.ts";
import { askedBy, placeOfEndpoint } from "./pending.ts";
import { EndpointCreate, type EndpointPatch, type SeekBody } from "./shape.ts";
import { changeEndpoint, changeProgress, countEndpoints, type Endpoint, getEndpoint, insertEndpoint } from "./store.ts";
import type { OpenedWebhookKey, WebhookKey } from "./webhook-key.ts";

const ENDPOINTS_MAX = 16;
const PENDING_MAX = 20;
const HOUR_MS = 3_600_000;

/** The key of webhooks, and where they may go. */
export interface WebhookMeans {
  readonly key: WebhookKey;
  readonly allowed: AllowedAddresses;
}

/** An endpoint and its secret. */
export interface WithSecret {
  readonly row: Endpoint;
  readonly secret: string;
}

/** Throws `422` for a URL that nothing is sent to, in the form in which it is stored, and for an unknown type. */
function checked(
  { url, types }: Pick<Static<typeof EndpointPatch>, "url" | "types">,
  allowed: AllowedAddresses,
): string | undefined {
  const fault = url === undefined ? null : faultOfUrl(url, allowed);
  const unknown = (types ?? []).flatMap((type, at) =>
    isTypeName(type)
      ? []
      : [[`#/types/${at}`, "is no type of events, such as security.updated, security.* or *"] as const],
  );
  refuse([...(fault === null ? [] : [["#/url", fault] as const]), ...unknown]);
  return url === undefined ? undefined : new URL(url).href;
}

/** Throws `409 conflict` where this server sends nothing anywhere. */
function refuseNowhere({ isPublic, ranges }: AllowedAddresses): void {
  if (isPublic || ranges.length > 0) return;
  throw problem("conflict", "This server sends no webhooks: its CAPTABLE_WEBHOOK_ALLOW forbids all.");
}

/** Where a new endpoint begins; null: behind its own making. */
function startOf(tx: Tx, orgId: string, startAt: string): Place | null {
  if (startAt === "latest") return null;
  return startAt === "beginning" ? BEGINNING : placeOfCursor(tx, orgId, startAt, "#/startAt");
}

function placeOfCursor(db: Reader, orgId: string, cursor: string, pointer: string): Place {
  const claim = readFeedCursor(cursor);
  if (claim !== null) return requireHere(db, orgId, claim);
  refuse([[pointer, "is not a cursor"]]);
  return BEGINNING;
}

/** Makes an endpoint. Throws `409 conflict` beyond 16 or where nothing is sent, `409 events-rewound`, `422`. */
export function makeEndpoint(
  tx: Tx,
  call: Call,
  given: Static<typeof EndpointCreate>,
  means: WebhookMeans,
): WithSecret {
  const { orgId, at } = call;
  refuseNowhere(means.allowed);
  const { startAt, ...members } = complete(EndpointCreate, given);
  const url = checked(members, means.allowed) ?? "";
  if (Number(countEndpoints(tx, { orgId })) >= ENDPOINTS_MAX) {
    throw problem("conflict", `An organization has at most ${ENDPOINTS_MAX} webhook endpoints.`);
  }
  const start = startOf(tx, orgId, startAt);
  const key = means.key.readOrMake();
  const id = call.newId();
  insertEndpoint(tx, call, {
    ...{ orgId, id, url, createdAt: at, updatedAt: at },
    description: members.description,
    types: JSON.stringify(members.types),
    include: members.include,
    checkpoints: members.checkpoints ? 1 : 0,
    ...{ secretVersion: 1, keyFingerprint: key.fingerprint },
    madeBy: JSON.stringify(makerOf(tx, call)),
  });
  changeProgress(tx, { orgId, id }, { cursor: cursorAt(tx, orgId, start ?? latestPlace(tx, orgId)) });
  return { row: getEndpoint(tx, orgId, id), secret: key.secretOf({ id, version: 1 }) };
}

/** What makes the next request go out at once. */
const FORGOTTEN_FAILURES = { failures: 0, failingSince: null, nextAttemptAt: null, lastError: null } as const;

/** Changes what a person decided of an endpoint. Throws `404`, `409 conflict` where nothing is sent, `422`. */
export function patchEndpoint(
  tx: Tx,
  call: Call,
  before: Endpoint,
  patch: Static<typeof EndpointPatch>,
  { allowed }: WebhookMeans,
): Endpoint {
  const { orgId, id } = before;
  if (patch.url !== undefined) refuseNowhere(allowed);
  const url = checked(patch, allowed);
  const { status, types, checkpoints } = patch;
  const changes = {
    ...{ url, description: patch.description, include: patch.include, status },
    types: types && JSON.stringify(types),
    checkpoints: checkpoints === undefined ? undefined : checkpoints ? (1 as const) : (0 as const),
    ...(status === "ENABLED" && { disabledReason: null }),
    ...(status === "DISABLED" && before.status === "ENABLED" && { disabledReason: "REQUESTED" as const }),
  };
  const isChanged = changeEndpoint(tx, call, id, changes);
  if (isChanged) changeEndpoint(tx, call, id, { updatedAt: call.at });
  const isAnew = status === "ENABLED" || (url !== undefined && url !== before.url);
  changeProgress(tx, { orgId, id }, { revision: before.revision + 1, ...(isAnew && FORGOTTEN_FAILURES) });
  return getEndpoint(tx, orgId, id);
}

/** Removes an endpoint, with the record of its deliveries. */
export function removeEndpoint(tx: Tx, call: Call, { orgId, id, revision }: Endpoint): void {
  changeEndpoint(tx, call, id, { removedAt: call.at });
  changeProgress(tx, { orgId, id }, { revision: revision + 1 });
  removeDeliveries(tx, { orgId, endpointId: id });
}

/** Gives an endpoint another secret; the old one signs, too, for so many hours. */
export function rotateSecret(
  tx: Tx,
  call: Call,
  before: Endpoint,
  overlapHours: number,
  webhookKey: WebhookKey,
): WithSecret {
  const { orgId, id, keyFingerprint, secretVersion, revision, lastError } = before;
  const key = webhookKey.readOrMake();
  const version = secretVersion + 1;
  const isSameKey = key.fingerprint === keyFingerprint;
  const until = toTimestamp(Date.parse(call.at) + (isSameKey ? overlapHours * HOUR_MS : 0));
  changeEndpoint(tx, call, id, {
    ...{ secretVersion: version, keyFingerprint: key.fingerprint, previousSecretUntil: until, updatedAt: call.at },
  });
  const anew = lastError === "key-missing" ? FORGOTTEN_FAILURES : {};
  changeProgress(tx, { orgId, id }, { revision: revision + 1, ...anew });
  return { row: getEndpoint(tx, orgId, id), secret: key.secretOf({ id, version }) };
}

/** Moves an endpoint's place. Throws `409 invalid-state` where nothing fails that could be skipped, `422`. */
export function seekEndpoint(tx: Tx, before: Endpoint, asked: Static<typeof SeekBody>): Endpoint {
  const { orgId, id, revision } = before;
  if (Object.values(asked).filter((each) => each !== null).length !== 1)
    refuse([["#/", "must have exactly one of cursor, since, latest, skip"]]);
  const cursor = cursorAt(tx, orgId, soughtPlace(tx, before, asked));
  changeProgress(tx, { orgId, id }, { cursor, revision: revision + 1, ...FORGOTTEN_FAILURES });
  return getEndpoint(tx, orgId, id);
}

function soughtPlace(db: Reader, row: Endpoint, { cursor, since, skip }: Static<typeof SeekBody>): Place {
  const { orgId } = row;
  if (cursor) return placeOfCursor(db, orgId, cursor, "#/cursor");
  if (since) return placeSince(db, orgId, since);
  return skip ? placeBehindStuck(db, row) : latestPlace(db, orgId);
}

function placeBehindStuck(db: Reader, row: Endpoint): Place {
  const { orgId, failingSince } = row;
  if (failingSince === null) throw problem("invalid-state", "No event fails at this endpoint that could be skipped.");
  const isAsked = askedBy(row);
  let from = placeOfEndpoint(db, row);
  for (;;) {
    const { events, place, hasMore } = readFeed(db, { orgId, from, isAsked, isAdmin: true, limit: 1 });
    if (events.length > 0 || !hasMore) return place;
    from = place;
  }
}

/** The key with which an endpoint's requests are signed. Throws `409 invalid-state` where it is not here. */
function requireKey({ keyFingerprint }: Endpoint, webhookKey: WebhookKey): OpenedWebhookKey {
  const key = webhookKey.find();
  if (key?.fingerprint === keyFingerprint) return key;
  throw problem(
    "invalid-state",
    "The server's webhook.key is missing or another than the secret was made with: rotate the secret first.",
  );
}

function queue(
  tx: Tx,
  call: Call,
  { orgId, id: endpointId }: Endpoint,
  given: Pick<Delivery, "eventId" | "eventType" | "kind" | "cursor">,
) {
  if (Number(countPending(tx, { orgId, endpointId })) >= PENDING_MAX) {
    throw problem("conflict", `${PENDING_MAX} deliveries to this endpoint wait already.`);
  }
  const id = call.newId();
  insertDelivery(tx, { orgId, endpointId, id, createdAt: call.at, state: "PENDING", ...given });
  return getDelivery(tx, { orgId, endpointId }, id);
}

/** Queues a test event. Throws `409`. */
export function queueTest(tx: Tx, call: Call, row: Endpoint, { key }: WebhookMeans): Delivery {
  requireKey(row, key);
  return queue(tx, call, row, {
    eventId: newEventId(call.newId()),
    eventType: "webhook.test",
    kind: "TEST",
    cursor: null,
  });
}

/** Queues the event of a delivery once more. Throws `409 events-rewound` where the feed does not have it any more. */
export function queueAgain(tx: Tx, call: Call, row: Endpoint, delivery: Delivery, { key }: WebhookMeans): Delivery {
  requireKey(row, key);
  const { eventId, eventType, cursor } = delivery;
  const claim = cursor === null ? null : readFeedCursor(cursor);
  if (claim !== null) requireHere(tx, row.orgId, claim);
  return queue(tx, call, row, { eventId, eventType, kind: "REDELIVERY", cursor });
}
