// One field of a guided form, as its kind asks for it.
import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { isDecimalText } from "../../../kernel/numbers/decimal.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { dayText, quantityText } from "../../locale.ts";
import { APART } from "../../parts/forms/body.ts";
import { Combobox } from "../../parts/forms/combobox.tsx";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { DisputeChoice } from "../../parts/forms/dispute.tsx";
import { TextField } from "../../parts/forms/field.tsx";
import type { Option } from "../../parts/forms/field-spec.ts";
import { ManyField } from "../../parts/forms/many.tsx";
import { CheckField, DateField, LongTextField, SelectField } from "../../parts/forms/other-fields.tsx";
import { PlainField, propsOf, type SpecFieldProps } from "../../parts/forms/plain-field.tsx";
import { SeveralField } from "../../parts/forms/several.tsx";
import { CHANGES } from "../../text/actions/changes.ts";
import { CHOICE_WORDS, FIELD_WORDS, type FieldWords, labelOf, SECURITY_WORDS } from "../../text/actions/field-words.ts";
import { ACTION } from "../../text/actions/operation-words.ts";
import { COMMON, labelIn } from "../../text/common.ts";
import { securityOption, useHolderOptions, useSecurityOptions } from "./options.ts";
import type { Facts, FieldSpec } from "./spec.ts";
import { addressOf } from "./way-back.ts";

/** What every field of a guided form takes. */
export interface ActionFieldProps extends Omit<DrawnProps, "words"> {
  /** What the form calls it, where that is not its usual name. */
  readonly words?: FieldWords | undefined;
}

interface DrawnProps extends SpecFieldProps<Facts, FieldSpec> {
  /** Where its form is, to come back to from a record that is made first. */
  readonly here?: string;
}

/** The field, and below it the value of another person who has changed it as well. */
export function ActionField({ words: given, ...rest }: ActionFieldProps) {
  const { spec, form } = rest;
  const words = given ?? FIELD_WORDS[spec.name] ?? { label: labelOf(spec.name) };
  const props: DrawnProps = { ...rest, words };
  const dispute = form.disputes?.[spec.name];
  return (
    <div class={dispute ? "disputed" : "undisputed"}>
      <Control {...props} />
      {dispute && <DisputeChoice dispute={dispute} show={(value) => readable(props, String(value ?? ""))} />}
    </div>
  );
}

/** A value of the field as it is read. */
function readable(props: DrawnProps, value: string): string {
  const { spec, facts } = props;
  if (spec.kind === "check") return value === "true" ? CHANGES.yes : CHANGES.no;
  if (value === "") return COMMON.none;
  if (spec.kind === "day") return dayText(value);
  if (spec.kind === "decimal") return isDecimalText(value) ? quantityText(value) : value;
  if (spec.kind === "holder") return facts.holders.get(value)?.displayName ?? value;
  const options = spec.options ?? choicesOf(props);
  const named = (one: string) => options.find((option) => option.value === one)?.label ?? one;
  return options.length > 0 ? value.split(APART).map(named).join(", ") : value;
}

function Control(props: DrawnProps) {
  const { spec, form, facts, words } = props;
  const { unit, suffix, empty = COMMON.none } = words;
  switch (spec.kind) {
    case "holder":
      return <HolderField {...props} />;
    case "security":
      return <SecurityField {...props} />;
    case "whole":
      return <TextField {...propsOf(props)} inputMode="numeric" autoComplete="off" />;
    case "day":
      return <DateField {...propsOf(props)} />;
    case "long":
      return <LongTextField {...propsOf(props)} rows={2} />;
    case "check":
      return <BoxField {...props} />;
    case "decimal":
      return (
        <DecimalField
          {...propsOf(props)}
          {...(unit ? { unit } : {})}
          {...(suffix ? { suffix } : {})}
          readOnly={spec.isFixed?.(form.values, facts) ?? false}
        />
      );
    case "many":
      return <ManyField {...propsOf(props)} choices={choicesOf(props)} />;
    case "several":
      return <SeveralField {...propsOf(props)} options={spec.options ?? choicesOf(props)} />;
    case "choice":
    case "class":
    case "plan":
    case "terms":
    case "valuation":
    case "condition": {
      const field = propsOf(props);
      // Where one is needed and there is one, none is not offered.
      const none = field.isOptional ? { empty } : field.value === "" ? { empty: COMMON.choose } : {};
      return (
        <WithNew {...props}>
          <SelectField {...field} {...none} choices={choicesOf(props)} />
        </WithNew>
      );
    }
    default:
      return <PlainField {...props} />;
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
function WithNew({ spec, here, children }: DrawnProps & { readonly children: ComponentChildren }) {
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

function choicesOf({ spec, form, facts, words }: DrawnProps): readonly Option[] {
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
      return (spec.offered?.(form.values) ?? spec.choices ?? []).map((value) => {
        const hint = words.hints?.[value];
        return { value, label: words.choices?.[value] ?? labelIn(CHOICE_WORDS, value), ...(hint ? { hint } : {}) };
      });
  }
}

/** The conditions of the terms that the chosen security follows. */
function conditionsOf({ security, terms }: Facts): readonly Option[] {
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

function BoxField(props: DrawnProps) {
  const { value, onInput, label, name, hint } = propsOf(props);
  const onChange = (isChecked: boolean) => onInput(isChecked ? "true" : "");
  return <CheckField {...{ label, name, hint, onChange }} isChecked={value === "true"} />;
}

function HolderField(props: DrawnProps) {
  const { spec, form, facts } = props;
  const offered = useHolderOptions(form.values[spec.name] ?? "", facts);
  return (
    <WithNew {...props}>
      <Combobox {...propsOf(props)} {...offered} />
    </WithNew>
  );
}

function SecurityField(props: DrawnProps) {
  const { spec, form, facts } = props;
  const offered = useSecurityOptions(form.values[spec.name] ?? "", spec.securityTypes ?? [], facts);
  return <Combobox {...propsOf(props)} {...offered} />;
}
