// `/o/{org}/ocf`: packages of the Open Cap Format, in and out, and spreadsheets in.
import { useOrganization } from "../../frame/page-organization.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { OCF } from "../../text/ocf.ts";
import { Wizard } from "../imports/wizard.tsx";
import { Export } from "./export.tsx";
import { Import } from "./import.tsx";

/** The page. */
export function Page() {
  const { name, may } = useOrganization();
  return (
    <>
      <PageHead title={OCF.title} of={name} />
      <div class="stack">
        {may("ADMIN") && <Import />}
        {may("ADMIN") && <Wizard />}
        <Export />
      </div>
    </>
  );
}
