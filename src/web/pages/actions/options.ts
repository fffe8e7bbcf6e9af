// Options of comboboxes: holders and securities, searched on the server while the user types.
import { useState } from "preact/hooks";
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import type { Option } from "../../parts/forms/field-spec.ts";
import { useAfter } from "../../parts/states.tsx";
import { SECURITY_WORDS } from "../../text/actions/field-words.ts";
import type { Facts, Security, SecurityType } from "./spec.ts";

const OFFERED = 50;
const HOLDERS_ASKED = 4;
const SETTLED_MS = 150;

/** The typed text, once the user has paused. */
function useTyped() {
  const [typed, setTyped] = useState("");
  const [settled, setSettled] = useState("");
  const isSettled = useAfter(typed !== settled, SETTLED_MS);
  if (isSettled && typed !== settled) setSettled(typed);
  return { typed: settled.trim(), onType: setTyped };
}

/** Holders to choose from, the chosen one among them. */
export function useHolderOptions(chosen: string, { holders }: Facts) {
  const { api, key } = useOrganization();
  const { typed, onType } = useTyped();
  const found = useQuery(
    key("stakeholder-options", typed),
    (signal) =>
      answer(
        api.GET("/api/v1/stakeholders", {
          params: { query: typed ? { q: typed, limit: OFFERED } : { limit: OFFERED } },
          signal,
        }),
      ),
    { keep: true },
  );
  const options = (found.data?.items ?? []).map(({ id, displayName, email, status }): Option => {
    const hint = [email, status === "FORMER" ? SECURITY_WORDS.former : null].filter(Boolean).join(", ");
    return { value: id, label: displayName, ...(hint ? { hint } : {}) };
  });
  const own = holders.get(chosen);
  const isThere = chosen === "" || options.some(({ value }) => value === chosen);
  return { options: isThere || !own ? options : [...options, { value: chosen, label: own.displayName }], onType };
}

/** Securities that are held to choose from: by number, or by the name of who holds them. */
export function useSecurityOptions(chosen: string, types: readonly SecurityType[], facts: Facts) {
  const { api, key } = useOrganization();
  const { typed, onType } = useTyped();
  const found = useQuery(
    key("security-options", typed),
    async (signal) => {
      const ask = async (query: { q?: string; stakeholderId?: string }) => {
        const all = { ...query, status: "ACTIVE", limit: OFFERED } as const;
        const { items } = await answer(api.GET("/api/v1/securities", { params: { query: all }, signal }));
        return items;
      };
      if (typed === "") return ask({});
      const named = { q: typed, limit: HOLDERS_ASKED };
      const { items } = await answer(api.GET("/api/v1/stakeholders", { params: { query: named }, signal }));
      const lists = await Promise.all([ask({ q: typed }), ...items.map(({ id }) => ask({ stakeholderId: id }))]);
      return [...new Map(lists.flat().map((each) => [each.id, each])).values()];
    },
    { keep: true },
  );
  const { security } = facts;
  const others = (found.data ?? []).filter(({ id, type }) => id !== security?.id && types.includes(type));
  const all = security && security.id === chosen ? [security, ...others] : others;
  return { options: all.map((each) => securityOption(each, facts)), onType };
}

/** A security as it is offered: its number and holder, and what is held. */
export function securityOption(security: Security, { holders }: Facts): Option {
  const holder = holders.get(security.stakeholderId ?? "")?.displayName;
  return {
    value: security.id,
    label: [security.certificateId ?? SECURITY_WORDS.noNumber, holder].filter(Boolean).join(", "),
    hint: SECURITY_WORDS.held(security.quantity, security.type),
  };
}
