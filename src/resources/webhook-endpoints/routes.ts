// Routes of webhook endpoints and their deliveries, for `ADMIN`. A secret is in one answer, once, and nowhere else.

import { type Static, type TObject, Type } from "@sinclair/typebox";
import type { Call } from "../../kernel/call.ts";
import { body } from "../../kernel/fields.ts";
import { pageOf, scopeOf } from "../../storage/database/paging.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { listEnvelope } from "../crud.ts";
import { PAGE_QUERY } from "../list-query.ts";
import { later, type Route, recordPath, type WriteRequest, writeRoute } from "../route.ts";
import type { WebhookMeans } from "./changes.ts";
import { getDelivery, listDeliveries } from "./delivery-store.ts";
import {
  DeliveryShown,
  EndpointCreate,
  EndpointPatch,
  EndpointShown,
  EndpointWithSecret,
  RotateBody,
  SeekBody,
  STATE_FILTER,
  showDelivery,
  showEndpoint,
} from "./shape.ts";
import { getEndpoint, listEndpoints } from "./store.ts";

const ADMIN_ONLY = { tag: "Webhooks", role: "ADMIN", isExtension: true } as const;
const CHANGING = { ...ADMIN_ONLY, scope: "manage-keys", isBatchable: false } as const;
const CONFIRMED = { ...CHANGING, needsConfirmation: true } as const;
const ENDPOINTS = "/api/v1/webhook-endpoints";
const ENDPOINT = `${ENDPOINTS}/:id`;
const DELIVERIES = `${ENDPOINT}/deliveries`;
const SEGMENT = "webhook-endpoints";
const OVERLAP_HOURS = 24;

type Given<S extends TObject> = WriteRequest<Static<S>>;

const changes = () => import("./changes.ts");

function deliveryPath(endpointId: string, id: string): string {
  return `${recordPath(SEGMENT, endpointId)}/deliveries/${encodeURIComponent(id)}`;
}

const readRoutes: readonly Route[] = [
  {
    ...ADMIN_ONLY,
    method: "GET",
    path: ENDPOINTS,
    operationId: "listWebhookEndpoints",
    summary: "List webhook endpoints",
    description: "Newest first.",
    status: 200,
    query: body(PAGE_QUERY),
    response: listEnvelope("items", EndpointShown),
    run(db, { orgId, query }) {
      const page = pageOf(scopeOf(orgId, "webhook_endpoints"), query, ({ before, limit }) =>
        listEndpoints(db, { orgId, before: before ?? Number.MAX_SAFE_INTEGER, limit }),
      );
      const items = page.rows.map((row) => showEndpoint(db, row));
      return { status: 200, json: { items, nextCursor: page.nextCursor } };
    },
  },
  {
    ...ADMIN_ONLY,
    method: "GET",
    path: ENDPOINT,
    operationId: "getWebhookEndpoint",
    summary: "Get a webhook endpoint",
    status: 200,
    problems: [404],
    response: EndpointShown,
    run: (db, { orgId, params }) => ({ status: 200, json: showEndpoint(db, getEndpoint(db, orgId, params.id)) }),
  },
  {
    ...ADMIN_ONLY,
    method: "GET",
    path: DELIVERIES,
    operationId: "listWebhookDeliveries",
    summary: "List deliveries to a webhook endpoint",
    description: "Newest first: the newest 1,000, of the last 30 days. What was sent is not kept.",
    status: 200,
    problems: [404],
    query: body({ ...PAGE_QUERY, state: Type.Optional(STATE_FILTER) }),
    response: listEnvelope("items", DeliveryShown),
    run(db, { orgId, params, query }) {
      const { id: endpointId } = getEndpoint(db, orgId, params.id);
      const state = (query.state ?? "") as Parameters<typeof listDeliveries>[0];
      const page = pageOf(scopeOf(orgId, "webhook_deliveries", { endpointId, state }), query, ({ before, limit }) =>
        listDeliveries(state).all(db, { orgId, endpointId, before: before ?? Number.MAX_SAFE_INTEGER, limit }),
      );
      return { status: 200, json: { items: page.rows.map(showDelivery), nextCursor: page.nextCursor } };
    },
  },
  {
    ...ADMIN_ONLY,
    method: "GET",
    path: `${DELIVERIES}/:deliveryId`,
    operationId: "getWebhookDelivery",
    summary: "Get a delivery to a webhook endpoint",
    status: 200,
    problems: [404],
    response: DeliveryShown,
    run(db, { orgId, params }) {
      const { id: endpointId } = getEndpoint(db, orgId, params.id);
      return { status: 200, json: showDelivery(getDelivery(db, { orgId, endpointId }, params.deliveryId)) };
    },
  },
];

