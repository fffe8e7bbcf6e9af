// Form for the format of numbers and dates.
import { chooseLocale, chosenLocale, LOCALES } from "../../chosen-locale.ts";
import { today } from "../../clock.ts";
import { dayText, quantityText } from "../../locale.ts";
import { SelectField } from "../../parts/forms/other-fields.tsx";
import { Card } from "../../parts/page-head.tsx";
import { ACCOUNT } from "../../text/account.ts";

const NAMES = new Intl.DisplayNames("en", { type: "language" });
const SAMPLE = "1234567.5";

/** The choice; it is this browser's alone. */
export function Locale() {
  return (
    <Card title={ACCOUNT.locale}>
      <SelectField
        label={ACCOUNT.localeLabel}
        name="locale"
        value={chosenLocale() ?? ""}
        onInput={(chosen) => {
          chooseLocale(chosen);
          // All that is on the page was written in the other way.
          location.reload();
        }}
        empty={ACCOUNT.localeOfBrowser}
        choices={LOCALES.map((value) => ({ value, label: NAMES.of(value) ?? value }))}
        hint={ACCOUNT.localeHint(quantityText(SAMPLE), dayText(today()))}
      />
    </Card>
  );
}
