// What members and invitations have in common: who may ask, and members of their answers.
import { Type } from "@sinclair/typebox";
import { id, oneOf, text } from "../kernel/fields.ts";
import { timestamp } from "../resources/present.ts";
import { MEMBER_ROLES } from "../storage/records/member.ts";

/** What only administrators are told. */
export const ADMIN_ONLY = { tag: "Members", role: "ADMIN", isExtension: true } as const;
/** What only administrators change, and whoever has just confirmed who it is. */
export const CHANGING = { ...ADMIN_ONLY, scope: "manage-keys", needsConfirmation: true } as const;

/** Members of both answers. */
export const MEMBER_SHAPE = {
  email: text(254, { description: "As it was typed.", examples: ["grace@example.com"] }),
  role: oneOf(MEMBER_ROLES),
  stakeholderIds: Type.Array(id(), { description: "The stakeholders that the person is." }),
};

/** Until when a link works. */
export const LINK_ENDS = timestamp({ description: "Until when the link works." });
