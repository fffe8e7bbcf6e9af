// The documents that are shared with a holder, and the ledger entries that are about them.
import { answer } from "../../api/client.ts";
import { ENTRY_TYPES } from "../../api/entry-types.ts";
import {
  type OwnDocument,
  type OwnEntry,
  useOwnDocuments,
  useOwnEntries,
  useOwnHeader,
} from "../../frame/own-portal.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { moneyText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { Day, None, Quantity } from "../../parts/figure.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Card } from "../../parts/page-head.tsx";
import { save } from "../../parts/save.ts";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { MINE } from "../../text/mine.ts";

/** The documents. */
export function OwnDocuments() {
  const query = useOwnDocuments();
  return (
    <Card title={MINE.documents}>
      <Loaded query={query} what={MINE.documents} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="note">{MINE.noDocuments}</p>
          ) : (
            <ul class="documents">
              {items.map((each) => (
                <DocumentLine key={each.id} document={each} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

/** Downloads the bytes of a shared document, to be saved under a name. */
export function useOpenDocument({ id, name }: { readonly id: string; readonly name: string }, onOpened?: () => void) {
  const { api } = useOrganization();
  const header = useOwnHeader();
  return useAction(async () => {
    const params = { header, path: { id } };
    const bytes = await answer(api.GET("/api/v1/portal/documents/{id}/content", { params, parseAs: "blob" }));
    save(new Blob([bytes as BlobPart]), name);
    onOpened?.();
  });
}

function DocumentLine({ document: { id, title, fileName, uri, size, createdAt } }: { readonly document: OwnDocument }) {
  const name = title ?? fileName ?? MINE.document;
  const download = useOpenDocument({ id, name: fileName ?? name });
  return (
    <li>
      <Icon name="file" />
      <div>
        <div class="label breakable">{name}</div>
        <div class="note small">{MINE.sharedOn(createdAt, size)}</div>
        {download.trouble}
      </div>
      {size !== null && (
        <Button {...download.button} aria-label={`${MINE.download}: ${name}`}>
          {MINE.download}
        </Button>
      )}
      {size === null && uri !== null && /^https?:/.test(uri) && (
        <a class="button plain" href={uri} rel="noreferrer" aria-label={`${MINE.open}: ${name}`}>
          {MINE.open}
        </a>
      )}
    </li>
  );
}

const COLUMNS: readonly Column<OwnEntry>[] = [
  { id: "date", label: MINE.date, cell: ({ date }) => <Day value={date} /> },
  {
    id: "what",
    label: MINE.what,
    cell: ({ type, isReceived, certificateId }) => (
      <>
        {isReceived ? MINE.receivedTransfer : ENTRY_TYPES[type]}
        {certificateId && <div class="note small">{certificateId}</div>}
      </>
    ),
  },
  { id: "quantity", label: MINE.quantity, isFigure: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
  {
    id: "price",
    label: MINE.entryPrice,
    isFigure: true,
    isWide: true,
    cell: ({ price, currency }) => (price === null ? <None /> : moneyText(price, currency)),
  },
];

/** The entries, behind a line: few look at them. */
export function OwnHistory() {
  const query = useOwnEntries();
  return (
    <Card title={MINE.history}>
      <Loaded query={query} what={MINE.history} lines={1}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty words={MINE.historyNone} />
          ) : (
            <details>
              <summary>{MINE.allEntries(items.length)}</summary>
              <Table
                label={MINE.history}
                columns={COLUMNS}
                rows={items}
                keyOf={({ id, securityId }) => `${id} ${securityId}`}
              />
            </details>
          )
        }
      </Loaded>
    </Card>
  );
}
