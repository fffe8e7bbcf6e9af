// Keeping what is in the form of a model as a scenario: a new one, or the one that was opened.
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { answer, type Schemas, write } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { isStale, Told } from "../../api/problem.ts";
import type { Query } from "../../api/query.ts";
import { changeTagged } from "../../api/tagged.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { MODELS } from "../../text/models/models.ts";
import type { FieldSpec } from "../actions/spec.ts";
import { useTagged } from "../records/change-form.tsx";
import { SpecForm } from "../records/spec-form.tsx";

const FIELDS: readonly FieldSpec[] = [
  { name: "name", kind: "text", maxLength: 100 },
  { name: "description", kind: "long", isOptional: true },
];
const WORDS = { name: { label: MODELS.name }, description: { label: MODELS.description } };

export type Scenario = Schemas["Scenario"];

/** Every scenario. */
export function useScenarios() {
  const { api, key } = useOrganization();
  return useWholeList(key("scenarios", "all"), (page, signal) =>
    answer(api.GET("/api/v1/scenarios", { params: { query: page }, signal })),
  );
}

/** A scenario by its id; null asks for none. */
export function useScenario(id: string | null): Query<Scenario> {
  const one = useTagged<Scenario>(id === null ? null : addressOf(id));
  return { ...one, data: one.data?.record };
}

const addressOf = (id: string) => `/scenarios/${id}`;

/** The scenario that a page is opened with, as it was then; null for none. And all that there are. */
interface Opened {
  readonly opened: Scenario | null;
  readonly all: readonly Scenario[];
}

/** What a page of a model is opened with. */
export function useOpened(id: string | null): Query<Opened> {
  const all = useScenarios();
  const one = useTagged<Scenario>(id === null ? null : addressOf(id));
  const first = useRef<Scenario | null>(null);
  if (one.data && first.current?.id !== id) first.current = one.data.record;
  const opened = id === null ? null : one.data && first.current;
  const data = all.data && opened !== undefined ? { opened, all: all.data.items } : undefined;
  return { ...(id === null || all.error ? all : { ...one, reload: one.reload }), data };
}

interface KeepProps {
  readonly model: Scenario["model"];
  /** Null while the form says too little. */
  readonly input: object | null;
  /** Where a scenario of this model is opened. */
  readonly page: string;
  readonly opened: Scenario | null;
  /** It is kept: a draft of it is not needed any more. */
  readonly onKept: () => void;
}

/** The buttons. */
export function KeepButtons({ model, input, page, opened, onKept }: KeepProps) {
  const { api } = useOrganization();
  const [isAsking, setAsking] = useState(false);
  const address = opened && addressOf(opened.id);
  const { data, reload } = useTagged<Scenario>(address);
  /** The tag that it had when it was opened, or saved here. */
  const tag = useRef(data?.tag);
  const isSaved = useRef(false);
  useEffect(() => {
    if (isSaved.current || tag.current === undefined) tag.current = data?.tag;
    isSaved.current = false;
  }, [data]);
  const over = useAction(async () => {
    if (opened === null || address === null || input === null) return;
    try {
      await changeTagged(api, `/api/v1${address}`, { input }, tag.current ?? "");
    } catch (error) {
      throw isStale(error) ? new Told(MODELS.changedMeanwhile(opened.name)) : error;
    }
    isSaved.current = true;
    await reload();
    onKept();
    toast(MODELS.kept(opened.name));
  });
  return (
    <>
      {opened !== null && <Button {...over.button}>{MODELS.keepOver}</Button>}
      <Button aria-disabled={input === null} onClick={() => setAsking(input !== null)}>
        {opened === null ? MODELS.keep : MODELS.keepAnew}
      </Button>
      {over.trouble}
      {isAsking && input !== null && (
        <KeepDialog {...{ model, input, page, onKept }} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

function KeepDialog({
  model,
  input,
  page,
  onKept,
  onClose,
}: Omit<KeepProps, "opened"> & { readonly onClose: () => void }) {
  const { api, path } = useOrganization();
  const [, go] = useLocation();
  return (
    <Dialog title={MODELS.keepTitle} onClose={onClose}>
      <p class="note">{MODELS.keepWords}</p>
      <SpecForm
        fields={FIELDS}
        words={WORDS}
        submit={MODELS.keep}
        label={MODELS.keepTitle}
        send={({ name, description }, key) =>
          write(
            api.POST("/api/v1/scenarios", {
              body: { name, model, input, ...(description ? { description } : {}) } as never,
              params: { header: { "Idempotency-Key": key } },
            }),
          )
        }
        done={({ id, name }) => {
          toast(MODELS.kept(name));
          onKept();
          onClose();
          go(`${path(page)}?scenario=${id}`);
        }}
      />
    </Dialog>
  );
}
