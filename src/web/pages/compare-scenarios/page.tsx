// `/o/{orgId}/models/compare?ids=…&exitValue=…`: what each holder has in several scenarios, side by side.
import { useSearchParams } from "wouter-preact";
import { formatDecimal, max, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import type { paths } from "../../api/types.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { LinkButton } from "../../parts/button.tsx";
import { Cents, Percent, Quantity } from "../../parts/figure.tsx";
import { readDecimal } from "../../parts/forms/decimal.ts";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { Card, PageHead } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { MODELS } from "../../text/models/models.ts";
import { ModelHolder } from "../models/holder.tsx";
import { useScenario } from "../models/keep.tsx";

type Compared = paths["/api/v1/scenarios/compare"]["post"]["responses"][200]["content"]["application/json"]["data"];
type Line = Compared["holders"][number];

const FIRST_VALUE = "50000000";

/** The page. */
export function Page() {
  const { api, key, name, path } = useOrganization();
  const [params, setParams] = useSearchParams();
  const ids = (params.get("ids") ?? "").split(",").filter(Boolean);
  const typed = params.get("exitValue") ?? FIRST_VALUE;
  const first = useScenario(ids[0] ?? null);
  const isExit = first.data?.model === "WATERFALL";
  const exitValue = isExit ? readDecimal(typed) : null;
  const isAsked = ids.length > 1 && first.data !== undefined && (!isExit || exitValue !== null);
  const query = useQuery(
    isAsked ? key("compare", ...ids, exitValue) : null,
    async (signal) => {
      const body = { scenarioIds: ids, ...(exitValue === null ? {} : { exitValue }) };
      return (await answer(api.POST("/api/v1/scenarios/compare", { body, signal }))).data;
    },
    { keep: true },
  );
  const shown = first.error ? { ...query, error: first.error } : query;
  const set = (value: string) =>
    setParams(
      (now) => {
        now.set("exitValue", value);
        return now;
      },
      { replace: true },
    );
  return (
    <>
      <PageHead title={MODELS.compareTitle} of={name}>
        <LinkButton href={path("/models")}>{MODELS.scenarios}</LinkButton>
      </PageHead>
      {isExit && (
        <div class="narrow-form">
          <DecimalField label={MODELS.exitValue} name="exitValue" value={typed} onInput={set} />
        </div>
      )}
      <Card title={MODELS.scenarios} note={MODELS.same}>
        {ids.length < 2 ? (
          <Empty words={MODELS.compareNone} />
        ) : (
          <Loaded query={shown} what={MODELS.loading} noun={MODELS.scenario}>
            {(compared) => <SideBySide compared={compared} />}
          </Loaded>
        )}
      </Card>
    </>
  );
}

type Values = Line["values"][number] | undefined;

const figureOf = (values: Values) => values?.proceeds ?? values?.fullyDiluted ?? "0";
const percentOf = (values: Values) => values?.percent ?? values?.percentFullyDiluted ?? "0";

/** The largest share that a holder has in one of the scenarios. */
function bestOf({ values }: Line): string {
  const parts = values.map((each) => parseDecimal(percentOf(each)));
  return formatDecimal(parts.reduce<bigint>((most, each) => max(most, each), 0n));
}

function SideBySide({ compared: { model, scenarios, holders } }: { readonly compared: Compared }) {
  const columns: readonly Column<Line>[] = [
    { id: "holder", label: MODELS.who, cell: (row) => <ModelHolder {...row} /> },
    ...scenarios.flatMap(({ id, name }, index): readonly Column<Line>[] => [
      {
        id,
        label: name,
        isFigure: true,
        isWide: true,
        cell: ({ values }) =>
          model === "WATERFALL" ? (
            <Cents value={figureOf(values[index])} />
          ) : (
            <Quantity value={figureOf(values[index])} />
          ),
      },
      {
        id: `${id} share`,
        label: `${name} %`,
        isFigure: true,
        cell: (row) => <Part value={percentOf(row.values[index])} best={bestOf(row)} />,
      },
    ]),
  ];
  return (
    <Table
      label={MODELS.compareTitle}
      columns={columns}
      rows={holders}
      keyOf={({ stakeholderId, name }) => stakeholderId ?? `name ${name}`}
    />
  );
}

function Part({ value, best }: { readonly value: string; readonly best: string }) {
  const isBest = best !== "0" && parseDecimal(value) === parseDecimal(best);
  return isBest ? (
    <strong>
      <Percent value={value} />
    </strong>
  ) : (
    <Percent value={value} />
  );
}
