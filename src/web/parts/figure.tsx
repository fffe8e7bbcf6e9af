// One component for each kind of figure. What comes in is what the API sent; `null` shows as a dimmed dash.
import { type ConvertingClass, ratioLine } from "../../views/cap-table/layout/ratios.ts";
import {
  centsText,
  countText,
  dayText,
  fullInstantText,
  instantText,
  moneyText,
  percentText,
  quantityText,
  shortAddress,
  shortHash,
} from "../locale.ts";
import { COMMON } from "../text/common.ts";
import { Copy } from "./copy.tsx";

/** What stands where there is nothing. */
export function None() {
  return <span class="none">{COMMON.none}</span>;
}

const WORDS: Readonly<Record<string, string>> = {
  UNLIMITED: COMMON.unlimited,
  "NOT APPLICABLE": COMMON.notApplicable,
};

/** A number of shares, or of whatever else is counted exactly; `isZeroDimmed` shows 0 as a dash. */
export function Quantity({
  value,
  isZeroDimmed = false,
}: {
  readonly value: string | null | undefined;
  readonly isZeroDimmed?: boolean;
}) {
  if (value === null || value === undefined || (isZeroDimmed && value === "0")) return <None />;
  return <span class="figure">{WORDS[value] ?? quantityText(value)}</span>;
}

/** Which preferred stock does not count one for one, where figures as converted stand. */
export function Ratios({ classes }: { readonly classes: readonly ConvertingClass[] }) {
  const line = ratioLine(classes);
  return line === null ? null : <p class="note">{line}</p>;
}

/** A count of things. */
export function Count({ value }: { readonly value: number | null | undefined }) {
  return value === null || value === undefined ? <None /> : <span class="figure">{countText(value)}</span>;
}

/** A percentage: two places, all that the API gave in the tooltip. */
export function Percent({ value }: { readonly value: string | null | undefined }) {
  if (value === null || value === undefined) return <None />;
  return (
    <span class="figure" title={`${quantityText(value)}%`}>
      {percentText(value)}
    </span>
  );
}

/** An amount; the currency is given where it is not the organization's. */
export function Money({
  value,
  currency,
}: {
  readonly value: string | null | undefined;
  readonly currency?: string | null | undefined;
}) {
  if (value === null || value === undefined) return <None />;
  return <span class="figure">{moneyText(value, currency)}</span>;
}

/** An amount that is to the cent, in a column of such. */
export function Cents({ value }: { readonly value: string | null | undefined }) {
  if (value === null || value === undefined) return <None />;
  return <span class="figure">{centsText(value)}</span>;
}

/** A calendar day. */
export function Day({ value }: { readonly value: string | null | undefined }) {
  return value ? <time dateTime={value}>{dayText(value)}</time> : <None />;
}

/** An instant in the person's zone; the zone stands in the tooltip. */
export function Instant({ value }: { readonly value: string | null | undefined }) {
  if (!value) return <None />;
  return (
    <time dateTime={value} title={fullInstantText(value)}>
      {instantText(value)}
    </time>
  );
}

/** A hash: its ends, and the whole to copy. */
export function Hash({ value }: { readonly value: string | null | undefined }) {
  return value ? <Coded value={value} shown={shortHash(value)} /> : <None />;
}

/** An address on the chain: its ends, and the whole to copy. */
export function Address({ value }: { readonly value: string | null | undefined }) {
  return value ? <Coded value={value} shown={shortAddress(value)} /> : <None />;
}

function Coded({ value, shown }: { readonly value: string; readonly shown: string }) {
  return (
    <span class="coded">
      <code title={value}>{shown}</code>
      <Copy text={value} />
    </span>
  );
}
