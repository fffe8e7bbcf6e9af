// The typed client from its sources, with the modules that are made for it.
import { makeClientTypes } from "../../.ci/api-types.ts";

await makeClientTypes();

export const { Captable, ConnectionError, ProblemError, verifyWebhook, WebhookVerificationError } = await import(
  "../../cli/client/index.ts"
);
export const { Sender } = await import("../../cli/client/sender.ts");
export const { eventsOf } = await import("../../cli/client/events.ts");
