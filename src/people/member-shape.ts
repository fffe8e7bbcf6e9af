// Common schema members of members and invitations.
import { Type } from "@sinclair/typebox";
import { defaulted, EXTENSION, id, oneOf, text } from "../kernel/fields.ts";
import { timestamp } from "../resources/present.ts";
import { MEMBER_ROLES } from "../storage/records/member.ts";

/** Reads for administrators only. */
export const ADMIN_ONLY = { tag: "Members", role: "ADMIN", isExtension: true } as const;
/** Writes for administrators only, with a recent proof of identity. */
export const CHANGING = { ...ADMIN_ONLY, scope: "manage-keys", needsConfirmation: true, isBatchable: false } as const;

/** Members of both answers. */
export const MEMBER_SHAPE = {
  email: text(254, { description: "As it was typed.", examples: ["grace@example.com"] }),
  role: oneOf(MEMBER_ROLES, { description: "What the person may do in the organization." }),
  stakeholderIds: Type.Array(id(), { description: "The stakeholders that the person is." }),
};

/** Whether the server sends the link by mail, too. */
export const IS_MAILED = defaulted(
  Type.Boolean({
    description: "True to have the server send the link by mail; `422` where it sends none.",
    ...EXTENSION,
  }),
  false,
);

/** When a link expires. */
export const LINK_ENDS = timestamp({ description: "Until when the link works." });
