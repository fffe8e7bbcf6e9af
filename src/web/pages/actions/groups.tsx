// The fields of a form under their headings.
import { FieldRows } from "../../parts/forms/field-rows.tsx";
import { shownOf } from "../../parts/forms/field-spec.ts";
import type { Form } from "../../parts/forms/use-form.ts";
import { type FieldWords, GROUP_WORDS } from "../../text/actions/field-words.ts";
import { ActionField } from "./action-field.tsx";
import type { Facts, FieldGroup } from "./spec.ts";

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
        const shown = shownOf(group.fields, form.values, facts);
        if (shown.length === 0) return null;
        const title = headingOf(group);
        return (
          <section key={group.name} class="form-group" aria-label={title}>
            <h2>{title}</h2>
            <FieldRows
              fields={shown}
              field={(spec) => (
                <ActionField
                  {...{ spec, form, facts, words: words[spec.name] }}
                  {...(here === undefined ? {} : { here })}
                />
              )}
            />
          </section>
        );
      })}
    </>
  );
}

function headingOf({ name, fields }: FieldGroup): string {
  const isVesting = name === "when" && !fields.some((field) => field.kind === "terms");
  return isVesting ? GROUP_WORDS.whenOnly : GROUP_WORDS[name];
}
