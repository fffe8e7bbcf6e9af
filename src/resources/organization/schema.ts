// Schemas of the organization: request bodies and answers.
import { Type } from "@sinclair/typebox";
import { body, id, nullable, oneOf, optional, patchOf } from "../../kernel/fields.ts";
import {
  ORGANIZATION_CURRENCY,
  ORGANIZATION_FIELDS,
  ORGANIZATION_STATES,
  ORGANIZATION_SWITCHES,
  VOTES_ROUNDING,
} from "../../storage/records/organization.ts";
import { shown, timestamp } from "../present.ts";

const OrganizationFields = body({
  ...ORGANIZATION_FIELDS,
  ...ORGANIZATION_SWITCHES,
  votesRounding: VOTES_ROUNDING,
  currency: optional(ORGANIZATION_CURRENCY),
});
/** The body of `PATCH /organization`. */
export const OrganizationPatch = patchOf(OrganizationFields);
/** The organization as answers show it. */
export const Organization = Type.Object({
  id: id({ description: "Identifies the organization." }),
  ...shown(ORGANIZATION_FIELDS),
  ...ORGANIZATION_SWITCHES,
  votesRounding: VOTES_ROUNDING,
  currency: ORGANIZATION_CURRENCY,
  state: oneOf(ORGANIZATION_STATES, {
    description:
      "`CLOSED`: it takes no writes (`409 organization-closed`), and its jobs and endpoints rest; reads, events and " +
      "exports go on. The operator closes and reopens it.",
  }),
  ocfIssuerId: nullable(id({ description: "The id of the issuer that an import brought first." })),
  createdAt: timestamp({ description: "When the organization was made." }),
  updatedAt: timestamp({ description: "When it last changed." }),
});
