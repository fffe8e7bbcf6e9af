// Members of a record that has no page of its own, such as the metadata of an entry: names in words, values as they are.
import type { ComponentChildren } from "preact";
import { quantityText } from "../../locale.ts";
import { Day, None } from "../../parts/figure.tsx";
import { MEMBERS } from "../../text/members.ts";
import { REGISTER } from "../../text/register-words.ts";

/** A member's name in words: `discountPercent` → "Discount (%)", else "Some member". */
export function memberLabel(name: string): string {
  const known = MEMBERS[name];
  if (known !== undefined) return known;
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const DECIMAL = /^\d{1,15}\.?\d{0,10}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A value of any shape: figures grouped, days in words, lists and objects as tables in it. */
export function ValueOf({ value }: { readonly value: unknown }): ComponentChildren {
  if (value === null || value === undefined || value === "") return <None />;
  if (typeof value === "boolean") return value ? REGISTER.yes : REGISTER.no;
  if (typeof value === "string") {
    if (DATE.test(value)) return <Day value={value} />;
    return DECIMAL.test(value) ? (
      <span class="figure">{quantityText(value)}</span>
    ) : (
      <span class="breakable">{value}</span>
    );
  }
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return <None />;
    return (
      <ul>
        {value.map((each: unknown, index) => (
          <li key={String(index)}>
            <ValueOf value={each} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <dl class="members">
      {Object.entries(value).map(([name, each]: [string, unknown]) => (
        <div key={name}>
          <dt>{memberLabel(name)}</dt>
          <dd>
            <ValueOf value={each} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
