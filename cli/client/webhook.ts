// Webhooks: checks that a request came from the server, and gives its event.
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import type { CaptableEvent } from "./events.ts";

export { WebhookVerificationError };

/** Headers of a request: as `fetch` has them, or as `node:http`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** An event by webhook: where the endpoint asks for records, with the record as it was when it was sent. */
export type WebhookEvent = CaptableEvent & {
  readonly data: { readonly record?: Readonly<Record<string, unknown>> | null };
};

const NAMES = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/**
 * Verifies a request by its body's bytes as they came, its headers, and the endpoint's secrets (`whsec_…`; two while
 * one is being replaced): the event. Throws `WebhookVerificationError` where no secret fits, or it is older than five
 * minutes.
 */
export function verifyWebhook(
  body: Uint8Array | string,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
): WebhookEvent {
  const payload = typeof body === "string" ? body : textOf(body);
  const given = Object.fromEntries(NAMES.map((name) => [name, headerOf(headers, name)]));
  let failure: unknown = new WebhookVerificationError("no secret was given");
  for (const secret of [secrets].flat()) {
    try {
      new Webhook(secret).verify(payload, given, { jsonParse: false });
      return JSON.parse(payload) as WebhookEvent;
    } catch (thrown) {
      failure = thrown;
    }
  }
  throw failure instanceof WebhookVerificationError ? failure : new WebhookVerificationError("it cannot be verified");
}

function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new WebhookVerificationError("the body is no UTF-8");
  }
}

/** A header whatever its letters; "" without it. */
function headerOf(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? [];
  return [value ?? ""].flat()[0] ?? "";
}
