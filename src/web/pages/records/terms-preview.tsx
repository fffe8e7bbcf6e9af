// What terms make vest when, for a sample: the chart and the first dates, by the engine itself.

import { useState } from "preact/hooks";
import { isCalendarDate } from "../../../kernel/date.ts";
import type { VestingRules } from "../../../ledger/vesting/vesting-types.ts";
import { today } from "../../clock.ts";
import { ScheduleChart } from "../../frame/schedule.tsx";
import { stepsOfVesting, type VestingStep } from "../../parts/charts/vesting-points.ts";
import { Day, Quantity } from "../../parts/figure.tsx";
import { readDecimal } from "../../parts/forms/decimal.ts";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { DateField } from "../../parts/forms/other-fields.tsx";
import { Card } from "../../parts/page-head.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { TERMS } from "../../text/records.ts";
import { scheduleOf } from "./terms-rows.ts";

const SAMPLE = "48000";
const DATES_SHOWN = 60;

const COLUMNS: readonly Column<VestingStep>[] = [
  { id: "date", label: TERMS.date, cell: ({ date }) => <Day value={date} /> },
  { id: "vests", label: TERMS.vests, isFigure: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
  { id: "total", label: TERMS.total, isFigure: true, cell: ({ total }) => <Quantity value={total} /> },
];

/** The panel; `rules` is null while they cannot be read, or make no schedule. */
export function TermsPreview({ rules }: { readonly rules: VestingRules | null }) {
  const [quantity, setQuantity] = useState(SAMPLE);
  const [start, setStart] = useState(today());
  const count = readDecimal(quantity);
  const isReady = rules !== null && count !== null && count !== "0" && isCalendarDate(start);
  const schedule = isReady ? scheduleOf(rules, count, start) : null;
  const steps = stepsOfVesting(schedule?.events ?? []);
  return (
    <aside class="preview">
      <Card title={TERMS.preview}>
        <div class="fields-2">
          <DecimalField label={TERMS.quantity} name="sampleQuantity" value={quantity} onInput={setQuantity} />
          <DateField label={TERMS.start} name="sampleStart" value={start} onInput={setStart} />
        </div>
        {schedule === null && <p class="note">{rules === null ? TERMS.fault : TERMS.nothing}</p>}
        {schedule && count && (
          <>
            <ScheduleChart events={schedule.events} quantity={count} start={start} />
            {schedule.unscheduled !== "0" && <p class="note">{TERMS.unscheduled(schedule.unscheduled)}</p>}
            {steps.length > 0 && (
              <>
                <h3>{TERMS.dates(steps.slice(0, DATES_SHOWN).length, steps.length)}</h3>
                <div class="dates">
                  <Table
                    label={TERMS.preview}
                    columns={COLUMNS}
                    rows={steps.slice(0, DATES_SHOWN)}
                    keyOf={({ date }) => date}
                  />
                </div>
              </>
            )}
          </>
        )}
      </Card>
    </aside>
  );
}
