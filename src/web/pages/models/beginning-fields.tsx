// Fields of a model's starting point: the saved round before it, and planned securities.

import { useClasses, usePlans } from "../../frame/lists/register-lists.ts";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { DateField } from "../../parts/forms/other-fields.tsx";
import { BEGINNING } from "../../text/models/beginning-words.ts";
import { EMPTY_ROW, fieldsOf } from "./add-body.ts";
import { afterRound, type Beginning, ITS_OWN, neededOf } from "./beginning-values.ts";
import type { Scenario } from "./keep.tsx";
import { ChoiceField, Group, type ModelForm, Rows } from "./model-fields.tsx";
import type { ModelValues } from "./values.ts";
import { WhoField } from "./who-field.tsx";

/** What the chosen round stands for, the choices there are, and how many securities stand before those of the form. */
export function beginningFor(values: ModelValues, opened: Scenario | null, all: readonly Scenario[]) {
  const before = (opened?.input ?? {}) as Beginning;
  const rounds = all.filter(({ model, id }) => model === "ROUND" && id !== opened?.id);
  const chosen = rounds.find(({ id }) => id === values.from);
  const own = values.from === ITS_OWN ? { rounds: before.rounds } : {};
  const first: Beginning = chosen ? afterRound(chosen.input as object) : own;
  const choices: Readonly<Record<string, string>> = {
    "": BEGINNING.today,
    ...(before.rounds?.length ? { [ITS_OWN]: BEGINNING.own } : {}),
    ...Object.fromEntries(rounds.map(({ id, name }) => [id, BEGINNING.after(name)])),
  };
  return { first, choices, skipped: neededOf(values, first).length };
}

/** The choice of an earlier round; renders nothing without saved rounds. */
export function FromField({
  form,
  choices,
}: {
  readonly form: ModelForm;
  readonly choices: Readonly<Record<string, string>>;
}) {
  if (Object.keys(choices).length === 1) return null;
  return <ChoiceField form={form} name="from" label={BEGINNING.from} choices={choices} />;
}

/** The rows of securities that are not there. */
export function AddedInputs({ form }: { readonly form: ModelForm }) {
  return (
    <Group title={BEGINNING.added} isMore isOpen={form.values.add !== "0"}>
      <p class="note">{BEGINNING.addedWords}</p>
      <Rows
        form={form}
        list="add"
        label={BEGINNING.security}
        add={BEGINNING.add}
        least={0}
        empty={EMPTY_ROW}
        row={(name) => <AddedRow form={form} name={name} />}
      />
    </Group>
  );
}

type FieldName = keyof typeof BEGINNING.fields;

function AddedRow({ form, name }: { readonly form: ModelForm; readonly name: string }) {
  const classes = useClasses().data?.items ?? [];
  const plans = usePlans().data?.items ?? [];
  const kind = form.values[`${name}.kind`] ?? "";
  const choices: { readonly [field in FieldName]?: Readonly<Record<string, string>> } = {
    stockClassId: { "": BEGINNING.choose, ...Object.fromEntries(classes.map((each) => [each.id, each.name])) },
    equityPlanId: { "": BEGINNING.choose, ...Object.fromEntries(plans.map((each) => [each.id, each.planName])) },
    timing: BEGINNING.timings,
  };
  const field = (each: FieldName) => {
    const label = each === "quantity" ? (BEGINNING.quantities[kind] ?? BEGINNING.quantity) : BEGINNING.fields[each];
    const given = { label, ...form.field(`${name}.${each}`) };
    const among = choices[each];
    if (among) return <ChoiceField key={each} form={form} name={given.name} label={label} choices={among} />;
    if (each === "who") return <WhoField key={each} {...given} />;
    if (each === "date") return <DateField key={each} {...given} isOptional />;
    const suffix = each === "discountPercent" || each === "interestRate" ? { suffix: "%" } : {};
    return <DecimalField key={each} {...given} {...suffix} isOptional={each !== "quantity"} />;
  };
  return (
    <div class="fields-2">
      <ChoiceField form={form} name={`${name}.kind`} label={BEGINNING.kind} choices={BEGINNING.kinds} />
      {field("quantity")}
      {fieldsOf(kind).map((each) => field(each as FieldName))}
    </div>
  );
}
