// What search finds, in a combobox over the page: pages, actions, holders and certificates.
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Combobox } from "../../parts/forms/combobox.tsx";
import type { Option } from "../../parts/forms/field-spec.ts";
import { useAfter } from "../../parts/states.tsx";
import { ACTION_GROUPS } from "../../text/actions.ts";
import { FRAME } from "../../text/frame.ts";
import { isPage, navigationOf } from "../navigation.ts";
import { type OrganizationContext, useOrganization } from "../page-organization.ts";

const FOUND_MAX = 8;
/** The pause in typing before a search is sent. */
const SETTLED_MS = 150;

/** The dialog; `onClose` is called when it is left, also to go where something was found. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const organization = useOrganization();
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState("");
  const isSettled = useAfter(typed !== asked, SETTLED_MS);
  useEffect(() => {
    if (isSettled) setAsked(typed);
  }, [isSettled, typed]);
  const found = useFound(organization, asked.trim());
  const go = (address: string) => {
    onClose();
    if (address) navigate(address);
  };
  return (
    <Dialog title={FRAME.search} kind="search" onClose={onClose}>
      <Combobox
        label={FRAME.searchLabel}
        name="search"
        value=""
        onInput={go}
        onType={setTyped}
        options={[...placesOf(organization), ...found]}
        isOptional
        isOpenAtFirst
      />
    </Dialog>
  );
}

/** Pages and actions. */
function placesOf({ membership, may, path }: OrganizationContext): readonly Option[] {
  const pages = navigationOf(membership).flatMap(({ items }) =>
    items.map((item) => ({ value: path(item.path), label: item.label, hint: FRAME.pages })),
  );
  if (!may("EDITOR") || !isPage("/record/:operation")) return pages;
  const actions = ACTION_GROUPS.flatMap((group) =>
    group.actions.map(({ operation, label }) => {
      return { value: path(`/record/${operation}`), label, hint: FRAME.actions };
    }),
  );
  return [...pages, ...actions];
}

/** Holders and certificates whose pages are there. */
function useFound({ api, key, path, may }: OrganizationContext, q: string): readonly Option[] {
  const isAsked = q !== "" && may("VIEWER");
  const params = { query: { q, limit: FOUND_MAX } };
  const holders = useQuery(isAsked && isPage("/stakeholders/:id") ? key("search-holders", q) : null, (signal) =>
    answer(api.GET("/api/v1/stakeholders", { params, signal })),
  );
  const securities = useQuery(isAsked && isPage("/securities/:id") ? key("search-securities", q) : null, (signal) =>
    answer(api.GET("/api/v1/securities", { params, signal })),
  );
  return [
    ...(holders.data?.items ?? []).map(({ id, displayName }) => {
      return { value: path(`/stakeholders/${id}`), label: displayName, hint: FRAME.holders };
    }),
    ...(securities.data?.items ?? []).map(({ id, certificateId }) => {
      return { value: path(`/securities/${id}`), label: certificateId ?? id, hint: FRAME.certificates };
    }),
  ];
}
