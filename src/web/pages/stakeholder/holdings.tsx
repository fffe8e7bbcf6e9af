// Holdings of a stakeholder by type, with their vested part, and securities held earlier.
import { answer } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { type Security, securityColumns } from "../../frame/lists/security-columns.tsx";
import { NO_NAMES, useClassNames } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordMenu } from "../../frame/record-menu.tsx";
import { Day, Quantity } from "../../parts/figure.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Empty } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { REGISTER } from "../../text/register-words.ts";
import { SECURITIES } from "../../text/securities.ts";
import { STAKEHOLDERS } from "../../text/stakeholders.ts";
import type { Position } from "./position.ts";

type Held = Position["securities"][number];

const VESTED: Column<Held> = {
  id: "vested",
  label: STAKEHOLDERS.vested,
  isFigure: true,
  cell: ({ vested }) => <Quantity value={vested} isZeroDimmed />,
};
const UNVESTED: Column<Held> = {
  id: "unvested",
  label: STAKEHOLDERS.unvested,
  isFigure: true,
  cell: ({ unvested }) => <Quantity value={unvested} isZeroDimmed />,
};
const EXERCISABLE: Column<Held> = {
  id: "exercisable",
  label: STAKEHOLDERS.exercisable,
  isFigure: true,
  isWide: true,
  cell: ({ exercisable }) => <Quantity value={exercisable} isZeroDimmed />,
};
const UNTIL: Column<Held> = {
  id: "until",
  label: STAKEHOLDERS.until,
  isWide: true,
  cell: ({ exercisableUntil }) => <Day value={exercisableUntil} />,
};

/** The tab. */
export function Holdings({ position }: { readonly position: Position }) {
  const { securities, convertibles, stakeholder } = position;
  const {
    certificate,
    class: ofClass,
    quantity,
    price,
    date,
    token,
  } = securityColumns<Held>(NO_NAMES, useClassNames());
  const strike = { ...price, label: SECURITIES.strike };
  const granted = { ...date, label: SECURITIES.granted };
  const right = [certificate, ofClass, quantity, VESTED, UNVESTED, EXERCISABLE, strike, granted, UNTIL];
  const columnsOf = {
    STOCK: [certificate, ofClass, quantity, VESTED, UNVESTED, { ...price, label: SECURITIES.paid }, date, token],
    STOCK_OPTION: right,
    WARRANT: right,
  } as const;
  const types = ["STOCK", "STOCK_OPTION", "WARRANT"] as const;
  const isNothing = securities.length === 0 && convertibles.length === 0;
  return (
    <div class="stack">
      {isNothing && (
        <Card>
          <Empty words={STAKEHOLDERS.holdsNothing}>
            <RecordMenu />
          </Empty>
        </Card>
      )}
      {types.map((type) => {
        const rows = securities.filter((each) => each.type === type);
        if (rows.length === 0) return null;
        return (
          <Card key={type} title={REGISTER.securityTypesMany[type]}>
            <Table
              label={REGISTER.securityTypesMany[type]}
              columns={columnsOf[type]}
              rows={rows}
              keyOf={({ id }) => id}
            />
          </Card>
        );
      })}
      {convertibles.length > 0 && <Convertibles rows={convertibles} />}
      <Earlier id={stakeholder.id} />
    </div>
  );
}

function Convertibles({ rows }: { readonly rows: readonly Security[] }) {
  const { certificate, quantity, date } = securityColumns();
  return (
    <Card title={REGISTER.securityTypesMany.CONVERTIBLE} note={STAKEHOLDERS.convertiblesNote}>
      <Table
        label={REGISTER.securityTypesMany.CONVERTIBLE}
        columns={[certificate, { ...quantity, label: STAKEHOLDERS.principal, isWide: false }, date]}
        rows={rows}
        keyOf={({ id }) => id}
      />
    </Card>
  );
}

/** What came to an end; nothing where nothing did. */
function Earlier({ id }: { readonly id: string }) {
  const { api, key } = useOrganization();
  const names = useClassNames();
  const { data } = useWholeList(key("securities", "of", id), (page, signal) => {
    const query = { ...page, stakeholderId: id };
    return answer(api.GET("/api/v1/securities", { params: { query }, signal }));
  });
  const rows = (data?.items ?? []).filter(({ status }) => status !== "ACTIVE");
  if (rows.length === 0) return null;
  const { certificate, type, class: ofClass, date, status } = securityColumns(NO_NAMES, names);
  const columns = [certificate, type, ofClass, date, status];
  return (
    <Card title={STAKEHOLDERS.earlier} note={STAKEHOLDERS.earlierNote}>
      <Table label={STAKEHOLDERS.earlier} columns={columns} rows={rows} keyOf={({ id: each }) => each} />
    </Card>
  );
}
