// `/`: leads to the organization last looked at, the only one, or the list of them.
import { useEffect } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { session } from "../../api/session.ts";
import { homeOf } from "../../frame/navigation.ts";
import { lastLookedAt } from "../../frame/page-organization.ts";

/** The page. */
export function Page() {
  const [, navigate] = useLocation();
  useEffect(() => {
    const mine = session.value?.organizations ?? [];
    const home = mine.find(({ id }) => id === lastLookedAt.value) ?? (mine.length === 1 ? mine[0] : undefined);
    navigate(home ? homeOf(home) : "/organizations", { replace: true });
  }, []);
  return null;
}
