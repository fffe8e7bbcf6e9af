// `/o/{orgId}/models/exit`: who gets what at an exit, over all values in a chart and at one in tables.
import { useSearchParams } from "wouter-preact";
import { parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { answer } from "../../api/client.ts";
import { today } from "../../clock.ts";
import { useDraftName } from "../../frame/draft.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { LinkButton } from "../../parts/button.tsx";
import { readDecimal } from "../../parts/forms/decimal.ts";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { EXIT } from "../../text/models/exit.ts";
import { MODELS } from "../../text/models/models.ts";
import { Asked, ModelWarnings, State } from "../models/asked.tsx";
import { beginningFor } from "../models/beginning-fields.tsx";
import { atValue, type ExitBody, exitBody, exitFaults, firstExit, valueAt, valuesOfExit } from "../models/exit-body.ts";
import { ExitInputs } from "../models/exit-inputs.tsx";
import { Breakpoints, ExitAt, ExitChart } from "../models/exit-result.tsx";
import { KeepButtons, type Scenario, useOpened } from "../models/keep.tsx";
import { ModelInputs } from "../models/model-fields.tsx";
import { type Modelled, useModel } from "../models/use-model.ts";
import { placed } from "../models/values.ts";

/** What the chart goes up to at first. */
const FIRST_TO = "100000000";

/** The page. */
export function Page() {
  const [params] = useSearchParams();
  const id = params.get("scenario");
  const query = useOpened(id);
  return (
    <Loaded query={query} what={MODELS.loading} noun={MODELS.scenario}>
      {(given) => <Exit key={id ?? "new"} {...given} />}
    </Loaded>
  );
}

function useExit(opened: Scenario | null, all: readonly Scenario[]) {
  const { api } = useOrganization();
  const before = (opened?.input ?? null) as ExitBody | null;
  const form = useForm<Record<string, string>, null>({
    draft: useDraftName(),
    initial: { ...(before === null ? firstExit(today(), FIRST_TO) : valuesOfExit(before, today())) },
    check: exitFaults,
    send: async () => null,
    done: () => undefined,
  });
  const { first, choices, skipped } = beginningFor(form.values, opened, all);
  const body = exitBody(form.values, before, first);
  const ask = async (asked: ExitBody, signal: AbortSignal) =>
    (await answer(api.POST("/api/v1/models/waterfall", { body: asked, signal }))).data;
  const curve = useModel(body, ask, (refusal) =>
    form.setFaults(refusal === null ? {} : placed(refusal, form.values, skipped).faults),
  );
  const to = body?.range?.to ?? "0";
  const value = readDecimal(form.values.value ?? "") ?? valueAt(50, to);
  const point = useModel(body === null ? null : atValue(body, value), ask);
  return { form, body, curve, point, to, value, choices };
}

function Exit({ opened, all }: { readonly opened: Scenario | null; readonly all: readonly Scenario[] }) {
  const { name, path, may } = useOrganization();
  const { form, body, curve, point, to, value, choices } = useExit(opened, all);
  const isAsked = body !== null;
  const { values } = form;
  const isDrawn = isAsked && parseDecimal(to) > 0n;
  const both: Modelled<unknown> = { ...curve, isNow: curve.isNow && point.isNow };
  return (
    <>
      <PageHead
        title={opened ? MODELS.opened(opened.name) : EXIT.title}
        of={name}
        meta={<State modelled={both} isAsked={isAsked} />}
      >
        {may("EDITOR") && (
          <KeepButtons model="WATERFALL" input={body} page="/models/exit" opened={opened} onKept={form.discard} />
        )}
        <LinkButton href={path("/models")}>{MODELS.scenarios}</LinkButton>
      </PageHead>
      <div class="modelled">
        <ModelInputs form={form} label={EXIT.inputs}>
          <ExitInputs form={form} choices={choices} />
        </ModelInputs>
        <div class="model-result">
          <Asked modelled={curve} isAsked={isAsked} values={values} waiting={EXIT.waiting}>
            {(exit) => (
              <>
                <ModelWarnings warnings={exit.warnings} />
                {isDrawn && (
                  <ExitChart exit={exit} to={to} value={value} onValue={(chosen) => form.set({ value: chosen })} />
                )}
                <DecimalField label={EXIT.value} {...form.field("value")} value={values.value || value} />
                <Asked modelled={point} isAsked={isAsked} values={values} waiting={EXIT.waiting}>
                  {({ points: [at] }) => at && <ExitAt point={at} />}
                </Asked>
                <Breakpoints exit={exit} />
              </>
            )}
          </Asked>
        </div>
      </div>
    </>
  );
}
