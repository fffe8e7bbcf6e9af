// The form of an exit: when, from which cap table on, what is deducted, and terms that are tried out.
import { useClasses } from "../../frame/lists/register-lists.ts";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { TextField } from "../../parts/forms/field.tsx";
import { DateField } from "../../parts/forms/other-fields.tsx";
import { EXIT } from "../../text/models/exit.ts";
import { AddedInputs, FromField } from "./beginning-fields.tsx";
import { MULTIPLE, PART, RANK } from "./exit-body.ts";
import { ChoiceField, Group, type ModelForm, Rows } from "./model-fields.tsx";

/** All fields; `choices` are what the exit can begin with. */
export function ExitInputs({
  form,
  choices,
}: {
  readonly form: ModelForm;
  readonly choices: Readonly<Record<string, string>>;
}) {
  const preferred = (useClasses().data?.items ?? []).filter(({ classType }) => classType === "PREFERRED");
  return (
    <>
      <Group title={EXIT.basics}>
        <div class="fields-2">
          <DateField label={EXIT.exitDate} {...form.field("exitDate")} />
          <DecimalField label={EXIT.upTo} {...form.field("range.to")} />
        </div>
        <FromField form={form} choices={choices} />
        <ChoiceField form={form} name="unvested" label={EXIT.unvested} choices={EXIT.unvesteds} />
      </Group>
      <Group title={EXIT.deductions}>
        <Rows
          form={form}
          list="deductions"
          label={EXIT.deduction}
          add={EXIT.addDeduction}
          least={0}
          empty={{ name: "", amount: "", of: "EXIT_VALUE" }}
          row={(name) => (
            <>
              <TextField label={EXIT.deductionName} {...form.field(`${name}.name`)} autoComplete="off" />
              <DecimalField label={EXIT.deductionAmount} hint={EXIT.deductionHint} {...form.field(`${name}.amount`)} />
              <ChoiceField form={form} name={`${name}.of`} label={EXIT.deductionOf} choices={EXIT.deductionOfs} />
            </>
          )}
        />
      </Group>
      <AddedInputs form={form} />
      {preferred.length > 0 && (
        <Group title={EXIT.terms} isMore>
          <p class="note">{EXIT.termsHint}</p>
          {preferred.map(({ id, name }) => (
            <div key={id} class="fields-2">
              <DecimalField label={EXIT.preference(name)} {...form.field(MULTIPLE + id)} isOptional />
              <TextField label={EXIT.seniority(name)} {...form.field(RANK + id)} inputMode="numeric" isOptional />
              <ChoiceField
                form={form}
                name={PART + id}
                label={EXIT.participating(name)}
                choices={{ "": EXIT.asIs, YES: EXIT.yes, NO: EXIT.no }}
              />
            </div>
          ))}
        </Group>
      )}
    </>
  );
}
