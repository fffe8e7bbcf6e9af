// The editor of vesting terms: templates, conditions as rows, and beside it what vests when.
import type { ComponentChildren } from "preact";
import { useLocation, useSearchParams } from "wouter-preact";
import type { VestingRules } from "../../../ledger/vesting/vesting-types.ts";
import type { Query } from "../../api/query.ts";
import { changeTagged, type Tagged } from "../../api/tagged.ts";
import { useDraftName } from "../../frame/draft.ts";
import { type AnyMembers, createRecord } from "../../frame/operation-calls.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { DisputeChoice } from "../../parts/forms/dispute.tsx";
import { TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { isSame } from "../../parts/forms/merging.ts";
import { LongTextField, SelectField } from "../../parts/forms/other-fields.tsx";
import { useBasis, useChangeForm } from "../../parts/forms/use-change-form.tsx";
import { type Form as FormState, useForm } from "../../parts/forms/use-form.ts";
import { toast } from "../../parts/toast.tsx";
import { SECURITY_WORDS } from "../../text/actions/field-words.ts";
import { COMMON } from "../../text/common.ts";
import { RECORD, TERMS } from "../../text/records.ts";
import type { Facts } from "../actions/spec.ts";
import { afterwards } from "./record-form.tsx";
import { TermsInUse } from "./terms-in-use.tsx";
import { TermsPreview } from "./terms-preview.tsx";
import { TermsRow } from "./terms-row.tsx";
import {
  conditionsOf,
  newRow,
  type Row,
  rowFaults,
  rowsFrom,
  rowsOf,
  TEMPLATES,
  type Template,
  triggerTypeOf,
} from "./terms-rows.ts";

/** Terms as the API tells them. */
export type TermsRecord = AnyMembers & Facts["terms"][number];
type Conditions = TermsRecord["vestingConditions"];
type Method = VestingRules["allocationMethod"];

interface Values {
  readonly name: string;
  readonly description: string;
  readonly allocationMethod: string;
  readonly vestingConditions: readonly Row[];
}

const METHODS = Object.entries(TERMS.methods).map(([value, label]) => ({ value, label }));
const PAGES = ["/classes-and-plans"];

function valuesOf(record: TermsRecord | null): Values {
  if (record === null) return { ...fromTemplate("CLIFF"), allocationMethod: "CUMULATIVE_ROUND_DOWN" };
  const { name, description, allocationMethod, vestingConditions } = record;
  return { name, description: description ?? "", allocationMethod, vestingConditions: rowsFrom(vestingConditions) };
}

function fromTemplate(template: Template) {
  return {
    name: TERMS.template[template],
    description: TERMS.about[template],
    vestingConditions: rowsOf(template, (number) => `${TERMS.event} ${number}`),
  };
}

/** What is wrong with what was typed. `known` are the conditions that the terms have already. */
function faultsOf({ name, description, vestingConditions }: Values, known: Conditions) {
  const conditions = conditionsOf(vestingConditions, known);
  const isWhole = conditions !== null && rowFaults(conditions).size === 0;
  return {
    name: name.trim() ? undefined : COMMON.required,
    description: description.trim() ? undefined : COMMON.required,
    vestingConditions: isWhole ? undefined : TERMS.fault,
  };
}

/** What is sent of the conditions. */
function conditionsIn(rows: readonly Row[], known: Conditions) {
  const vestingConditions = conditionsOf(rows, known) ?? [];
  return { vestingConditions, triggerType: triggerTypeOf(vestingConditions) };
}

/** The editor of new terms. */
export function TermsForm() {
  const { api, path } = useOrganization();
  const [, go] = useLocation();
  const [query] = useSearchParams();
  const form = useForm<Values, string>({
    draft: useDraftName(),
    initial: valuesOf(null),
    check: (values) => faultsOf(values, []),
    async send({ vestingConditions, ...values }, key) {
      const body = { ...values, ...conditionsIn(vestingConditions, []) };
      return (await createRecord(api, "vesting-terms", body, key)).id;
    },
    done(id) {
      toast(TERMS.added);
      go(afterwards(query, { path }, id, PAGES));
    },
  });
  return (
    <Editor form={form} known={[]} submit={TERMS.add} schedule={undefined}>
      <div class="templates">
        <p class="label">{TERMS.templates}</p>
        <div class="row">
          {TEMPLATES.map((template) => (
            <Button key={template} onClick={() => form.set(fromTemplate(template))}>
              {TERMS.template[template]}
            </Button>
          ))}
        </div>
      </div>
    </Editor>
  );
}

interface ChangeTermsProps {
  readonly tagged: Tagged<TermsRecord>;
  readonly query: Query<Tagged<TermsRecord>>;
}

const LABELS: Readonly<Record<string, string>> = {
  name: TERMS.name,
  description: TERMS.description,
  allocationMethod: TERMS.allocation,
  vestingConditions: TERMS.conditions,
};

/** The editor of terms that there are. */
export function ChangeTerms({ tagged, query: read }: ChangeTermsProps) {
  const { api, path } = useOrganization();
  const [, go] = useLocation();
  const [query] = useSearchParams();
  const changing = { tagged, query: read, valuesOf, labelOf: (name: string) => LABELS[name] ?? name };
  const basis = useBasis<TermsRecord, Values>(changing);
  const { record } = basis.current;
  const { id, vestingConditions: known, schedule } = record;
  /** The members that were touched. */
  const changesOf = (values: Values) => {
    const { values: began } = basis.current;
    const names = (Object.keys(values) as (keyof Values)[]).filter((name) => !isSame(values[name], began[name]));
    const { vestingConditions: rows, ...others } = Object.fromEntries(names.map((name) => [name, values[name]]));
    return rows === undefined ? others : { ...others, ...conditionsIn(rows as readonly Row[], known) };
  };
  const form = useChangeForm<TermsRecord, Values, boolean>(
    {
      check: (values) => faultsOf(values, known),
      async send(values) {
        const body = changesOf(values);
        if (Object.keys(body).length === 0) return false;
        await changeTagged(api, `/api/v1/vesting-terms/${id}`, body, basis.current.tag);
        return true;
      },
      done(isChanged) {
        toast(isChanged ? RECORD.saved : RECORD.unchanged);
        go(afterwards(query, { path }, id, PAGES));
      },
    },
    changing,
    basis,
  );
  return (
    <Editor
      {...{ form, known, schedule }}
      submit={RECORD.save}
      beside={(rules) => <TermsInUse id={id} changes={rules && bearing(changesOf(form.values))} />}
    />
  );
}

interface EditorProps {
  readonly form: FormState<Values>;
  readonly known: Conditions;
  readonly schedule: VestingRules["schedule"];
  readonly submit: string;
  /** Above the fields. */
  readonly children?: ComponentChildren;
  /** Beside the form, of what it makes; null while that is no schedule. */
  readonly beside?: (rules: VestingRules | null) => ComponentChildren;
}

function Editor({ form, known, schedule, submit, children, beside }: EditorProps) {
  const { vestingConditions: rows, allocationMethod } = form.values;
  const conditions = conditionsOf(rows, known);
  const faults = conditions ? rowFaults(conditions) : new Map<number, string>();
  const rules =
    conditions && conditions.length > 0 && faults.size === 0
      ? { allocationMethod: allocationMethod as Method, vestingConditions: conditions, schedule }
      : null;
  const setRows = (vestingConditions: readonly Row[]) => form.set({ vestingConditions });
  const disputed = (name: keyof Values, show: (value: unknown) => string = String) => {
    const dispute = form.disputes?.[name];
    return dispute && <DisputeChoice dispute={dispute} show={show} />;
  };
  return (
    <div class="guided">
      <div>
        <Form form={form} submit={submit} label={TERMS.create}>
          {children}
          <div class="disputed">
            <TextField label={TERMS.name} {...form.field("name")} autoComplete="off" />
            {disputed("name")}
          </div>
          <div class="disputed">
            <LongTextField label={TERMS.description} {...form.field("description")} rows={2} />
            {disputed("description")}
          </div>
          <section class="form-group" aria-label={TERMS.conditions}>
            <h2>{TERMS.conditions}</h2>
            {disputed("vestingConditions", (value) => (value as readonly Row[]).map(rowText).join("; "))}
            {rows.map((row, index) => (
              <TermsRow
                key={row.id}
                row={row}
                number={index + 1}
                others={othersOf(rows, row)}
                fault={faults.get(index)}
                onChange={(changes) =>
                  setRows(rows.map((each) => (each.id === row.id ? { ...each, ...changes } : each)))
                }
                onRemove={rows.length > 1 ? () => setRows(without(rows, row.id)) : undefined}
              />
            ))}
            {form.faults.vestingConditions && faults.size === 0 && <p class="fault">{form.faults.vestingConditions}</p>}
            <div class="row">
              <Button onClick={() => setRows([...rows, newRow(rows)])}>{TERMS.addRow}</Button>
            </div>
          </section>
          <div class="disputed">
            <SelectField
              label={TERMS.allocation}
              {...form.field("allocationMethod")}
              choices={METHODS}
              hint={TERMS.methodAbout[allocationMethod as Method]}
            />
            {disputed("allocationMethod", (value) => TERMS.methods[value as Method])}
          </div>
        </Form>
      </div>
      <div>
        <TermsPreview rules={rules} />
        {beside?.(rules)}
      </div>
    </div>
  );
}

/** A condition in a few words. */
function rowText({ type, numerator, denominator, length, unit, event, times }: Row): string {
  const when = type === "EVENT_BASED" ? event : SECURITY_WORDS.every(Number.parseInt(length, 10), unit);
  return [`${numerator}/${denominator}`, when, times && `× ${times}`].filter(Boolean).join(" ");
}

/** What of a change bears on what vests. */
function bearing({ name: _name, description: _description, ...others }: Readonly<Record<string, unknown>>) {
  return others;
}

function othersOf(rows: readonly Row[], row: Row) {
  return rows.flatMap(({ id }, index) => (id === row.id ? [] : [{ value: id, label: TERMS.condition(index + 1) }]));
}

function without(rows: readonly Row[], id: string): readonly Row[] {
  return rows.filter((row) => row.id !== id).map((row) => (row.after === id ? { ...row, after: "" } : row));
}
