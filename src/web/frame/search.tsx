// Search: Ctrl or ⌘ and K opens one combobox over pages, actions, holders and certificates.
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { answer } from "../api/client.ts";
import { useQuery } from "../api/query.ts";
import { Store, useStore } from "../api/store.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Combobox } from "../parts/forms/combobox.tsx";
import type { Option } from "../parts/forms/field-spec.ts";
import { Icon } from "../parts/icon.tsx";
import { useAfter } from "../parts/states.tsx";
import { ACTION_GROUPS } from "../text/actions.ts";
import { FRAME } from "../text/frame.ts";
import { isPage, navigationOf } from "./navigation.ts";
import { type OrganizationContext, useOrganization } from "./page-organization.ts";

const FOUND_MAX = 8;
/** The pause in typing before a search is sent. */
const SETTLED_MS = 150;

const isOpen = new Store(false);

/** The button in the side bar. */
export function SearchButton() {
  return (
    <button type="button" class="nav-link search-button" onClick={() => isOpen.set(true)}>
      <Icon name="search" />
      <span>{FRAME.search}</span>
      <kbd>{/Mac|iPhone|iPad/.test(navigator.platform) ? FRAME.searchKeysOnMac : FRAME.searchKeys}</kbd>
    </button>
  );
}

/** Listens for the keys, and shows the dialog; once, on pages of an organization. */
export function Search() {
  const isShown = useStore(isOpen);
  const [path] = useLocation();
  useEffect(() => isOpen.set(false), [path]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isWanted = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      // Over another dialog it would be lost what that asks.
      if (!isWanted || event.altKey || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      isOpen.set(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return isShown ? <SearchDialog /> : null;
}

function SearchDialog() {
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
    isOpen.set(false);
    if (address) navigate(address);
  };
  return (
    <Dialog title={FRAME.search} kind="search" onClose={() => isOpen.set(false)}>
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
