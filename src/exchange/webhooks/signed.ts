// Signed requests (Standard Webhooks): an event as compact JSON with the headers that name and sign it, by two secrets
// during the overlap of a rotation.
import { Webhook } from "standardwebhooks";
import { dateOf, toTimestamp } from "../../kernel/runtime.ts";
import { VERSION } from "../../kernel/version.ts";
import type { OpenedWebhookKey } from "../../resources/webhook-endpoints/webhook-key.ts";
import type { Outgoing } from "./connection.ts";

const SECOND_MS = 1000;

/** The secrets of an endpoint: its row's columns. */
export interface Signing {
  readonly id: string;
  readonly secretVersion: number;
  readonly previousSecretUntil: string | null;
}

/** The request that delivers an event to `url`. */
export function signedRequest(
  event: { readonly id: string; readonly body: string },
  {
    url,
    nowMs,
    key,
    by,
  }: { readonly url: string; readonly nowMs: number; readonly key: OpenedWebhookKey; readonly by: Signing },
): Outgoing {
  const at = toTimestamp(nowMs);
  const { id, secretVersion, previousSecretUntil } = by;
  const overlaps = previousSecretUntil !== null && previousSecretUntil > at;
  const versions = overlaps ? [secretVersion, secretVersion - 1] : [secretVersion];
  const signatures = versions.map((version) =>
    new Webhook(key.secretOf({ id, version })).sign(event.id, dateOf(at), event.body),
  );
  return {
    url,
    body: event.body,
    headers: {
      "content-type": "application/json",
      "user-agent": `captable/${VERSION}`,
      "webhook-id": event.id,
      "webhook-timestamp": String(Math.floor(nowMs / SECOND_MS)),
      "webhook-signature": signatures.join(" "),
    },
  };
}
