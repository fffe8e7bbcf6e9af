// The fields of a member: a person's role in an organization, and the stakeholders that the person is.
import { defaulted, id, listOf, oneOf } from "../../kernel/fields.ts";
import { ROLES } from "./api-key.ts";

/** The roles of members, lowest first: a `STAKEHOLDER` sees what is its own, the others may do what a key of the role may. */
export const MEMBER_ROLES = ["STAKEHOLDER", ...ROLES] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** The most stakeholders of one member. */
export const STAKEHOLDERS_OF_MEMBER_MAX = 20;

/** The body of a member, and the member that an invitation creates. */
export const MEMBER_FIELDS = {
  role: oneOf(MEMBER_ROLES, { description: "What the person may do in the organization." }),
  stakeholderIds: defaulted(
    {
      ...listOf(id(), { description: "The stakeholders that the person is: the portal shows their holdings." }),
      maxItems: STAKEHOLDERS_OF_MEMBER_MAX,
    },
    [],
  ),
};
