// `/o/{orgId}/models/exit`: who gets what at an exit, over all values in a chart and at one in tables.
import { useSearchParams } from "wouter-preact";
import { parseDecimal } from "../../kernel/decimal.ts";
import { answer } from "../api/client.ts";
import { useWholeList } from "../api/pages.ts";
import { today } from "../clock.ts";
import { useDraftName } from "../frame/draft.ts";
import { useOrganization } from "../frame/organization.ts";
import { Button, LinkButton } from "../parts/button.tsx";
import { readDecimal } from "../parts/forms/decimal.ts";
import { DecimalField } from "../parts/forms/decimal-field.tsx";
import { useForm } from "../parts/forms/use-form.ts";
import { Notice } from "../parts/notice.tsx";
import { PageHead } from "../parts/page.tsx";
import { Loaded } from "../parts/states.tsx";
import { COMMON } from "../text/common.ts";
import { EXIT } from "../text/models/exit.ts";
import { MODELS } from "../text/models/models.ts";
import { Asked, ModelWarnings, State } from "./models/asked.tsx";
import { atValue, type ExitBody, exitBody, exitFaults, firstExit, valueAt, valuesOfExit } from "./models/exit-body.ts";
import { ExitInputs } from "./models/exit-inputs.tsx";
import { Breakpoints, ExitAt, ExitChart } from "./models/exit-result.tsx";
import { KeepButtons, type Scenario } from "./models/keep.tsx";
import { type Modelled, useModel } from "./models/use-model.ts";
import { placed } from "./models/values.ts";

/** What the chart goes up to at first. */
const FIRST_TO = "100000000";
/** Stands for rounds that the opened scenario itself begins with. */
const ITS_OWN = "OWN";

/** The page. */
export function Page() {
  const { api, key } = useOrganization();
  const [params] = useSearchParams();
  const id = params.get("scenario");
  const scenarios = useWholeList(key("scenarios", "all"), (page, signal) =>
    answer(api.GET("/api/v1/scenarios", { params: { query: page }, signal })),
  );
  return (
    <Loaded query={scenarios} what={MODELS.loading} noun={MODELS.scenario}>
      {({ items }) => <Exit key={id ?? "new"} opened={items.find((each) => each.id === id) ?? null} all={items} />}
    </Loaded>
  );
}

type RoundInput = NonNullable<ExitBody["rounds"]>;

/** The rounds that a scenario of a round stands for: those before it, and its own. */
function roundsOf({ input }: Scenario): RoundInput {
  const { asOf: _asOf, knownAt: _knownAt, add: _add, rounds = [], ...round } = input as Record<string, unknown>;
  return [...(rounds as RoundInput), round] as RoundInput;
}

function useExit(opened: Scenario | null, all: readonly Scenario[]) {
  const { api } = useOrganization();
  const before = (opened?.input ?? null) as ExitBody | null;
  const isWithRounds = (before?.rounds?.length ?? 0) > 0;
  const form = useForm<Record<string, string>, null>({
    draft: useDraftName(),
    initial: {
      ...(before === null ? firstExit(today(), FIRST_TO) : valuesOfExit(before, today(), isWithRounds ? ITS_OWN : "")),
    },
    check: exitFaults,
    send: async () => null,
    done: () => undefined,
  });
  const rounds = all.filter(({ model }) => model === "ROUND");
  const chosen = rounds.find(({ id }) => id === form.values.from);
  const own = form.values.from === ITS_OWN ? before?.rounds : undefined;
  const body = exitBody(form.values, before, chosen ? roundsOf(chosen) : own);
  const ask = async (asked: ExitBody, signal: AbortSignal) =>
    (await answer(api.POST("/api/v1/models/waterfall", { body: asked, signal }))).data;
  const curve = useModel(body, ask, (refusal) =>
    form.setFaults(refusal === null ? {} : placed(refusal, form.values).faults),
  );
  const to = body?.range?.to ?? "0";
  const value = readDecimal(form.values.value ?? "") ?? valueAt(50, to);
  const point = useModel(body === null ? null : atValue(body, value), ask);
  const choices = {
    ...(isWithRounds ? { [ITS_OWN]: EXIT.after(opened?.name ?? "") } : {}),
    ...Object.fromEntries(rounds.map(({ id, name }) => [id, EXIT.after(name)])),
  };
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
        <form
          class="form model-inputs"
          noValidate
          aria-label={EXIT.inputs}
          onSubmit={(event) => event.preventDefault()}
        >
          {form.isRestored && (
            <Notice actions={<Button onClick={form.discard}>{COMMON.beginAnew}</Button>}>{COMMON.restored}</Notice>
          )}
          <ExitInputs form={form} rounds={choices} />
        </form>
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
