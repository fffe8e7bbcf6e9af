// Menu "Export" with an organization's downloads, and a button for a single PDF.
import { useRef } from "preact/hooks";
import { download, type FileAsked } from "../api/download.ts";
import type { FilePath } from "../api/file-path.ts";
import { Button } from "../parts/button.tsx";
import { Menu } from "../parts/menu.tsx";
import { useAction } from "../parts/use-action.tsx";
import { EXPORTS } from "../text/exports.ts";
import { useOrganization } from "./page-organization.ts";

/** Downloads one file at a time. */
function useDownload() {
  const { id } = useOrganization();
  const asked = useRef<FileAsked | null>(null);
  const { button, trouble } = useAction(async () => asked.current && (await download(id, asked.current)));
  const get = (file: FileAsked) => {
    asked.current = file;
    button.onClick();
  };
  return { get, trouble, isBusy: button.isBusy };
}

/** The menu: the workbook, the summary, and the tables that the page names; as of a day where the page shows one. */
export function ExportMenu({ tables, asOf }: { readonly tables: readonly FilePath[]; readonly asOf?: string | null }) {
  const { get, trouble, isBusy } = useDownload();
  const item = (path: FilePath) => ({
    label: EXPORTS.files[path] ?? path,
    onChoose: () => get({ path, query: asOf ? { asOf } : undefined }),
  });
  const whole: readonly FilePath[] = ["/api/v1/reports/cap-table.xlsx", "/api/v1/reports/cap-table.pdf"];
  return (
    <>
      {trouble}
      <Menu
        label={isBusy ? EXPORTS.making : EXPORTS.export}
        align="end"
        groups={[
          { title: EXPORTS.whole, items: whole.map(item) },
          { title: EXPORTS.csv, items: tables.map(item) },
        ]}
      />
    </>
  );
}

/** A button that downloads a paper: a certificate, or a statement. */
export function PaperButton({ file, label }: { readonly file: FileAsked; readonly label: string }) {
  const { get, trouble, isBusy } = useDownload();
  return (
    <>
      {trouble}
      <Button isBusy={isBusy} onClick={() => get(file)}>
        {label}
      </Button>
    </>
  );
}
