// `/o/{orgId}/models/round`: a financing round, modelled while it is typed: inputs left, the cap table before and after right.
import { useState } from "preact/hooks";
import { useSearchParams } from "wouter-preact";
import { answer } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { today } from "../../clock.ts";
import { useDraftName } from "../../frame/draft.ts";
import { useClasses } from "../../frame/lists/register-lists.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button, LinkButton } from "../../parts/button.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Notice } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { MODELS } from "../../text/models/models.ts";
import { ROUND } from "../../text/models/round.ts";
import { addedConvertibles } from "../models/add-body.ts";
import { Asked, State } from "../models/asked.tsx";
import { beginningFor } from "../models/beginning-fields.tsx";
import { neededKeys } from "../models/beginning-values.ts";
import { CloseDialog } from "../models/close.tsx";
import { KeepButtons, type Scenario, useOpened } from "../models/keep.tsx";
import { ModelInputs } from "../models/model-fields.tsx";
import {
  type Convertible,
  firstValues,
  nextSeries,
  type RoundBody,
  roundBody,
  roundFaults,
  valuesOfRound,
} from "../models/round-body.ts";
import { RoundInputs } from "../models/round-inputs.tsx";
import { RoundResult } from "../models/round-result.tsx";
import { useModel } from "../models/use-model.ts";
import { placed } from "../models/values.ts";

/** The page. */
export function Page() {
  const [params] = useSearchParams();
  const id = params.get("scenario");
  const given = useOpened(id);
  const classes = useClasses();
  return (
    <Loaded query={{ ...given, data: classes.data && given.data }} what={MODELS.loading} noun={MODELS.scenario}>
      {(scenarios) => (
        <Round key={id ?? "new"} {...scenarios} classNames={(classes.data?.items ?? []).map(({ name }) => name)} />
      )}
    </Loaded>
  );
}

function useConvertibles(): readonly Convertible[] {
  const { api, key } = useOrganization();
  const { data } = useWholeList(key("securities", "convertibles"), (page, signal) => {
    const query = { ...page, type: "CONVERTIBLE", status: "ACTIVE" } as const;
    return answer(api.GET("/api/v1/securities", { params: { query }, signal }));
  });
  return data?.items ?? [];
}

interface RoundProps {
  readonly opened: Scenario | null;
  readonly all: readonly Scenario[];
  readonly classNames: readonly string[];
}

function Round({ opened, all, classNames }: RoundProps) {
  const { api, name, path, may } = useOrganization();
  const [isClosing, setClosing] = useState(false);
  const convertibles = useConvertibles();
  const before = (opened?.input ?? null) as RoundBody | null;
  const form = useForm<Record<string, string>, null>({
    draft: useDraftName(),
    initial:
      before === null ? { ...firstValues(today(), nextSeries(classNames)) } : { ...valuesOfRound(before, today()) },
    check: roundFaults,
    send: async () => null,
    done: () => undefined,
  });
  const { first, choices, skipped } = beginningFor(form.values, opened, all);
  const body = roundBody(form.values, before, first);
  const added = addedConvertibles(form.values, neededKeys(form.values, first));
  const modelled = useModel(
    body,
    async (asked, signal) => (await answer(api.POST("/api/v1/models/round", { body: asked, signal }))).data,
    (refusal) => form.setFaults(refusal === null ? {} : placed(refusal, form.values, skipped).faults),
  );
  const isWithMore = form.values.add !== "0" || first.rounds !== undefined;
  return (
    <>
      <PageHead
        title={opened ? MODELS.opened(opened.name) : ROUND.title}
        of={name}
        meta={<State modelled={modelled} isAsked={body !== null} />}
      >
        {may("EDITOR") && (
          <KeepButtons model="ROUND" input={body} page="/models/round" opened={opened} onKept={form.discard} />
        )}
        {may("EDITOR") && !isWithMore && (
          // It stays where it is while figures are computed: what is pressed must not move.
          <Button kind="primary" aria-disabled={body === null} onClick={() => setClosing(body !== null)}>
            {ROUND.close}
          </Button>
        )}
        <LinkButton href={path("/models")}>{MODELS.scenarios}</LinkButton>
      </PageHead>
      <div class="modelled">
        <ModelInputs form={form} label={ROUND.inputs}>
          {isWithMore && may("EDITOR") && <Notice>{ROUND.cannotClose}</Notice>}
          <RoundInputs {...{ form, convertibles, added, choices }} />
        </ModelInputs>
        <div class="model-result">
          <Asked modelled={modelled} isAsked={body !== null} values={form.values} waiting={ROUND.waiting}>
            {(round) => <RoundResult round={round} />}
          </Asked>
        </div>
      </div>
      {isClosing && body !== null && modelled.data !== null && (
        <CloseDialog
          form={form}
          body={body}
          round={modelled.data}
          modelled={modelled}
          onClose={() => setClosing(false)}
        />
      )}
    </>
  );
}
