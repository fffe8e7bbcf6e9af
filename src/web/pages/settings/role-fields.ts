// The fields of an invitation and of a member: a role, and the stakeholders that the person is.

import type { Role } from "../../api/session.ts";
import { InvitationCreate } from "../../api/values.ts";
import type { Holders } from "../../frame/holders.ts";
import type { Values } from "../../parts/forms/field-spec.ts";
import { ROLE_NAMES } from "../../text/common.ts";
import { MEMBERS } from "../../text/settings.ts";
import type { FieldSpec } from "../actions/spec.ts";

const isHolder = (role: string | undefined) => role === "STAKEHOLDER";

/** What the chosen role may do. */
export const roleNote = ({ role }: Values): string => MEMBERS.roleWords[role as Role];

/** The fields. A role that sees its own holdings alone needs to be a stakeholder. */
export function roleFields({ options }: Pick<Holders, "options">) {
  const holders = { name: "stakeholderIds", kind: "several", options } as const;
  return [
    {
      name: "role",
      kind: "choice",
      choices: InvitationCreate.role,
      note: roleNote,
    },
    { ...holders, missing: MEMBERS.holdersNeeded, isShown: ({ role }) => isHolder(role) },
    { ...holders, isOptional: true, isShown: ({ role }) => !isHolder(role) },
  ] as const satisfies readonly FieldSpec[];
}

/** Their words. */
export const ROLE_WORDS = {
  role: { label: MEMBERS.role, choices: ROLE_NAMES },
  stakeholderIds: { label: MEMBERS.holdersField, hint: MEMBERS.holdersHint },
};
