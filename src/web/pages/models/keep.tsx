// Keeping what is in the form of a model as a scenario: a new one, or the one that was opened.
import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { answer, type Schemas, write } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { type Query, useQuery } from "../../api/query.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { MODELS } from "../../text/models/models.ts";
import type { FieldSpec } from "../actions/spec.ts";
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
export function useScenario(id: string | null) {
  const { api, key } = useOrganization();
  return useQuery(id === null ? null : key("scenario", id), (signal) =>
    answer(api.GET("/api/v1/scenarios/{id}", { params: { path: { id: id ?? "" } }, signal })),
  );
}

/** The scenario that a page is opened with, null for none, and all that there are. */
export function useOpened(id: string | null): Query<{ opened: Scenario | null; all: readonly Scenario[] }> {
  const all = useScenarios();
  const one = useScenario(id);
  const opened = id === null ? null : one.data;
  const data = all.data && opened !== undefined ? { opened, all: all.data.items } : undefined;
  return { ...(id === null || all.error ? all : one), data };
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
  const over = useAction(async () => {
    if (opened === null || input === null) return;
    const asked = { body: { input } as never, params: { path: { id: opened.id } } };
    await write(api.PATCH("/api/v1/scenarios/{id}", asked));
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
