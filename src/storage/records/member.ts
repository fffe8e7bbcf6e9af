// The fields of a member: what a person may do in an organization, and which of its stakeholders the person is.
import { defaulted, id, listOf, oneOf } from "../../kernel/fields.ts";
import { ROLES } from "./api-key.ts";

/** The roles of members, lowest first: a `STAKEHOLDER` sees what is its own, the others may do what a key of the role may. */
export const MEMBER_ROLES = ["STAKEHOLDER", ...ROLES] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** How many stakeholders one member may be. */
export const STAKEHOLDERS_OF_MEMBER_MAX = 20;

/** What anybody may say of a member, and of whom an invitation makes one. */
export const MEMBER_FIELDS = {
  role: oneOf(MEMBER_ROLES),
  stakeholderIds: defaulted(
    {
      ...listOf(id(), { description: "The stakeholders that the person is: what these hold is shown in the portal." }),
      maxItems: STAKEHOLDERS_OF_MEMBER_MAX,
    },
    [],
  ),
};
