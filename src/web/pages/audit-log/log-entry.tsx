// One entry of the audit log: before and after side by side, the members that changed only, and where it stands in the log.
import { countText } from "../../locale.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Hash, Instant, None } from "../../parts/figure.tsx";
import { Facts } from "../../parts/page-head.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { AUDIT } from "../../text/audit.ts";
import { type AuditEntry, type Change, changesOf, whatWords } from "./log-entries.ts";

const COLUMNS: readonly Column<Change>[] = [
  { id: "member", label: AUDIT.member, cell: ({ member }) => <code>{member}</code> },
  { id: "before", label: AUDIT.before, class: "breakable", cell: ({ before }) => before ?? <None /> },
  { id: "after", label: AUDIT.after, class: "breakable", cell: ({ after }) => after ?? <None /> },
];

/** The dialog; `who` is in words. */
export function OneEntry({
  entry,
  who,
  onClose,
}: {
  readonly entry: AuditEntry;
  readonly who: string;
  readonly onClose: () => void;
}) {
  const { at, sequence, method, path, requestId, hash, previousHash } = entry;
  const changes = changesOf(entry);
  return (
    <Dialog title={AUDIT.entry(countText(sequence))} kind="large" onClose={onClose}>
      <p>
        <b>{whatWords(entry)}</b>, {who}, <Instant value={at} />
      </p>
      {changes.length === 0 ? (
        <p class="note">{AUDIT.nothing}</p>
      ) : (
        <Table label={whatWords(entry)} columns={COLUMNS} rows={changes} keyOf={({ member }) => member} />
      )}
      <Facts
        facts={[
          ...(path ? [[AUDIT.route, <code key="route">{`${method ?? ""} ${path}`}</code>] as const] : []),
          ...(requestId ? [[AUDIT.request, <code key="request">{requestId}</code>] as const] : []),
          [AUDIT.hash, <Hash key="hash" value={hash} />],
          [AUDIT.previousHash, <Hash key="previous" value={previousHash} />],
        ]}
      />
    </Dialog>
  );
}
