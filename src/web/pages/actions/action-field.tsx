// One field of a guided form, as its kind asks for it.
import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { useOrganization } from "../../frame/page-organization.ts";
import { dayText } from "../../locale.ts";
import { Combobox } from "../../parts/forms/combobox.tsx";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { CheckField, DateField, LongTextField, SelectField, TextField } from "../../parts/forms/field.tsx";
import { SeveralField } from "../../parts/forms/several.tsx";
import type { Form } from "../../parts/forms/use-form.ts";
import { CHOICE_WORDS, FIELD_WORDS, type FieldWords, SECURITY_WORDS } from "../../text/actions/field-words.ts";
import { ACTION } from "../../text/actions/operation-words.ts";
import { COMMON } from "../../text/common.ts";
import { APART } from "./body.ts";
import { ManyField } from "./many.tsx";
import { securityOption, useHolderOptions, useSecurityOptions } from "./options.ts";
import type { Facts, FieldSpec, Values } from "./spec.ts";
import { addressOf } from "./way-back.ts";

/** What every field of a guided form takes. */
export interface ActionFieldProps {
  readonly spec: FieldSpec;
  readonly form: Form<Record<string, string>>;
  readonly facts: Facts;
  /** What the form calls it, where that is not its usual name. */
  readonly words?: FieldWords | undefined;
  /** Where its form is, to come back to from a record that is made first. */
  readonly here?: string;
}

/** The field. */
export function ActionField(props: ActionFieldProps) {
  const { spec, form } = props;
  const { kind, name } = spec;
  if (kind === "holder") return <HolderField {...props} />;
  if (kind === "security") return <SecurityField {...props} />;
  const { hint, label, unit, suffix, empty } = wordsFor(props);
  const field = { ...form.field(name), label, isOptional: spec.isOptional ?? false, ...(hint ? { hint } : {}) };
  switch (kind) {
    case "decimal":
      return (
        <DecimalField
          {...field}
          {...(unit ? { unit } : {})}
          {...(suffix ? { suffix } : {})}
          readOnly={spec.isFixed?.(form.values, props.facts) ?? false}
        />
      );
    case "whole":
      return <TextField {...field} inputMode="numeric" autoComplete="off" />;
    case "day":
      return <DateField {...field} />;
    case "long":
      return <LongTextField {...field} rows={2} />;
    case "check":
      return (
        <CheckField
          {...{ name, label, hint }}
          isChecked={form.values[name] === "true"}
          onChange={(isChecked) => form.set({ [name]: isChecked ? "true" : "" })}
        />
      );
    case "many":
      return <ManyField {...field} choices={choicesOf(props)} />;
    case "several":
      return (
        <SeveralField
          {...{ label, name, hint: hint ?? "", fault: field.fault, isOptional: field.isOptional }}
          chosen={field.value === "" ? [] : field.value.split(APART)}
          options={choicesOf(props)}
          onChange={(chosen) => field.onInput(chosen.join(APART))}
        />
      );
    case "text":
      return (
        <TextField
          {...field}
          autoComplete={spec.autoComplete ?? "off"}
          {...(spec.isEmail ? { type: "email" as const } : {})}
          {...(spec.maxLength === undefined ? {} : { maxLength: spec.maxLength })}
        />
      );
    default:
      return (
        <WithNew {...props}>
          <SelectField {...field} choices={choicesOf(props)} empty={emptyOf(props, empty)} />
        </WithNew>
      );
  }
}

/** Records that can be made from a form that needs them, by the kind of the field; the form comes back with them. */
const MADE: Partial<Record<FieldSpec["kind"], { readonly record: string; readonly label: string }>> = {
  holder: { record: "stakeholder", label: ACTION.newHolder },
  class: { record: "share-class", label: ACTION.newClass },
  plan: { record: "equity-plan", label: ACTION.newPlan },
  terms: { record: "vesting-terms", label: ACTION.newTerms },
  valuation: { record: "valuation", label: ACTION.newValuation },
};

/** A field with the link to what is not there yet. */
function WithNew({ spec, here, children }: ActionFieldProps & { readonly children: ComponentChildren }) {
  const { path } = useOrganization();
  const made = MADE[spec.kind];
  if (made === undefined || here === undefined || spec.isKnown) return <>{children}</>;
  return (
    <div class="with-aside">
      {children}
      <Link class="aside" href={addressOf(path(`/new/${made.record}`), { as: spec.name }, here)}>
        {made.label}
      </Link>
    </div>
  );
}

/** The words of a field; what is said below it may depend on the form. */
function wordsFor({ spec, form, facts, words }: ActionFieldProps): FieldWords {
  const usual = words ?? FIELD_WORDS[spec.name] ?? { label: spec.name };
  const note = spec.note?.(form.values as Values, facts);
  return note ? { ...usual, hint: note } : usual;
}

/** What stands for no choice: nothing where there always is one. */
function emptyOf({ spec }: ActionFieldProps, empty: string | undefined): string {
  return spec.isOptional ? (empty ?? COMMON.none) : COMMON.choose;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

function choicesOf({ spec, facts, words }: ActionFieldProps): readonly Choice[] {
  const named = (records: readonly { readonly id: string; readonly name: string }[]) =>
    records.map(({ id, name }) => ({ value: id, label: name }));
  switch (spec.kind) {
    case "class":
      return named(facts.classes.filter(({ classType }) => !spec.isPreferred || classType === "PREFERRED"));
    case "plan":
      return named(facts.plans);
    case "terms":
      return named(facts.terms);
    case "valuation":
      return facts.valuations.map(({ id, type, pricePerShareToday, effectiveDate }) => {
        return { value: id, label: SECURITY_WORDS.valuation(type, pricePerShareToday, dayText(effectiveDate)) };
      });
    case "condition":
      return conditionsOf(facts);
    default:
      if (spec.name === "stockClassIds") return named(facts.classes);
      if (spec.name === "continues") {
        return facts.leaving.map((each) => {
          const { label, hint } = securityOption(each, facts);
          return { value: each.id, label: `${label}: ${hint}` };
        });
      }
      return (spec.choices ?? []).map((value) => {
        return { value, label: words?.choices?.[value] ?? CHOICE_WORDS[value] ?? value };
      });
  }
}

/** The conditions of the terms that the chosen security follows. */
function conditionsOf({ security, terms }: Facts): readonly Choice[] {
  const own = terms.find(({ id }) => id === security?.vestingTermsId);
  return (own?.vestingConditions ?? []).map(({ id, trigger }) => {
    const { periodLength, periodType, eventDescription } = trigger;
    const isEvent = trigger.type === "EVENT_BASED";
    const label = isEvent
      ? (eventDescription ?? SECURITY_WORDS.event)
      : SECURITY_WORDS.every(periodLength ?? 0, periodType ?? "");
    return { value: id, label };
  });
}

function HolderField(props: ActionFieldProps) {
  const { spec, form, facts } = props;
  const offered = useHolderOptions(form.values[spec.name] ?? "", facts);
  const { label } = wordsFor(props);
  return (
    <WithNew {...props}>
      <Combobox {...form.field(spec.name)} label={label} isOptional={spec.isOptional ?? false} {...offered} />
    </WithNew>
  );
}

function SecurityField(props: ActionFieldProps) {
  const { spec, form, facts } = props;
  const offered = useSecurityOptions(form.values[spec.name] ?? "", spec.securityTypes ?? [], facts);
  const { label, hint } = wordsFor(props);
  return (
    <Combobox
      {...form.field(spec.name)}
      label={label}
      isOptional={spec.isOptional ?? false}
      {...(hint ? { hint } : {})}
      {...offered}
    />
  );
}
