// Expense schedule of grants by period, from the fair values that the user enters.

import { answer } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import type { paths } from "../../api/types.ts";
import { today } from "../../clock.ts";
import { useDraftName } from "../../frame/draft.ts";
import { certificateOf, useHolderNames } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { Cents, Day } from "../../parts/figure.tsx";
import { decimalFault, readDecimal } from "../../parts/forms/decimal.ts";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { DateField } from "../../parts/forms/other-fields.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Card } from "../../parts/page-head.tsx";
import { Table } from "../../parts/tables/table.tsx";
import { COMPLIANCE } from "../../text/models/compliance.ts";
import { Asked } from "./asked.tsx";
import { ChoiceField, Group, ModelInputs } from "./model-fields.tsx";
import { useModel } from "./use-model.ts";
import { placed } from "./values.ts";

const FAIR = "fair.";

/** The form and its schedule. */
export function Expense() {
  const { api, key } = useOrganization();
  const holders = useHolderNames();
  const grants = useWholeList(key("securities", "options"), (page, signal) => {
    const query = { ...page, type: "STOCK_OPTION" } as const;
    return answer(api.GET("/api/v1/securities", { params: { query }, signal }));
  });
  const options = grants.data?.items ?? [];
  const year = today().slice(0, 4);
  const form = useForm<Record<string, string>, null>({
    draft: useDraftName(),
    initial: { from: `${year}-01-01`, to: `${year}-12-31`, period: "QUARTER", method: "STRAIGHT_LINE" },
    check: (values) => Object.fromEntries(Object.keys(values).map((name) => [name, faultOf(name, values[name] ?? "")])),
    send: async () => null,
    done: () => undefined,
  });
  const { values } = form;
  const body = bodyOf(values);
  const modelled = useModel(
    body,
    async (asked, signal) => (await answer(api.POST("/api/v1/models/expense", { body: asked as never, signal }))).data,
    (refusal) => form.setFaults(refusal === null ? {} : placed(refusal, values).faults),
  );
  return (
    <div class="modelled">
      <ModelInputs form={form} label={COMPLIANCE.expenseTitle}>
        <div class="fields-2">
          <DateField label={COMPLIANCE.from} {...form.field("from")} />
          <DateField label={COMPLIANCE.to} {...form.field("to")} />
          <ChoiceField form={form} name="period" label={COMPLIANCE.period} choices={COMPLIANCE.periods} />
          <ChoiceField form={form} name="method" label={COMPLIANCE.method} choices={COMPLIANCE.methods} />
        </div>
        <Group title={COMPLIANCE.fairValues}>
          <p class="note">{COMPLIANCE.fairHint}</p>
          {options.map((each) => (
            <DecimalField
              key={each.id}
              label={COMPLIANCE.quantityOf(
                certificateOf(each),
                each.quantity,
                holders.get(each.stakeholderId ?? "") ?? COMPLIANCE.who,
              )}
              {...form.field(FAIR + each.id)}
              isOptional
            />
          ))}
        </Group>
      </ModelInputs>
      <div class="model-result">
        <Asked modelled={modelled} isAsked={body !== null} values={values} waiting={COMPLIANCE.waiting}>
          {(expense) => <Schedule expense={expense} options={options} />}
        </Asked>
      </div>
    </div>
  );
}

type Expensed = paths["/api/v1/models/expense"]["post"]["responses"][200]["content"]["application/json"]["data"];
type Options = readonly (Parameters<typeof certificateOf>[0] & { readonly id: string })[];

function Schedule({ expense, options }: { readonly expense: Expensed; readonly options: Options }) {
  return (
    <>
      <Card title={COMPLIANCE.expenseTitle} note={COMPLIANCE.expenseHint}>
        <Table
          label={COMPLIANCE.expenseTitle}
          rows={expense.periods}
          keyOf={({ from }) => from}
          columns={[
            { id: "from", label: COMPLIANCE.from, cell: ({ from }) => <Day value={from} /> },
            { id: "to", label: COMPLIANCE.to, cell: ({ to }) => <Day value={to} /> },
            {
              id: "expense",
              label: COMPLIANCE.expense,
              isFigure: true,
              cell: (row) => <Cents value={row.amount} />,
            },
          ]}
        />
      </Card>
      <Card title={COMPLIANCE.grant}>
        <Table
          label={COMPLIANCE.grant}
          rows={expense.grants}
          keyOf={({ securityId }) => securityId}
          columns={[
            { id: "grant", label: COMPLIANCE.grant, cell: ({ securityId }) => nameOf(options, securityId) },
            {
              id: "total",
              label: COMPLIANCE.total,
              isFigure: true,
              cell: ({ total }) => <Cents value={total} />,
            },
            {
              id: "before",
              label: COMPLIANCE.before,
              isFigure: true,
              isWide: true,
              cell: (row) => <Cents value={row.recognizedBefore} />,
            },
            {
              id: "after",
              label: COMPLIANCE.after,
              isFigure: true,
              cell: (row) => <Cents value={row.unrecognizedAfter} />,
            },
          ]}
        />
      </Card>
    </>
  );
}

function nameOf(options: Options, id: string): string {
  const found = options.find((each) => each.id === id);
  return found ? certificateOf(found) : id;
}

function faultOf(name: string, typed: string): string | undefined {
  return name.startsWith(FAIR) ? decimalFault(typed) : undefined;
}

function bodyOf({ from, to, period, method, ...values }: Readonly<Record<string, string>>) {
  const grants = Object.entries(values).flatMap(([name, typed]) => {
    const fairValuePerShare = name.startsWith(FAIR) ? readDecimal(typed) : null;
    return fairValuePerShare === null ? [] : [{ securityId: name.slice(FAIR.length), fairValuePerShare }];
  });
  return !from || !to || grants.length === 0 ? null : { from, to, period, method, grants };
}
