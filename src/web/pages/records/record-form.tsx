// The form of a record: for a new one, or for changes of one.
import { useRef } from "preact/hooks";
import { useLocation, useSearchParams } from "wouter-preact";
import { useDraftName } from "../../frame/draft.ts";
import { isPage } from "../../frame/navigation.ts";
import { type AnyMembers, changeRecord, createRecord } from "../../frame/operation-calls.ts";
import { type OrganizationContext, useOrganization } from "../../frame/page-organization.ts";
import { bodyOf, changesOf, faultsOf, placeOf, valuesOf } from "../../parts/forms/body.ts";
import { Form } from "../../parts/forms/form.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Failure, Outline } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { RECORD, type RecordWords } from "../../text/records.ts";
import { Groups } from "../actions/groups.tsx";
import { type Facts, fieldsOf, shownFields, type Values } from "../actions/spec.ts";
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
  /** The record that is changed; null for a new one. */
  readonly record: AnyMembers | null;
}

/** The form. */
export function RecordForm({ spec, words, record }: RecordFormProps) {
  const organization = useOrganization();
  const { api, path } = organization;
  const [, go] = useLocation();
  const [query] = useSearchParams();
  const groups = spec.groups.map((group) => ({
    ...group,
    fields: group.fields.filter(({ isForNew, isForChanges }) => (record === null ? !isForChanges : !isForNew)),
  }));
  const fields = fieldsOf(groups);
  const latest = useRef<Facts | null>(null);
  const first = useRef<Values>(record ? valuesOf(fields, record) : fromQuery(fields, query));
  const shownNow = (values: Values) => (latest.current ? shownFields(groups, values, latest.current) : []);
  const draft = useDraftName();
  const held = useForm<Record<string, string>, string | null>({
    // A draft of changes would bring back what others have changed since.
    draft: record === null ? draft : null,
    initial: { ...first.current },
    check: (values) => faultsOf(shownNow(values), values),
    async send(values, key) {
      const shown = shownNow(values);
      if (record === null) return (await createRecord(api, spec.path, bodyOf(shown, values) ?? {}, key)).id;
      const body = changesOf(shown, first.current, values);
      return Object.keys(body).length === 0 ? null : (await changeRecord(api, spec.path, record.id, body)).id;
    },
    done(id) {
      const saved = id === null ? RECORD.unchanged : RECORD.saved;
      toast(record === null ? words.added : saved);
      go(afterwards(query, { path }, id ?? record?.id ?? "", spec.pages));
    },
    shown: shownNow,
    fieldOf(problem) {
      const name = placeOf(problem, fields);
      return name === undefined ? undefined : { name };
    },
  });
  const { facts, isLoading, error } = useFacts({ groups: spec.groups }, held.values);
  latest.current = facts;
  const shown = shownFields(groups, held.values, facts);
  const form = useGiven(held, { fields: shown, facts, isOn: record === null && !isLoading });
  if (error) return <Failure error={error} />;
  if (isLoading) return <Outline what={RECORD.loading} lines={8} />;
  return (
    <div class="narrow-form">
      <Form form={form} submit={record === null ? words.add : RECORD.save} label={words.create}>
        <Groups groups={groups} form={form} facts={facts} words={words.fields} />
      </Form>
    </div>
  );
}

function fromQuery(fields: ReturnType<typeof fieldsOf>, query: URLSearchParams): Values {
  return Object.fromEntries(fields.map(({ name }) => [name, name === RETURN ? "" : (query.get(name) ?? "")]));
}
