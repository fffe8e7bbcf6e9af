// The fields of a webhook endpoint: where events are sent, and which.

import { Type } from "@sinclair/typebox";
import { defaulted, matching, oneOf, optional, text } from "../../kernel/fields.ts";

/** The most types that an endpoint asks for. */
const TYPES_MAX = 50;

/** The body of a new endpoint, but for where it begins. */
export const WEBHOOK_ENDPOINT_FIELDS = {
  url: matching("^https?://", "an https URL", 2000, {
    description:
      "Where events are sent, by `POST`: https, at a public address, with the port 443 or one from 1024; without user " +
      "and fragment. What else is allowed, the server's operator decides (`CAPTABLE_WEBHOOK_ALLOW`).",
    examples: ["https://hooks.example.com/captable"],
  }),
  description: optional(text(200, { description: "What it is for.", examples: ["Payroll"] })),
  types: defaulted(
    {
      ...Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ["transaction.*"] }), {
        description: "The types of events: exact, `security.*`, or `*` for all.",
        uniqueItems: true,
        minItems: 1,
        maxItems: TYPES_MAX,
        examples: [["transaction.*", "security.updated"]],
      }),
    },
    ["*"],
  ),
  include: defaulted(
    oneOf(["ids", "record"], {
      description:
        "`ids`: events as `GET /events` lists them. `record`: with `data.record`, the record as it is when the event " +
        "is sent; null once it is gone, or where the event would be larger than 256 KiB.",
    }),
    "ids",
  ),
  checkpoints: defaulted(
    Type.Boolean({ description: "Whether it gets the signed checkpoints that are kept, too (`checkpoint.kept`)." }),
    false,
  ),
};
