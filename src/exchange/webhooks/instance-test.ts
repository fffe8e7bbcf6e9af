// A test of an endpoint of the instance: one signed request, by the command that asks for it.
import { newEventId } from "../../kernel/event-id.ts";
import { systemRuntime, toTimestamp } from "../../kernel/runtime.ts";
import type { WebhookKey } from "../../resources/webhook-endpoints/webhook-key.ts";
import type { FollowSettings } from "../../storage/follow/follower.ts";
import type { InstanceEndpoint } from "../../storage/follow/instance-store.ts";
import { Connection, type Sent } from "./connection.ts";
import { signedRequest } from "./signed.ts";

/** Sends `webhook.test` to an endpoint; gives what became of it. */
export async function send(
  endpoint: InstanceEndpoint,
  { config, key: keyFile }: { readonly config: Pick<FollowSettings, "webhookAllow">; readonly key: WebhookKey },
): Promise<Sent> {
  const key = keyFile.find();
  if (key?.fingerprint !== endpoint.keyFingerprint) {
    return { error: "key-missing", responseStatus: null, retryAfterMs: null };
  }
  const nowMs = systemRuntime.nowMs();
  const id = newEventId(systemRuntime.newId());
  const body = JSON.stringify({ id, type: "webhook.test", timestamp: toTimestamp(nowMs), data: { orgId: null } });
  const by = { ...endpoint, previousSecretUntil: null };
  const connection = new Connection({ allowed: config.webhookAllow, nowMs: () => systemRuntime.nowMs() });
  try {
    return await connection.send(signedRequest({ id, body }, { url: endpoint.url, nowMs, key, by }));
  } finally {
    connection.close();
  }
}
