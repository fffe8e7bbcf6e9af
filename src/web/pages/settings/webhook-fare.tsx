// How a webhook endpoint fares, in a word and a sentence, and what it is called.
import type { Schemas } from "../../api/client.ts";
import { Instant } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { WEBHOOKS } from "../../text/settings.ts";

/** An endpoint. */
export type Endpoint = Schemas["WebhookEndpoint"];

/** What an endpoint is called: its description, else its address. */
export function nameOf({ description, url }: Pick<Endpoint, "description" | "url">): string {
  return description ?? url;
}

/** How an endpoint fares, in a word and a sentence. */
export function Fare({ endpoint }: { readonly endpoint: Endpoint }) {
  const { status, disabledReason, lastError, failingSince } = endpoint;
  if (status === "DISABLED") {
    return (
      <>
        <Badge tone="plain">{WEBHOOKS.states.DISABLED}</Badge>
        {disabledReason && <div class="note small">{WEBHOOKS.reasons[disabledReason]}</div>}
      </>
    );
  }
  if (lastError === null) return <Badge tone="good">{WEBHOOKS.states.ENABLED}</Badge>;
  return (
    <>
      <Badge tone="bad">{WEBHOOKS.failing}</Badge>
      <div class="note small">
        {WEBHOOKS.errors[lastError]} {failingSince && <Instant value={failingSince} />}
      </div>
    </>
  );
}
