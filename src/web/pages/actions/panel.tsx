// What will change: beside the form, figures now and after, who owns how much, warnings, and what is refused.
import type { ComponentChildren } from "preact";
import { formatDecimal, isDecimalText, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { ApiProblem } from "../../api/problem.ts";
import { dayText, percentText, quantityText } from "../../locale.ts";
import { sentence } from "../../parts/forms/words.ts";
import { Meter } from "../../parts/meter.tsx";
import { Badge, Notice } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { wordsOf } from "../../parts/states.tsx";
import { PREVIEW } from "../../text/actions/preview.ts";
import { COMMON } from "../../text/common.ts";
import type { Changes, Line, Share, Use } from "./effects.ts";
import type { Preview } from "./use-preview.ts";
import { Warnings } from "./warnings.tsx";

/** The panel. */
export function Panel({
  preview,
  changes,
  wayOn,
  children,
}: {
  readonly preview: Preview;
  readonly changes: Changes | null;
  /** What leads on from a refusal. */
  readonly wayOn: ComponentChildren;
  /** What the action shows besides: a chart, what it costs. */
  readonly children?: ComponentChildren;
}) {
  const { state } = preview;
  const badge = state === "CHECKED" ? <Badge tone="good">{PREVIEW.checked}</Badge> : null;
  return (
    <aside class="preview">
      <Card title={PREVIEW.title} actions={state === "CHECKING" ? <span class="note">{PREVIEW.checking}</span> : badge}>
        <p class="visually-hidden" aria-live="polite">
          {state === "CHECKED" && changes && PREVIEW.summary(changes.lines.length)}
        </p>
        {state === "WAITING" && <p class="note">{PREVIEW.waiting}</p>}
        {state === "REFUSED" && <Refusal error={preview.error}>{wayOn}</Refusal>}
        {changes && state !== "REFUSED" && state !== "WAITING" && (
          <div class={state === "CHECKED" ? "loaded" : "loaded dimmed"}>
            <Shown changes={changes} />
            {state === "CHECKED" && <Warnings warnings={preview.told.warnings} />}
          </div>
        )}
        {children}
      </Card>
    </aside>
  );
}

function Refusal({ error, children }: { readonly error: unknown; readonly children: ComponentChildren }) {
  const detail = error instanceof ApiProblem ? detailOf(error) : wordsOf(error).detail;
  return (
    <Notice tone="bad" title={PREVIEW.refused} actions={children}>
      {detail}
    </Notice>
  );
}

function detailOf({ detail, errors }: ApiProblem): string {
  return errors.length === 0 ? sentence(detail) : errors.map((each) => sentence(each.detail)).join(" ");
}

function Shown({ changes: { lines, uses, shares } }: { readonly changes: Changes }) {
  if (lines.length === 0) return <p class="note">{PREVIEW.nothing}</p>;
  return (
    <>
      <Moves label={PREVIEW.figures} rows={lines.slice(0, FIRST).map(lineRow)} />
      {lines.length > FIRST && (
        <details class="further">
          <summary>{PREVIEW.further(lines.length - FIRST)}</summary>
          <Moves label={PREVIEW.further(lines.length - FIRST)} rows={lines.slice(FIRST).map(lineRow)} />
        </details>
      )}
      {uses.map((use) => (
        <UseBar key={use.id} use={use} />
      ))}
      {shares.length > 0 && (
        <>
          <h3>{PREVIEW.ownership}</h3>
          <Moves label={PREVIEW.ownership} rows={shares.map(shareRow)} />
        </>
      )}
    </>
  );
}

/** Lines that are shown without being asked for. */
const FIRST = 12;

function lineRow(line: Line): Row {
  return { id: line.id, label: line.label, ...shownOf(line) };
}

function shareRow({ id, name, before, after }: Share) {
  return { id, label: name, before: percentText(before), after: percentText(after) };
}

/** Both sides of a line, as people read them. */
function shownOf({ before, after }: Line): { readonly before: string; readonly after: string } {
  return { before: valueText(before), after: valueText(after) };
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return COMMON.none;
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  const text = String(value);
  if (isDecimalText(text)) return quantityText(text);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return dayText(text);
  return PREVIEW.statuses[text] ?? text.replaceAll("_", " ").toLocaleLowerCase();
}

interface Row {
  readonly id: string;
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** Now → after. */
function Moves({ label, rows }: { readonly label: string; readonly rows: readonly Row[] }) {
  return (
    <table class="moves" aria-label={label}>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{label}</th>
          <th scope="col">{PREVIEW.now}</th>
          <th scope="col">{PREVIEW.after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">{row.label}</th>
            <td class="num before">{row.before}</td>
            <td class="num after">{row.after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function UseBar({ use: { used, limit, isPlan } }: { readonly use: Use }) {
  if (!isDecimalText(limit)) return null;
  const left = parseDecimal(limit) - parseDecimal(used);
  const words =
    left < 0n ? PREVIEW.over(formatDecimal(-left), limit, isPlan) : PREVIEW.remain(formatDecimal(left), limit, isPlan);
  return (
    <div class="use">
      <Meter used={used} limit={limit} label={words} color={isPlan ? "c4" : "c1"} />
      <p class="note">{words}</p>
    </div>
  );
}
