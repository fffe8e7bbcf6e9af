// What will change: beside the form, figures now and after, who owns how much, warnings, and what is refused.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
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
import type { Differences } from "./differences.ts";
import type { Changes, Line, Share, Use } from "./effects.ts";
import type { Preview } from "./use-preview.ts";
import { Warnings } from "./warnings.tsx";

/** The panel. */
export function Panel({
  preview,
  changes,
  differences,
  isHeld,
  wayOn,
  children,
}: {
  readonly preview: Preview;
  readonly changes: Changes | null;
  /** What differs from what was shown before others recorded something. */
  readonly differences: Differences | null;
  /** Whether nothing was recorded because of them. */
  readonly isHeld: boolean;
  /** What leads on from a refusal. */
  readonly wayOn: ComponentChildren;
  /** What the action shows besides: a chart, what it costs. */
  readonly children?: ComponentChildren;
}) {
  const isOld = "isOld" in preview && preview.isOld;
  const marks = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isHeld) marks.current?.scrollIntoView({ block: "nearest" });
  }, [isHeld]);
  const state = preview.state === "CHECKED" && isOld ? "CHECKING" : preview.state;
  const badge = state === "CHECKED" ? <Badge tone="good">{PREVIEW.checked}</Badge> : null;
  return (
    <aside class="preview">
      <Card title={PREVIEW.title} actions={state === "CHECKING" ? <span class="note">{PREVIEW.checking}</span> : badge}>
        <p class="visually-hidden" aria-live="polite">
          {state === "CHECKED" && changes && PREVIEW.summary(changes.lines.length)}
        </p>
        <div class="changed" role="status" ref={marks}>
          {differences && state !== "CHECKING" && (
            <Notice tone="warn" title={PREVIEW.sinceTitle}>
              {isHeld ? PREVIEW.notRecorded : PREVIEW.sinceWords}
            </Notice>
          )}
        </div>
        {state === "WAITING" && <p class="note">{PREVIEW.waiting}</p>}
        {preview.state === "REFUSED" && <Refusal error={preview.error}>{wayOn}</Refusal>}
        {changes && state !== "REFUSED" && state !== "WAITING" && (
          <div class={state === "CHECKED" ? "loaded" : "loaded dimmed"}>
            <Shown changes={changes} since={differences?.ids ?? NOTHING} />
            {preview.state === "CHECKED" && !isOld && <Warnings warnings={preview.told.warnings} />}
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

const NOTHING: ReadonlySet<string> = new Set();

interface ShownProps {
  readonly changes: Changes;
  /** What is marked as changed since, by id. */
  readonly since: ReadonlySet<string>;
}

function Shown({ changes: { lines, uses, shares }, since }: ShownProps) {
  if (lines.length === 0) return <p class="note">{PREVIEW.nothing}</p>;
  // What is folded away is not seen to be marked.
  const isFolded = !lines.slice(FIRST).some(({ id }) => since.has(id));
  return (
    <>
      <Moves label={PREVIEW.figures} rows={lines.slice(0, FIRST).map(lineRow)} since={since} />
      {lines.length > FIRST && (
        <details class="further" open={!isFolded}>
          <summary>{PREVIEW.further(lines.length - FIRST)}</summary>
          <Moves label={PREVIEW.further(lines.length - FIRST)} rows={lines.slice(FIRST).map(lineRow)} since={since} />
        </details>
      )}
      {uses.map((use) => (
        <UseBar key={use.id} use={use} isSince={since.has(use.id)} />
      ))}
      {shares.length > 0 && (
        <>
          <h3>{PREVIEW.ownership}</h3>
          <Moves label={PREVIEW.ownership} rows={shares.map(shareRow)} since={since} />
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

type Since = Pick<ShownProps, "since">;

/** Now → after. */
function Moves({ label, rows, since }: { readonly label: string; readonly rows: readonly Row[] } & Since) {
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
            <th scope="row">
              {row.label} {since.has(row.id) && <Badge tone="warn">{PREVIEW.since}</Badge>}
            </th>
            <td class="num before">{row.before}</td>
            <td class="num after">{row.after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function UseBar({ use: { used, limit, isPlan }, isSince }: { readonly use: Use; readonly isSince: boolean }) {
  if (!isDecimalText(limit)) return null;
  const left = parseDecimal(limit) - parseDecimal(used);
  const words =
    left < 0n ? PREVIEW.over(formatDecimal(-left), limit, isPlan) : PREVIEW.remain(formatDecimal(left), limit, isPlan);
  return (
    <div class="use">
      <Meter used={used} limit={limit} label={words} color={isPlan ? "c4" : "c1"} />
      <p class="note">
        {words} {isSince && <Badge tone="warn">{PREVIEW.since}</Badge>}
      </p>
    </div>
  );
}
