// The compliance reads: grants against valuations, the limit of incentive options, Rule 701.
import type { ComponentChildren } from "preact";
import { Link, useSearchParams } from "wouter-preact";
import { addDays } from "../../../kernel/date.ts";
import { answer } from "../../api/client.ts";
import { type Query, useQuery } from "../../api/query.ts";
import type { paths } from "../../api/types.ts";
import { today } from "../../clock.ts";
import { useClasses } from "../../frame/lists/register-lists.ts";
import { HolderLink, useHolderNames, useSecurityNames } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { Day, Money, Quantity } from "../../parts/figure.tsx";
import { readDecimal } from "../../parts/forms/decimal.ts";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { CheckField, DateField } from "../../parts/forms/other-fields.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Card, Facts } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/tables/table.tsx";
import { COMPLIANCE } from "../../text/models/compliance.ts";

/** What is asked for stands in the address. */
function useAsked(name: string, first = ""): readonly [string, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const set = (value: string) =>
    setParams(
      (now) => {
        now.set(name, value);
        return now;
      },
      { replace: true },
    );
  return [params.get(name) ?? first, set];
}

function DayField({
  name,
  label,
  value,
  onInput,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  return <DateField label={label} name={name} value={value} onInput={onInput} />;
}

function Shown<T>({
  query,
  children,
}: {
  readonly query: Query<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  return (
    <Loaded query={query} what={COMPLIANCE.loading} noun={COMPLIANCE.noun}>
      {children}
    </Loaded>
  );
}

/** A security by its number. */
function Certificate({
  id,
  names,
}: {
  readonly id: string;
  readonly names: { get(id: string): string | null | undefined };
}) {
  const { path } = useOrganization();
  return <Link href={path(`/securities/${id}`)}>{names.get(id) ?? COMPLIANCE.grant}</Link>;
}

const YEAR = 364;

/** Options granted in a span, each with the valuation of its day. */
export function Grants() {
  const { api, key } = useOrganization();
  const [to, setTo] = useAsked("to", today());
  const [from, setFrom] = useAsked("from", addDays(to || today(), -YEAR));
  const query = useQuery(
    from && to ? key("option-grants", from, to) : null,
    async (signal) =>
      (await answer(api.GET("/api/v1/compliance/option-grants", { params: { query: { from, to } }, signal }))).data,
    { keep: true },
  );
  return (
    <Card title={COMPLIANCE.grantsTitle} note={COMPLIANCE.grantsRule}>
      <div class="fields-2 asked-for">
        <DayField name="from" label={COMPLIANCE.from} value={from} onInput={setFrom} />
        <DayField name="to" label={COMPLIANCE.to} value={to} onInput={setTo} />
      </div>
      <Shown query={query}>
        {({ items }) => (items.length === 0 ? <Empty words={COMPLIANCE.noGrants} /> : <GrantsTable items={items} />)}
      </Shown>
    </Card>
  );
}

type GrantAnswer = paths["/api/v1/compliance/option-grants"]["get"]["responses"][200]["content"]["application/json"];

function GrantsTable({ items }: { readonly items: GrantAnswer["data"]["items"] }) {
  const [holders, certificates] = [useHolderNames(), useSecurityNames()];
  return (
    <Table
      label={COMPLIANCE.grantsTitle}
      rows={items}
      keyOf={({ securityId }) => securityId}
      columns={[
        {
          id: "grant",
          label: COMPLIANCE.grant,
          cell: ({ securityId }) => <Certificate id={securityId} names={certificates} />,
        },
        {
          id: "who",
          label: COMPLIANCE.who,
          isWide: true,
          cell: ({ stakeholderId }) => <HolderLink id={stakeholderId} known={holders.get(stakeholderId ?? "")} />,
        },
        {
          id: "day",
          label: COMPLIANCE.granted,
          isWide: true,
          cell: ({ grantDate }) => <Day value={grantDate} />,
        },
        {
          id: "strike",
          label: COMPLIANCE.strike,
          isFigure: true,
          cell: ({ exercisePrice }) => <Money value={exercisePrice} />,
        },
        {
          id: "value",
          label: COMPLIANCE.value,
          isFigure: true,
          cell: ({ fairMarketValue }) => <Money value={fairMarketValue} />,
        },
        {
          id: "finding",
          label: COMPLIANCE.finding,
          cell: ({ findings }) =>
            findings.length === 0 ? (
              <span class="note">{COMPLIANCE.fine}</span>
            ) : (
              findings.map((each) => (
                <Badge key={each} tone="warn">
                  {COMPLIANCE.findings[each]}
                </Badge>
              ))
            ),
        },
      ]}
    />
  );
}

/** The $100,000 limit by holder and year. */
export function IsoLimit() {
  const { api, key } = useOrganization();
  const [asOf, setAsOf] = useAsked("asOf", today());
  const [early, setEarly] = useAsked("early");
  const earlyExercise = early === "true" ? "true" : "false";
  const query = useQuery(
    asOf ? key("iso-limit", asOf, earlyExercise) : null,
    async (signal) =>
      (await answer(api.GET("/api/v1/compliance/iso-limit", { params: { query: { asOf, earlyExercise } }, signal })))
        .data,
    { keep: true },
  );
  return (
    <Card title={COMPLIANCE.isoTitle} note={query.data && COMPLIANCE.isoHint(query.data.limit)}>
      <div class="fields-2 asked-for">
        <DayField name="asOf" label={COMPLIANCE.asOf} value={asOf} onInput={setAsOf} />
        <CheckField
          label={COMPLIANCE.early}
          name="early"
          isChecked={early === "true"}
          onChange={(isOn) => setEarly(String(isOn))}
        />
      </div>
      <Shown query={query}>{({ holders }) => <IsoTable holders={holders} />}</Shown>
    </Card>
  );
}

function Result({ isMet }: { readonly isMet: boolean }) {
  return <Badge tone={isMet ? "good" : "warn"}>{isMet ? COMPLIANCE.met : COMPLIANCE.notMet}</Badge>;
}

type IsoAnswer = paths["/api/v1/compliance/iso-limit"]["get"]["responses"][200]["content"]["application/json"];

function IsoTable({ holders }: { readonly holders: IsoAnswer["data"]["holders"] }) {
  const certificates = useSecurityNames();
  const rows = holders.flatMap((holder) => holder.rows.map((row) => ({ ...row, holder })));
  if (rows.length === 0) return <Empty words={COMPLIANCE.noIso} />;
  return (
    <Table
      label={COMPLIANCE.isoTitle}
      rows={rows}
      keyOf={({ year, securityId }) => `${year} ${securityId}`}
      columns={[
        {
          id: "who",
          label: COMPLIANCE.who,
          cell: ({ holder }) => <HolderLink id={holder.stakeholderId} known={holder.name} />,
        },
        { id: "year", label: COMPLIANCE.year, cell: ({ year }) => String(year) },
        {
          id: "grant",
          label: COMPLIANCE.grant,
          isWide: true,
          cell: ({ securityId }) => <Certificate id={securityId} names={certificates} />,
        },
        {
          id: "quantity",
          label: COMPLIANCE.quantity,
          isFigure: true,
          isWide: true,
          cell: ({ quantity }) => <Quantity value={quantity} />,
        },
        {
          id: "fair",
          label: COMPLIANCE.fair,
          isFigure: true,
          isWide: true,
          cell: ({ fairMarketValue }) => <Money value={fairMarketValue} />,
        },
        {
          id: "worth",
          label: COMPLIANCE.worth,
          isFigure: true,
          isWide: true,
          cell: ({ value }) => <Money value={value} />,
        },
        {
          id: "iso",
          label: COMPLIANCE.iso,
          isFigure: true,
          cell: ({ iso }) => <Quantity value={iso} isZeroDimmed />,
        },
        {
          id: "nso",
          label: COMPLIANCE.nso,
          isFigure: true,
          cell: ({ nso }) => <Quantity value={nso} isZeroDimmed />,
        },
      ]}
    />
  );
}

/** Sales to those who work for the company, against the limits of Rule 701. */
export function Rule701() {
  const { api, key } = useOrganization();
  const [asOf, setAsOf] = useAsked("asOf", today());
  const [typed, setTyped] = useAsked("totalAssets");
  const [balanceSheetDate, setDate] = useAsked("balanceSheetDate");
  const totalAssets = readDecimal(typed);
  const classes = useClasses().data?.items ?? [];
  const query = useQuery(
    asOf ? key("rule-701", asOf, totalAssets, balanceSheetDate) : null,
    async (signal) => {
      const asked = {
        asOf,
        ...(totalAssets ? { totalAssets } : {}),
        ...(balanceSheetDate ? { balanceSheetDate } : {}),
      };
      return (await answer(api.GET("/api/v1/compliance/rule-701", { params: { query: asked }, signal }))).data;
    },
    { keep: true },
  );
  const known = (id: string | undefined) => classes.find((each) => each.id === id)?.name;
  return (
    <Card title={COMPLIANCE.ruleTitle} note={query.data && COMPLIANCE.ruleHint(query.data.from, query.data.asOf)}>
      <div class="fields-2 asked-for">
        <DayField name="asOf" label={COMPLIANCE.asOf} value={asOf} onInput={setAsOf} />
        <DecimalField label={COMPLIANCE.totalAssets} name="totalAssets" value={typed} onInput={setTyped} isOptional />
        <DateField
          label={COMPLIANCE.balanceDate}
          name="balanceSheetDate"
          value={balanceSheetDate}
          onInput={setDate}
          isOptional
        />
      </div>
      <Shown query={query}>
        {({ aggregateSalesPrice, isMet, disclosureRequired, tests }) => (
          <>
            <Facts
              facts={[
                [COMPLIANCE.aggregate, <Money key="sum" value={aggregateSalesPrice} />],
                [COMPLIANCE.result, <Result key="met" isMet={isMet} />],
                [COMPLIANCE.disclosure, disclosureRequired ? COMPLIANCE.needed : COMPLIANCE.notNeeded],
              ]}
            />
            <Table
              label={COMPLIANCE.ruleTitle}
              rows={tests}
              keyOf={({ test, stockClassId }) => `${test} ${stockClassId}`}
              columns={[
                {
                  id: "test",
                  label: COMPLIANCE.test,
                  cell: ({ test, stockClassId }) =>
                    stockClassId && known(stockClassId)
                      ? COMPLIANCE.ofClass(known(stockClassId) ?? "")
                      : COMPLIANCE.tests[test],
                },
                { id: "used", label: COMPLIANCE.used, isFigure: true, cell: ({ used }) => <Money value={used} /> },
                { id: "limit", label: COMPLIANCE.limit, isFigure: true, cell: ({ limit }) => <Money value={limit} /> },
                { id: "result", label: COMPLIANCE.result, cell: (each) => <Result isMet={each.isMet} /> },
              ]}
            />
          </>
        )}
      </Shown>
    </Card>
  );
}
