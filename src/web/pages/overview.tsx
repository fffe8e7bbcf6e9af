// `/o/{orgId}`: who owns what.
import { useOrganization } from "../frame/organization.ts";
import { PageHead } from "../parts/page.tsx";
import { FRAME } from "../text/frame.ts";

/** The page. */
export function Page() {
  const { name } = useOrganization();
  return <PageHead title={FRAME.overview} of={name} />;
}
