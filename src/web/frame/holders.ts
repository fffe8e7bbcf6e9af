// The organization's stakeholders by name, for fields that choose one, and for lists that name them.
import { answer } from "../api/client.ts";
import { useWholeList } from "../api/list-pages.ts";
import type { Option } from "../parts/forms/field-spec.ts";
import { useOrganization } from "./page-organization.ts";

/** What a page knows of the stakeholders. */
export interface Holders {
  readonly options: readonly Option[];
  /** The name of one; its id while the names are not there, or where it is there no more. */
  nameOf(id: string): string;
  readonly isLoaded: boolean;
}

/** Asks for the stakeholders. */
export function useHolders(): Holders {
  const { api, key } = useOrganization();
  const { data } = useWholeList(key("stakeholders", "all"), (page, signal) =>
    answer(api.GET("/api/v1/stakeholders", { params: { query: page }, signal })),
  );
  const items = data?.items ?? [];
  const names = new Map(items.map(({ id, displayName }) => [id, displayName]));
  return {
    options: items.map(({ id, displayName, email }) => ({
      value: id,
      label: displayName,
      ...(email ? { hint: email } : {}),
    })),
    nameOf: (id) => names.get(id) ?? id,
    isLoaded: data !== undefined,
  };
}
