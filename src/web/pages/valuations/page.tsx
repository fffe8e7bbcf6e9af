// `/o/{org}/valuations`: what a share was worth, by whom and until when, and the prices over time.
import { useState } from "preact/hooks";
import { answer } from "../../api/client.ts";
import { REGISTERS } from "../../api/registers.ts";
import { today } from "../../clock.ts";
import { ExportMenu } from "../../frame/export-menu.tsx";
import { DeclaredList, declaredColumns, useDeclared } from "../../frame/lists/declared-list.tsx";
import { useClasses } from "../../frame/lists/register-lists.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordLink } from "../../frame/record-links.tsx";
import { Count, Day, Money, None } from "../../parts/figure.tsx";
import { Badge, type Tone } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import type { Column } from "../../parts/tables/table.tsx";
import { choicesOf } from "../../text/register-words.ts";
import { VALUATIONS } from "../../text/valuations.ts";
import { Prices } from "./chart.tsx";
import { daysLeft, type Valuation } from "./lines.ts";
import { OneValuation } from "./valuation-row.tsx";

const TONES: Readonly<Record<Valuation["status"], Tone | "plain">> = {
  DRAFT: "plain",
  PENDING_APPROVAL: "info",
  APPROVED: "good",
  EXPIRED: "warn",
};

function Left({ valuation }: { readonly valuation: Valuation }) {
  const left = daysLeft(valuation, today());
  if (left === null || valuation.status !== "APPROVED") return <None />;
  return left < 0 ? <Badge tone="warn">{VALUATIONS.past}</Badge> : <Count value={left} />;
}

function columnsOf(nameOf: (id: string | null) => string, open: (id: string) => void): readonly Column<Valuation>[] {
  return declaredColumns<"valuations", Valuation>("valuations", {
    class: {
      width: "minmax(0, 1.4fr)",
      sortBy: ({ stockClassId }) => nameOf(stockClassId),
      cell: ({ id, stockClassId, effectiveDate }) => (
        <button
          type="button"
          class="as-link"
          aria-label={VALUATIONS.openOne(nameOf(stockClassId), effectiveDate)}
          onClick={() => open(id)}
        >
          {nameOf(stockClassId)}
        </button>
      ),
    },
    type: {
      isWide: true,
      width: "6rem",
      sortBy: ({ type }) => VALUATIONS.types[type],
      cell: ({ type }) => VALUATIONS.types[type],
    },
    price: {
      isFigure: true,
      width: "minmax(5.5rem, 0.7fr)",
      sortBy: ({ pricePerShare }) => pricePerShare,
      cell: ({ pricePerShare }) => <Money value={pricePerShare} />,
    },
    today: {
      isFigure: true,
      isWide: true,
      width: "minmax(5.5rem, 0.7fr)",
      sortBy: ({ pricePerShareToday }) => pricePerShareToday,
      cell: ({ pricePerShareToday }) => <Money value={pricePerShareToday} />,
    },
    effective: {
      width: "7rem",
      isDay: true,
      sortBy: ({ effectiveDate }) => effectiveDate,
      cell: ({ effectiveDate }) => <Day value={effectiveDate} />,
    },
    expires: {
      isWide: true,
      width: "7rem",
      isDay: true,
      sortBy: ({ expirationDate }) => expirationDate,
      cell: ({ expirationDate }) => <Day value={expirationDate} />,
    },
    status: {
      isWide: true,
      width: "10rem",
      sortBy: ({ status }) => VALUATIONS.statuses[status],
      cell: ({ status }) => <Badge tone={TONES[status]}>{VALUATIONS.statuses[status]}</Badge>,
    },
    left: {
      isFigure: true,
      isWide: true,
      width: "6rem",
      cell: (valuation) => <Left valuation={valuation} />,
    },
  });
}

const TABLES = ["/api/v1/reports/valuations.csv"] as const;

/** The page. */
export function Page() {
  const { api, name } = useOrganization();
  const [opened, setOpened] = useState<string | null>(null);
  const classes = useClasses().data?.items ?? [];
  const names = new Map(classes.map(({ id, name: className }) => [id, className]));
  const nameOf = (id: string | null) => names.get(id ?? "") ?? VALUATIONS.anyClass;
  const { register, ...list } = useDeclared<"valuations", Valuation>("valuations", {
    read: (query, page, signal) =>
      answer(api.GET("/api/v1/valuations", { params: { query: { ...page, ...query } }, signal })),
    filters: {
      class: {
        choices: classes.map(({ id, name: label }) => ({ value: id, label })),
        asked: "stockClassId",
        matches: ({ stockClassId }, id) => stockClassId === id,
      },
      status: { choices: choicesOf(VALUATIONS.statuses) },
    },
  });
  const add = classes.length > 0 && <RecordLink record="valuation" kind="primary" />;
  const one = register.query.data?.items.find(({ id }) => id === opened);
  return (
    <>
      <PageHead title={REGISTERS.valuations.title} of={name}>
        <ExportMenu tables={TABLES} />
        {add}
      </PageHead>
      <Prices valuations={register.rows} nameOf={nameOf} />
      <DeclaredList
        of="valuations"
        {...{ register, rows: register.rows, ...list }}
        columns={columnsOf(nameOf, setOpened)}
        keyOf={({ id }) => id}
        initial={{ id: "effective", isDescending: true }}
        first={add}
      />
      {one && <OneValuation valuation={one} name={nameOf(one.stockClassId)} onClose={() => setOpened(null)} />}
    </>
  );
}
