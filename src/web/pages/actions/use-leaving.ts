// The securities that a leaving concerns, to choose from those that go on: what the leaver holds, and what a dry run reaches
// in other hands.
import { isCalendarDate } from "../../../kernel/date.ts";
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { today } from "../../clock.ts";
import { tryOperation } from "../../frame/operation-calls.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import type { Operation, Security, Values } from "./spec.ts";
import { useSecuritiesById } from "./use-known.ts";

const OWN_MAX = 200;

/** They, each once, the leaver's own first; empty in every other form. */
export function useLeaving(operation: Operation | undefined, { stakeholderId = "", effectiveDate = "" }: Values) {
  const { api, key } = useOrganization();
  const isAsked = operation === "terminate-service" && stakeholderId !== "";
  const day = isCalendarDate(effectiveDate) ? effectiveDate : today();
  const own = useQuery(isAsked ? key("securities-of-leaver", stakeholderId) : null, (signal) =>
    answer(
      api.GET("/api/v1/securities", {
        params: { query: { stakeholderId, status: "ACTIVE", limit: OWN_MAX } },
        signal,
      }),
    ),
  );
  // A day that does not suit all of them is refused: then the leaver's own are offered.
  const reached = useQuery(isAsked ? key("leaving", stakeholderId, day) : null, (signal) =>
    tryOperation(api, "terminate-service", { stakeholderId, effectiveDate: day }, signal),
  );
  const held = own.data?.items ?? [];
  const { cancelled = [], stopped = [], exercisable = [] } = reached.data ?? {};
  const known = new Set(held.map(({ id }) => id));
  const others = [...cancelled, ...stopped, ...exercisable].map(({ securityId }) => securityId);
  const read = useSecuritiesById(others.filter((id) => !known.has(id)));
  return concerned([...held, ...read]);
}

/** Convertibles do not vest, and a leaving leaves them alone. */
function concerned(securities: readonly Security[]): readonly Security[] {
  const each = new Map(securities.map((security) => [security.id, security]));
  return [...each.values()].filter(({ type }) => type === "STOCK" || type === "STOCK_OPTION");
}
