// The fields of an invitation and of a member: a role, and the stakeholders that the person is.
import { ROLES, type Role } from "../../api/session.ts";
import type { Holders } from "../../frame/holders.ts";
import { SelectField } from "../../parts/forms/field.tsx";
import { SeveralField } from "../../parts/forms/several.tsx";
import type { Form } from "../../parts/forms/use-form.ts";
import { ROLE_NAMES } from "../../text/common.ts";
import { MEMBERS } from "../../text/settings.ts";

/** What these fields hold. */
export interface RoleValues {
  readonly role: Role;
  readonly stakeholderIds: readonly string[];
}

/** What is wrong with them. */
export function roleFaults({ role, stakeholderIds }: RoleValues) {
  return {
    stakeholderIds: role === "STAKEHOLDER" && stakeholderIds.length === 0 ? MEMBERS.holdersNeeded : undefined,
  };
}

/** The fields. */
export function RoleFields<V extends RoleValues>({
  form,
  holders,
}: {
  readonly form: Form<V>;
  readonly holders: Holders;
}) {
  const { role, stakeholderIds } = form.values;
  return (
    <>
      <SelectField
        label={MEMBERS.role}
        {...form.field("role")}
        choices={ROLES.map((value) => ({ value, label: ROLE_NAMES[value] }))}
        hint={MEMBERS.roleWords[role]}
      />
      <SeveralField
        label={MEMBERS.holdersField}
        name="stakeholderIds"
        chosen={stakeholderIds}
        options={holders.options}
        onChange={(chosen) => form.set({ stakeholderIds: chosen } as Partial<V>)}
        isOptional={role !== "STAKEHOLDER"}
        hint={MEMBERS.holdersHint}
        fault={form.faults.stakeholderIds}
      />
    </>
  );
}
