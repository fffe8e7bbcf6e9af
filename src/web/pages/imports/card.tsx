// The import of spreadsheets, loaded when somebody comes to where it is: most never do.
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
