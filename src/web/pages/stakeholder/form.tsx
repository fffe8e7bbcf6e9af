// The form of a stakeholder, for changes in place; a new one is made on `/new/stakeholder`.
import { type Schemas, write } from "../../api/client.ts";
import { useOrganization } from "../../frame/organization.ts";
import { CheckField, LongTextField, SelectField, TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { type Form as FormState, useForm } from "../../parts/forms/use-form.ts";
import { toast } from "../../parts/toast.tsx";
import { COMMON, FIELD_FAULTS } from "../../text/common.ts";
import { choicesOf, REGISTER } from "../../text/register.ts";
import { STAKEHOLDERS } from "../../text/stakeholders.ts";

type Stakeholder = Schemas["Stakeholder"];
type Relationship = Stakeholder["relationships"][number];

interface Values {
  readonly displayName: string;
  readonly "name.legalName": string;
  readonly "name.firstName": string;
  readonly "name.lastName": string;
  readonly type: Stakeholder["type"];
  readonly status: Stakeholder["status"];
  readonly relationships: readonly Relationship[];
  readonly email: string;
  readonly issuerAssignedId: string;
  readonly comments: string;
}

function valuesOf({ displayName, name, type, status, relationships, ...given }: Stakeholder): Values {
  return {
    ...{ displayName, type, status, relationships },
    "name.legalName": name.legalName,
    "name.firstName": name.firstName ?? "",
    "name.lastName": name.lastName ?? "",
    email: given.email ?? "",
    issuerAssignedId: given.issuerAssignedId ?? "",
    comments: given.comments ?? "",
  };
}

const orNull = (text: string) => text.trim() || null;

function bodyOf(values: Values) {
  const { displayName, type, status, relationships } = values;
  const legalName = values["name.legalName"].trim() || displayName.trim();
  const person = { firstName: orNull(values["name.firstName"]), lastName: orNull(values["name.lastName"]) };
  return {
    ...{ type, status, relationships: [...relationships], displayName: displayName.trim() },
    name: { legalName, ...(type === "INDIVIDUAL" ? person : { firstName: null, lastName: null }) },
    email: orNull(values.email),
    issuerAssignedId: orNull(values.issuerAssignedId),
    comments: orNull(values.comments),
  };
}

/** Only what is another: a member that nobody touched is not written anew. */
function changesOf(before: Values, after: Values) {
  const [was, is] = [Object.entries(bodyOf(before)), bodyOf(after)];
  const same = was.filter(([name, value]) => JSON.stringify(value) === JSON.stringify(is[name as keyof typeof is]));
  return Object.fromEntries(Object.entries(is).filter(([name]) => !same.some(([other]) => other === name)));
}

function check({ displayName, email }: Values) {
  return {
    displayName: displayName.trim() ? undefined : COMMON.required,
    email: email.trim() === "" || /^\S+@\S+\.\S+$/.test(email.trim()) ? undefined : FIELD_FAULTS.email,
  };
}

/** What is known of somebody, to be changed. */
export function EditStakeholder({ stakeholder }: { readonly stakeholder: Stakeholder }) {
  const { api } = useOrganization();
  const before = valuesOf(stakeholder);
  const form = useForm({
    initial: before,
    check,
    send: (values) => {
      const params = { path: { id: stakeholder.id } };
      return write(api.PATCH("/api/v1/stakeholders/{id}", { body: changesOf(before, values), params }));
    },
    done: () => toast(STAKEHOLDERS.saved),
  });
  return (
    <Form form={form} submit={STAKEHOLDERS.save} label={STAKEHOLDERS.identity}>
      <Fields form={form} />
      <SelectField label={REGISTER.status} {...form.field("status")} choices={choicesOf(REGISTER.holderStatuses)} />
    </Form>
  );
}

function Fields({ form }: { readonly form: FormState<Values> }) {
  const { type, relationships } = form.values;
  const toggle = (each: Relationship, isOn: boolean) =>
    form.set({ relationships: isOn ? [...relationships, each] : relationships.filter((other) => other !== each) });
  return (
    <>
      <div class="fields-2">
        <TextField label={STAKEHOLDERS.displayName} {...form.field("displayName")} autoComplete="off" maxLength={100} />
        <SelectField label={REGISTER.type} {...form.field("type")} choices={choicesOf(REGISTER.holderTypes)} />
      </div>
      <TextField
        label={STAKEHOLDERS.legalName}
        {...form.field("name.legalName")}
        isOptional
        hint={STAKEHOLDERS.legalNameHint}
        autoComplete="off"
      />
      {type === "INDIVIDUAL" && (
        <div class="fields-2">
          <TextField label={STAKEHOLDERS.firstName} {...form.field("name.firstName")} isOptional autoComplete="off" />
          <TextField label={STAKEHOLDERS.lastName} {...form.field("name.lastName")} isOptional autoComplete="off" />
        </div>
      )}
      <div class="fields-2">
        <TextField label={STAKEHOLDERS.email} {...form.field("email")} type="email" isOptional autoComplete="off" />
        <TextField label={STAKEHOLDERS.issuerId} {...form.field("issuerAssignedId")} isOptional autoComplete="off" />
      </div>
      <fieldset class="field">
        <legend class="label">{STAKEHOLDERS.relationships}</legend>
        <div class="check-grid">
          {choicesOf(REGISTER.relationships).map(({ value, label }) => (
            <CheckField
              key={value}
              name={`relationship-${value}`}
              label={label}
              isChecked={relationships.includes(value)}
              onChange={(isOn) => toggle(value, isOn)}
            />
          ))}
        </div>
      </fieldset>
      <LongTextField label={REGISTER.comments} {...form.field("comments")} isOptional />
    </>
  );
}
