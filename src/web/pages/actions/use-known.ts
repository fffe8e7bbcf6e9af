// The securities that an action touches, so that the preview can name them and tell who owns what.
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import type { Known } from "./effects.ts";
import type { Effect, Facts, Security } from "./spec.ts";

/** More are not asked for one by one; the preview then shows classes and plans alone. */
const ASKED_MAX = 40;

/** What is known of them, by id. */
export function useKnown(effects: readonly Effect[], { security }: Facts): Known {
  const touched = effects.flatMap(({ resourceType, id }) => (resourceType === "security" && id !== null ? [id] : []));
  const ids = [...new Set(touched)].filter((id) => id !== security?.id);
  const all = [...(security ? [security] : []), ...useSecuritiesById(ids)];
  return new Map(all.map((each) => [each.id, each]));
}

/** Securities read one by one; none as long as they are not there, or where they are too many. */
export function useSecuritiesById(ids: readonly string[]): readonly Security[] {
  const { api, key } = useOrganization();
  const isAsked = ids.length > 0 && ids.length <= ASKED_MAX;
  const read = useQuery(isAsked ? key("securities-by-id", ...ids) : null, (signal) =>
    Promise.all(ids.map((id) => answer(api.GET("/api/v1/securities/{id}", { params: { path: { id } }, signal })))),
  );
  return (isAsked && read.data) || [];
}
