// The export: the whole package, or parts of it.
import { useState } from "preact/hooks";
import { answer } from "../../api/client.ts";
import { today } from "../../clock.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { CheckField } from "../../parts/forms/other-fields.tsx";
import { Card } from "../../parts/page-head.tsx";
import { save } from "../../parts/save.ts";
import { csvName } from "../../parts/tables/table-csv.ts";
import { useAction } from "../../parts/use-action.tsx";
import { OCF } from "../../text/ocf.ts";

type Part = keyof typeof OCF.partNames;
const PARTS = Object.keys(OCF.partNames) as Part[];

/** The card. */
export function Export() {
  const { api, name } = useOrganization();
  const [parts, setParts] = useState<readonly Part[]>(PARTS);
  const download = useAction(async () => {
    const query = parts.length === PARTS.length ? {} : { include: parts.join(",") };
    const bytes = await answer(api.GET("/api/v1/cap-table/ocf-export", { params: { query }, parseAs: "blob" }));
    save(new Blob([bytes as BlobPart]), csvName("cap-table", name, today()).replace(/csv$/, "ocf.zip"));
  });
  const toggle = (part: Part, isIn: boolean) =>
    setParts(PARTS.filter((each) => (each === part ? isIn : parts.includes(each))));
  return (
    <Card title={OCF.export}>
      <p class="note">{OCF.exportWords}</p>
      <details>
        <summary>{OCF.allParts}</summary>
        <div class="check-grid spaced">
          {PARTS.map((part) => (
            <CheckField
              key={part}
              label={OCF.partNames[part]}
              name={part}
              isChecked={parts.includes(part)}
              onChange={(isIn) => toggle(part, isIn)}
            />
          ))}
        </div>
      </details>
      <div class="row spaced">
        {parts.length === 0 ? <p class="note">{OCF.noParts}</p> : <Button {...download.button}>{OCF.download}</Button>}
      </div>
      {download.trouble}
    </Card>
  );
}
