// The form of a record: for a new one, or for changes of one.
import { useRef, useState } from "preact/hooks";
import { useLocation, useSearchParams } from "wouter-preact";
import type { ApiProblem } from "../../api/problem.ts";
import type { Query } from "../../api/query.ts";
import { changeTagged, type Tagged } from "../../api/tagged.ts";
import { useDraftName } from "../../frame/draft.ts";
import { isPage } from "../../frame/navigation.ts";
import { type AnyMembers, createRecord } from "../../frame/operation-calls.ts";
import { type OrganizationContext, useOrganization } from "../../frame/page-organization.ts";
import { bodyOf, changesOf, faultsOf, placeOf, valuesOf } from "../../parts/forms/body.ts";
import { Form as FormFrame } from "../../parts/forms/form.tsx";
import { useBasis, useChangeForm } from "../../parts/forms/use-change-form.tsx";
import { type Form, useForm } from "../../parts/forms/use-form.ts";
import { Failure, Outline } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { labelOf } from "../../text/actions/field-words.ts";
import { RECORD, type RecordWords } from "../../text/records.ts";
import { Groups } from "../actions/groups.tsx";
import { type Facts, type FieldGroup, fieldsOf, shownFields, type Values } from "../actions/spec.ts";
import { useFacts } from "../actions/use-facts.ts";
import { useGiven } from "../actions/use-given.ts";
import { RETURN, returnTo } from "../actions/way-back.ts";
import type { RecordSpec } from "./record-specs.ts";

/** The name in the query of the field that waits for a record that is made first. */
const AS = "as";

/** Where a form leads when its record is there: back to where it was opened, with the record in its field. */
export function afterwards(
  query: URLSearchParams,
  { path }: Pick<OrganizationContext, "path">,
  id: string,
  pages: readonly string[],
): string {
  const back = returnTo(query, path());
  const field = query.get(AS);
  if (back !== null && field !== null) {
    const [page = "", rest = ""] = back.split("?");
    const fields = new URLSearchParams(rest);
    fields.set(field, id);
    return `${page}?${fields}`;
  }
  const page = pages.find(isPage);
  return back ?? path(page?.replace(":id", id) ?? "");
}

interface RecordFormProps {
  readonly spec: RecordSpec;
  readonly words: RecordWords;
}

/** The fields of a form, and those that are to be seen, once what it has to know is there. */
function useFields(spec: RecordSpec, { isNew }: { readonly isNew: boolean }) {
  const groups = spec.groups.map((group) => ({
    ...group,
    fields: group.fields.filter(({ isForNew, isForChanges }) => !(isNew ? isForChanges : isForNew)),
  }));
  const fields = fieldsOf(groups);
  const latest = useRef<Facts | null>(null);
  const shown = (values: Values) => (latest.current ? shownFields(groups, values, latest.current) : []);
  const fieldOf = (problem: ApiProblem) => {
    const name = placeOf(problem, fields);
    return name === undefined ? undefined : { name };
  };
  return {
    groups,
    fields,
    latest,
    parts: { check: (values: Values) => faultsOf(shown(values), values), shown, fieldOf },
  };
}

/** The form of a new record. */
export function RecordForm({ spec, words }: RecordFormProps) {
  const organization = useOrganization();
  const [, go] = useLocation();
  const [query] = useSearchParams();
  const { groups, fields, latest, parts } = useFields(spec, { isNew: true });
  const held = useForm<Record<string, string>, string>({
    ...parts,
    draft: useDraftName(),
    initial: { ...useState(() => fromQuery(fields, query))[0] },
    async send(values, key) {
      return (await createRecord(organization.api, spec.path, bodyOf(parts.shown(values), values) ?? {}, key)).id;
    },
    done(id) {
      toast(words.added);
      go(afterwards(query, organization, id, spec.pages));
    },
  });
  const { facts, isLoading, error } = useFacts({ groups: spec.groups }, held.values);
  latest.current = facts;
  const shown = shownFields(groups, held.values, facts);
  const form = useGiven(held, { fields: shown, facts, isOn: !isLoading });
  return <Drawn {...{ groups, form, facts, isLoading, error, words }} submit={words.add} />;
}

interface ChangeRecordProps extends RecordFormProps {
  readonly tagged: Tagged<AnyMembers>;
  readonly query: Query<Tagged<AnyMembers>>;
}

/** The form that changes a record. */
export function ChangeRecord({ spec, words, tagged, query: read }: ChangeRecordProps) {
  const organization = useOrganization();
  const [, go] = useLocation();
  const [query] = useSearchParams();
  const { groups, fields, latest, parts } = useFields(spec, { isNew: false });
  const changing = {
    ...{ tagged, query: read },
    valuesOf: (record: AnyMembers) => valuesOf(fields, record),
    labelOf: (name: string) => words.fields[name]?.label ?? labelOf(name),
  };
  const basis = useBasis(changing);
  // Without a draft: one of changes would bring back what others have changed since.
  const form = useChangeForm<AnyMembers, Record<string, string>, boolean>(
    {
      ...parts,
      async send(values) {
        const { record, tag, values: before } = basis.current;
        const body = changesOf(parts.shown(values), before, values);
        if (Object.keys(body).length === 0) return false;
        await changeTagged(organization.api, `/api/v1/${spec.path}/${record.id}`, body, tag);
        return true;
      },
      done(isChanged) {
        toast(isChanged ? RECORD.saved : RECORD.unchanged);
        go(afterwards(query, organization, tagged.record.id, spec.pages));
      },
    },
    changing,
    basis,
  );
  const { facts, isLoading, error } = useFacts({ groups: spec.groups }, form.values);
  latest.current = facts;
  return <Drawn {...{ groups, form, facts, isLoading, error, words }} submit={RECORD.save} />;
}

interface DrawnProps {
  readonly groups: readonly FieldGroup[];
  readonly form: Form<Record<string, string>>;
  readonly facts: Facts;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly words: RecordWords;
  readonly submit: string;
}

function Drawn({ groups, form, facts, isLoading, error, words, submit }: DrawnProps) {
  if (error) return <Failure error={error} />;
  if (isLoading) return <Outline what={RECORD.loading} lines={8} />;
  return (
    <div class="narrow-form">
      <FormFrame form={form} submit={submit} label={words.create}>
        <Groups groups={groups} form={form} facts={facts} words={words.fields} />
      </FormFrame>
    </div>
  );
}

function fromQuery(fields: ReturnType<typeof fieldsOf>, query: URLSearchParams): Values {
  return Object.fromEntries(fields.map(({ name }) => [name, name === RETURN ? "" : (query.get(name) ?? "")]));
}
