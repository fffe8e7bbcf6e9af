// Links to the forms that create or change a record, for editors. A form returns to the page of its link.
import { useLocation } from "wouter-preact";
import { type ButtonKind, LinkButton } from "../parts/button.tsx";
import { RECORD_WORDS, TERMS } from "../text/records.ts";
import { useOrganization } from "./page-organization.ts";

/** The records that have forms, as their addresses call them. */
export type FormRecord = "stakeholder" | "share-class" | "equity-plan" | "vesting-terms" | "valuation";

/** A link to the form of a new record, or with `id` to that of changes; nothing where the person may not write. */
export function RecordLink({
  record,
  id,
  kind = "plain",
}: {
  readonly record: FormRecord;
  readonly id?: string;
  readonly kind?: ButtonKind;
}) {
  const { may, path } = useOrganization();
  const [here] = useLocation();
  if (!may("EDITOR")) return null;
  const words = record === "vesting-terms" ? TERMS : RECORD_WORDS[record];
  const form = id === undefined ? `/new/${record}` : `/edit/${record}/${id}`;
  return (
    <LinkButton kind={kind} href={path(`${form}?${new URLSearchParams({ return: here })}`)}>
      {id === undefined ? words?.add : words?.change}
    </LinkButton>
  );
}
