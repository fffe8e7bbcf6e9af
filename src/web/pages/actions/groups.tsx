// The fields of a form under their headings, two beside each other where they belong together.
import type { Form } from "../../parts/forms/use-form.ts";
import { type FieldWords, GROUP_WORDS } from "../../text/actions/field-words.ts";
import { ActionField } from "./action-field.tsx";
import type { Facts, FieldGroup, FieldSpec } from "./spec.ts";

interface GroupsProps {
  readonly groups: readonly FieldGroup[];
  readonly form: Form<Record<string, string>>;
  readonly facts: Facts;
  readonly words?: Readonly<Record<string, FieldWords>> | undefined;
  readonly here?: string;
}

/** All groups. */
export function Groups({ groups, form, facts, words = {}, here }: GroupsProps) {
  return (
    <>
      {groups.map((group) => {
        const shown = group.fields.filter(({ isShown }) => isShown?.(form.values, facts) ?? true);
        if (shown.length === 0) return null;
        const title = headingOf(group);
        return (
          <section key={group.name} class="form-group" aria-label={title}>
            <h2>{title}</h2>
            <FieldRows fields={shown} {...{ form, facts, words, here }} />
          </section>
        );
      })}
    </>
  );
}

/** Fields without a heading. */
export function FieldRows({
  fields,
  form,
  facts,
  words = {},
  here,
}: Omit<GroupsProps, "groups" | "here"> & {
  readonly fields: readonly FieldSpec[];
  readonly here?: string | undefined;
}) {
  return (
    <>
      {rowsOf(fields).map((row) => (
        <div key={row[0]?.name} class={row.length > 1 ? "fields-2" : ""}>
          {row.map((spec) => (
            <ActionField
              key={spec.name}
              {...{ spec, form, facts, words: words[spec.name] }}
              {...(here === undefined ? {} : { here })}
            />
          ))}
        </div>
      ))}
    </>
  );
}

function headingOf({ name, fields }: FieldGroup): string {
  const isVesting = name === "when" && !fields.some((field) => field.kind === "terms");
  return isVesting ? GROUP_WORDS.whenOnly : GROUP_WORDS[name];
}

function rowsOf(fields: readonly FieldSpec[]): readonly (readonly FieldSpec[])[] {
  const rows: FieldSpec[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (field.isBeside && last?.length === 1) last.push(field);
    else rows.push([field]);
  }
  return rows;
}
