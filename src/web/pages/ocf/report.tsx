// What a check or an import says: findings by file with what to do, and how many objects of each kind.
import { countText } from "../../locale.ts";
import { Count } from "../../parts/figure.tsx";
import { Badge, Notice } from "../../parts/notice.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { OCF } from "../../text/ocf.ts";
import { byFile, type Finding, findingsOf, type Report } from "./findings.ts";

const SHOWN_MAX = 100;

function whereOf({ index, id, objectType, pointer }: Finding) {
  return [objectType, index === null ? null : OCF.item(index), pointer || null, id].filter(Boolean).join(" · ");
}

const COLUMNS: readonly Column<Finding>[] = [
  {
    id: "finding",
    label: OCF.finding,
    cell: ({ severity, detail }) => (
      <>
        <Badge tone={severity === "problem" ? "bad" : "warn"}>{OCF.severity[severity]}</Badge> {detail}
      </>
    ),
  },
  { id: "fix", label: OCF.fix, cell: ({ fix }) => fix },
  { id: "place", label: OCF.place, isWide: true, class: "breakable", cell: whereOf },
];

/** Findings, grouped by file. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <div class="stack">
      {byFile(findings).map(({ file, findings: each }) => (
        <details key={file ?? ""} open={each[0]?.severity === "problem"}>
          <summary>
            <code>{file ?? OCF.wholePackage}</code> <span class="note">{countText(each.length)}</span>
          </summary>
          <Table
            label={file ?? OCF.wholePackage}
            columns={COLUMNS}
            rows={each.slice(0, SHOWN_MAX)}
            keyOf={(finding) => `${finding.code} ${finding.index} ${finding.id} ${finding.pointer}`}
          />
          {each.length > SHOWN_MAX && <p class="note">{OCF.moreFindings(each.length - SHOWN_MAX)}</p>}
        </details>
      ))}
    </div>
  );
}

type Kind = keyof typeof OCF.counts;
interface KindCount {
  readonly kind: Kind;
  readonly count: number;
}

const COUNT_COLUMNS: readonly Column<KindCount>[] = [
  { id: "kind", label: OCF.kind, cell: ({ kind }) => OCF.counts[kind] },
  { id: "count", label: OCF.count, isFigure: true, cell: ({ count }) => <Count value={count} /> },
];

/** What an import did, or would do. */
export function ReportView({ report, title }: { readonly report: Report; readonly title: string }) {
  const { issuer, imported, conflicts, healed } = report;
  const counts = (Object.keys(OCF.counts) as Kind[])
    .map((kind) => ({ kind, count: imported[kind] }))
    .filter(({ count }) => count > 0);
  const findings = findingsOf(report);
  return (
    <div class="stack">
      <h3>{title}</h3>
      {issuer?.isOther && <Notice tone="warn">{OCF.otherIssuer}</Notice>}
      {issuer?.legalName && (
        <p>
          {OCF.issuer}: <b>{issuer.legalName}</b>
        </p>
      )}
      {counts.length === 0 ? (
        <p>{OCF.nothingNew}</p>
      ) : (
        <Table label={title} columns={COUNT_COLUMNS} rows={counts} keyOf={({ kind }) => kind} />
      )}
      {healed.length > 0 && <p class="note">{OCF.healed(healed.length)}</p>}
      {conflicts.length > 0 && <p class="note">{OCF.conflicts(conflicts.length)}</p>}
      {report.errors.length > 0 && <Notice tone="bad">{OCF.refused(report.errors.length)}</Notice>}
      {report.warnings.length > 0 && <p class="note">{OCF.hinted(report.warnings.length)}</p>}
      <Findings findings={findings} />
    </div>
  );
}
