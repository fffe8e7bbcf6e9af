// `/o/{orgId}`: who owns what, today or on another day.
import { useEffect, useRef, useState } from "preact/hooks";
import { useSearchParams } from "wouter-preact";
import { isCalendarDate } from "../../../kernel/date.ts";
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { today } from "../../clock.ts";
import { CompanyComingUp } from "../../frame/coming-up.tsx";
import { ExportMenu } from "../../frame/export-menu.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordMenu } from "../../frame/record-menu.tsx";
import { LinkButton } from "../../parts/button.tsx";
import { Card, PageHead } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { OVERVIEW } from "../../text/overview.ts";
import { CapTableCard } from "./cap-table.tsx";
import { type CapTable, type Count, type RankedClass, seriesOf } from "./cap-table-figures.ts";
import { Convertibles } from "./convertibles.tsx";
import { Health } from "./health.tsx";
import { Strip } from "./overview-strip.tsx";
import { type By, Ownership } from "./ownership.tsx";
import { HistoryChart } from "./ownership-history.tsx";

/** What stands on the page, as files. */
const TABLES = ["/api/v1/reports/summary.csv", "/api/v1/reports/cap-table.csv", "/api/v1/reports/pool.csv"] as const;

/** While the hand moves, nothing is asked. */
const SETTLED_MS = 120;

/** The page. */
export function Page() {
  const { api, key, name } = useOrganization();
  const { day, asOf, setDay, by, count, set } = useAsked();
  const table = useQuery(
    key("cap-table", asOf),
    async (signal) =>
      (await answer(api.GET("/api/v1/cap-table", { params: { query: asOf ? { asOf } : {} }, signal }))).data,
    { keep: true },
  );
  const classes = useQuery(key("share-classes", "first"), async (signal) => {
    const asked = api.GET("/api/v1/share-classes", { params: { query: { limit: 100 } }, signal });
    return (await answer(asked)).items;
  });
  const ranked = rankedOf(table.data, classes.data ?? []);
  return (
    <>
      <p class="only-print print-head">
        <b>{OVERVIEW.capTableOf(name, asOf ?? today())}</b> <span>{OVERVIEW.printed(today())}</span>
      </p>
      <PageHead title={OVERVIEW.title} of={name}>
        {table.data && <ExportMenu tables={TABLES} asOf={asOf} />}
        <RecordMenu />
      </PageHead>
      <Loaded query={table} what={OVERVIEW.loading} lines={10}>
        {(data) =>
          isEmpty(data) && asOf === null ? (
            <Beginnings />
          ) : (
            <div class="overview">
              <Strip table={data} />
              <HistoryChart classes={ranked} day={day} onDay={setDay} isToday={asOf === null} />
              <div class={asOf === null ? "overview-pair" : ""}>
                <Ownership
                  table={data}
                  series={seriesOf(ranked)}
                  by={by}
                  count={count}
                  onBy={(value) => set("by", value === "class" ? null : value)}
                  onCount={(value) => set("count", value === "diluted" ? null : value)}
                />
                {asOf === null && <Health />}
              </div>
              {asOf === null && <CompanyComingUp />}
              <CapTableCard table={data} ranks={ranked} />
              <Convertibles table={data} />
            </div>
          )
        }
      </Loaded>
    </>
  );
}

/** What the address asks for, and the day that the hand is on meanwhile. */
function useAsked() {
  const [params, setParams] = useSearchParams();
  const asked = params.get("asOf");
  const asOf = asked !== null && isCalendarDate(asked) && asked !== today() ? asked : null;
  const [moved, setMoved] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setMoved(null), [asOf]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const set = (name: string, value: string | null) => {
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === null) after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  };
  const setDay = (day: string) => {
    setMoved(day);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => set("asOf", day === today() ? null : day), SETTLED_MS);
  };
  const by: By = params.get("by") === "holder" ? "holder" : "class";
  const count: Count = params.get("count") === "outstanding" ? "outstanding" : "diluted";
  return { day: moved ?? asOf ?? today(), asOf, setDay, by, count, set };
}

/** The table's classes by creation, then those of other days; one that has been deleted since is the most junior. */
function rankedOf(table: CapTable | undefined, known: readonly RankedClass[]): readonly RankedClass[] {
  const shown = table?.shareClasses ?? [];
  const withId = <T extends { readonly id: string }>(all: readonly T[], id: string) =>
    all.find((each) => each.id === id);
  return [
    ...shown.map((each) => withId(known, each.id) ?? { ...each, seniority: LAST_PLACE }),
    ...known.filter(({ id }) => !withId(shown, id)),
  ];
}
const LAST_PLACE = 1000;

function isEmpty({ stakeholders, shareClasses, equityPlans, convertibles }: CapTable): boolean {
  return [stakeholders, shareClasses, equityPlans, convertibles].every((list) => list.length === 0);
}

function Beginnings() {
  const { may, path } = useOrganization();
  const ways = [
    { label: OVERVIEW.importOcf, page: "/ocf", role: "ADMIN" },
    { label: OVERVIEW.addClass, page: "/new/share-class", role: "EDITOR" },
    { label: OVERVIEW.addHolders, page: "/new/stakeholder", role: "EDITOR" },
  ] as const;
  const open = ways.filter(({ role }) => may(role));
  return (
    <Card>
      <Empty words={may("EDITOR") ? OVERVIEW.none : OVERVIEW.noneForViewers}>
        {open.map(({ label, page }, index) => (
          <LinkButton key={page} href={path(page)} kind={index === 0 ? "primary" : "plain"}>
            {label}
          </LinkButton>
        ))}
      </Empty>
    </Card>
  );
}