/** The routes of webhooks. */
export function webhookRoutes(means: WebhookMeans): readonly Route[] {
  return [
    ...readRoutes.slice(0, 1),
    writeRoute({
      ...CONFIRMED,
      method: "POST",
      path: ENDPOINTS,
      operationId: "createWebhookEndpoint",
      summary: "Create a webhook endpoint",
      description:
        "Events are sent to it in order, at least once, each signed as Standard Webhooks says. The secret is in this " +
        "answer alone. An organization has at most 16.",
      status: 201,
      isLocated: true,
      problems: [409],
      body: EndpointCreate,
      bodyExample: { url: "https://hooks.example.com/captable", types: ["transaction.*"] },
      response: EndpointWithSecret,
      run: later(changes, ({ makeEndpoint }) => (tx: Tx, call: Call, request: Given<typeof EndpointCreate>) => {
        const { row, secret } = makeEndpoint(tx, call, request.body, means);
        return { status: 201, json: { ...showEndpoint(tx, row), secret }, location: recordPath(SEGMENT, row.id) };
      }),
    }),
    ...readRoutes.slice(1, 2),
    writeRoute({
      ...CONFIRMED,
      method: "PATCH",
      path: ENDPOINT,
      operationId: "updateWebhookEndpoint",
      summary: "Change a webhook endpoint",
      status: 200,
      problems: [404, 409],
      body: EndpointPatch,
      bodyExample: { status: "ENABLED" },
      response: EndpointShown,
      run: later(
        changes,
        ({ patchEndpoint }) =>
          (tx: Tx, call: Call, { params, body: patch }: Given<typeof EndpointPatch>) => {
            const row = patchEndpoint(tx, call, getEndpoint(tx, call.orgId, params.id), patch, means);
            return { status: 200, json: showEndpoint(tx, row) };
          },
      ),
    }),
    writeRoute({
      ...CONFIRMED,
      method: "DELETE",
      path: ENDPOINT,
      operationId: "deleteWebhookEndpoint",
      summary: "Delete a webhook endpoint",
      description: "At once, with the list of its deliveries.",
      status: 204,
      problems: [404],
      run: later(changes, ({ removeEndpoint }) => (tx, call, { params }) => {
        removeEndpoint(tx, call, getEndpoint(tx, call.orgId, params.id));
        return { status: 204 };
      }),
    }),
    ...actionRoutes(means),
    ...readRoutes.slice(2),
    redeliverRoute(means),
  ];
}

function actionRoutes(means: WebhookMeans): readonly Route[] {
  return [
    writeRoute({
      ...CONFIRMED,
      method: "POST",
      path: `${ENDPOINT}/rotate-secret`,
      operationId: "rotateWebhookSecret",
      summary: "Give a webhook endpoint a new secret",
      description: "Both secrets sign for `overlapHours`: each request then has two signatures.",
      status: 200,
      problems: [404, 409],
      isBodyOptional: true,
      body: RotateBody,
      bodyExample: { overlapHours: 24 },
      response: EndpointWithSecret,
      run: later(
        changes,
        ({ rotateSecret }) =>
          (tx: Tx, call: Call, { params, body: { overlapHours } }: Given<typeof RotateBody>) => {
            const before = getEndpoint(tx, call.orgId, params.id);
            const { row, secret } = rotateSecret(tx, call, before, overlapHours ?? OVERLAP_HOURS, means.key);
            return { status: 200, json: { ...showEndpoint(tx, row), secret } };
          },
      ),
    }),
    writeRoute({
      ...CHANGING,
      method: "POST",
      path: `${ENDPOINT}/seek`,
      operationId: "seekWebhookEndpoint",
      summary: "Move a webhook endpoint to another place in the feed",
      description: "Exactly one of the members. Events behind the place are sent, those before it are not.",
      status: 200,
      problems: [404, 409],
      body: SeekBody,
      bodyExample: { latest: true },
      response: EndpointShown,
      run: later(
        changes,
        ({ seekEndpoint }) =>
          (tx: Tx, call: Call, { params, body: asked }: Given<typeof SeekBody>) => {
            const row = seekEndpoint(tx, getEndpoint(tx, call.orgId, params.id), asked);
            return { status: 200, json: showEndpoint(tx, row) };
          },
      ),
    }),
    writeRoute({
      ...CHANGING,
      method: "POST",
      path: `${ENDPOINT}/test`,
      operationId: "testWebhookEndpoint",
      summary: "Send a test to a webhook endpoint",
      description: "An event `webhook.test`, once, out of turn; also to a disabled endpoint.",
      status: 201,
      isLocated: true,
      problems: [404, 409],
      response: DeliveryShown,
      run: later(changes, ({ queueTest }) => (tx, call, { params }) => {
        const endpoint = getEndpoint(tx, call.orgId, params.id);
        const row = queueTest(tx, call, endpoint, means);
        return { status: 201, json: showDelivery(row), location: deliveryPath(endpoint.id, row.id) };
      }),
    }),
  ];
}

function redeliverRoute(means: WebhookMeans): Route {
  return writeRoute({
    ...CHANGING,
    method: "POST",
    path: `${DELIVERIES}/:deliveryId/redeliver`,
    operationId: "redeliverWebhook",
    summary: "Send the event of a delivery once more",
    description: "With the same id, out of turn, once.",
    status: 201,
    isLocated: true,
    problems: [404, 409],
    response: DeliveryShown,
    run: later(changes, ({ queueAgain }) => (tx, call, { params }) => {
      const { orgId } = call;
      const endpoint = getEndpoint(tx, orgId, params.id);
      const delivery = getDelivery(tx, { orgId, endpointId: endpoint.id }, params.deliveryId);
      const row = queueAgain(tx, call, endpoint, delivery, means);
      return { status: 201, json: showDelivery(row), location: deliveryPath(endpoint.id, row.id) };
    }),
  });
}
