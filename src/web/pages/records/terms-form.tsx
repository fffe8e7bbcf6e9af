// The editor of vesting terms: templates, conditions as rows, and beside it what vests when.
import { useLocation, useSearchParams } from "wouter-preact";
import type { VestingRules } from "../../../ledger/vesting/vesting-types.ts";
import { useDraftName } from "../../frame/draft.ts";
import { type AnyMembers, changeRecord, createRecord } from "../../frame/operation-calls.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { LongTextField, SelectField } from "../../parts/forms/other-fields.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { toast } from "../../parts/toast.tsx";
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

/** The editor; `record` is null for new terms. */
export function TermsForm({ record }: { readonly record: TermsRecord | null }) {
  const { api, path } = useOrganization();
  const [, go] = useLocation();
  const [query] = useSearchParams();
  const known = record?.vestingConditions ?? [];
  const draft = useDraftName();
  const form = useForm<Values, string>({
    draft: record === null ? draft : null,
    initial: valuesOf(record),
    check: ({ name, description, vestingConditions }) => ({
      name: name.trim() ? undefined : COMMON.required,
      description: description.trim() ? undefined : COMMON.required,
      vestingConditions: isWhole(vestingConditions) ? undefined : TERMS.fault,
    }),
    async send(values, key) {
      const made = record
        ? changeRecord(api, "vesting-terms", record.id, changesOf(values))
        : createRecord(api, "vesting-terms", bodyOf(values), key);
      return (await made).id;
    },
    done(id) {
      toast(record ? RECORD.saved : TERMS.added);
      go(afterwards(query, { path }, id, PAGES));
    },
  });
  const bodyOf = ({ vestingConditions, ...values }: Values) => {
    const made = conditionsOf(vestingConditions, known) ?? [];
    return { ...values, vestingConditions: made, triggerType: triggerTypeOf(made) };
  };
  // Unchanged values are not sent.
  const changesOf = (values: Values) => {
    const { vestingConditions: given, ...others } = values;
    return JSON.stringify(given) === JSON.stringify(rowsFrom(known)) ? others : bodyOf(values);
  };
  const isWhole = (rows: readonly Row[]) => {
    const conditions = conditionsOf(rows, known);
    return conditions !== null && rowFaults(conditions).size === 0;
  };
  const { vestingConditions: rows, allocationMethod } = form.values;
  const conditions = conditionsOf(rows, known);
  const faults = conditions ? rowFaults(conditions) : new Map<number, string>();
  const rules =
    conditions && conditions.length > 0 && faults.size === 0
      ? { allocationMethod: allocationMethod as Method, vestingConditions: conditions, schedule: record?.schedule }
      : null;
  const setRows = (vestingConditions: readonly Row[]) => form.set({ vestingConditions });
  return (
    <div class="guided">
      <div>
        <Form form={form} submit={record ? RECORD.save : TERMS.add} label={TERMS.create}>
          {record === null && (
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
          )}
          <TextField label={TERMS.name} {...form.field("name")} autoComplete="off" />
          <LongTextField label={TERMS.description} {...form.field("description")} rows={2} />
          <section class="form-group" aria-label={TERMS.conditions}>
            <h2>{TERMS.conditions}</h2>
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
          <SelectField
            label={TERMS.allocation}
            {...form.field("allocationMethod")}
            choices={METHODS}
            hint={TERMS.methodAbout[allocationMethod as Method]}
          />
        </Form>
      </div>
      <div>
        <TermsPreview rules={rules} />
        {record && <TermsInUse id={record.id} changes={rules && conditionsIn(changesOf(form.values))} />}
      </div>
    </div>
  );
}

/** What of a change bears on what vests. */
function conditionsIn({ name: _name, description: _description, ...bearing }: Omit<Values, "vestingConditions">) {
  return bearing;
}

function othersOf(rows: readonly Row[], row: Row) {
  return rows.flatMap(({ id }, index) => (id === row.id ? [] : [{ value: id, label: TERMS.condition(index + 1) }]));
}

function without(rows: readonly Row[], id: string): readonly Row[] {
  return rows.filter((row) => row.id !== id).map((row) => (row.after === id ? { ...row, after: "" } : row));
}
