// `/o/{org}/ocf`: packages of the Open Cap Format, in and out.
import { useOrganization } from "../frame/organization.ts";
import { PageHead } from "../parts/page.tsx";
import { OCF } from "../text/ocf.ts";
import { Export } from "./ocf/export.tsx";
import { Import } from "./ocf/import.tsx";

/** The page. */
export function Page() {
  const { name, may } = useOrganization();
  return (
    <>
      <PageHead title={OCF.title} of={name} />
      <div class="stack">
        {may("ADMIN") && <Import />}
        <Export />
      </div>
    </>
  );
}
