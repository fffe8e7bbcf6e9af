// Card of the spreadsheet import. Its code loads on demand, since few visits use it.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** The card; nothing before it is there. */
export function SpreadsheetImport() {
  const [Wizard, setWizard] = useState<ComponentType | null>(null);
  useEffect(() => {
    void import("./wizard.tsx").then(({ Wizard: loaded }) => setWizard(() => loaded));
  }, []);
  return Wizard && <Wizard />;
}
