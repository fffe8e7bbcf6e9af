// List of documents about a record. They are downloaded, never shown in the page.
import { answer, type Schemas } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { bytesText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { Instant } from "../../parts/figure.tsx";
import { save } from "../../parts/save.ts";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { isWebAddress } from "../../parts/web-address.ts";
import { REGISTER } from "../../text/register-words.ts";
import { useOrganization } from "../page-organization.ts";

type Document = Schemas["Document"];

const nameOf = ({ title, path, id }: Document) => title ?? path ?? id;

const COLUMNS: readonly Column<Document>[] = [
  { id: "title", label: REGISTER.document, cell: nameOf },
  {
    id: "size",
    label: REGISTER.size,
    isFigure: true,
    isWide: true,
    cell: ({ size }) => (size === null ? REGISTER.none : bytesText(size)),
  },
  { id: "added", label: REGISTER.added, isWide: true, cell: ({ createdAt }) => <Instant value={createdAt} /> },
  { id: "file", label: REGISTER.file, class: "num", cell: (row) => <File document={row} /> },
];

function File({ document }: { readonly document: Document }) {
  const { api } = useOrganization();
  const { id, sha256, uri } = document;
  const { button, trouble } = useAction(async () => {
    const params = { path: { id } };
    const asked = api.GET("/api/v1/documents/{id}/content", { params, parseAs: "blob" });
    save((await answer(asked)) as Blob, document.path ?? nameOf(document));
  });
  if (sha256 === null) return <Elsewhere uri={uri} />;
  return (
    <>
      <Button kind="quiet" {...button}>
        {REGISTER.download}
      </Button>
      {trouble}
    </>
  );
}

/** Where a file lies that is not stored here; a link where that is a web address. */
function Elsewhere({ uri }: Pick<Document, "uri">) {
  if (uri === null) return <span class="none">{REGISTER.noFile}</span>;
  if (!isWebAddress(uri)) return <span>{uri}</span>;
  return (
    <a href={uri} rel="noreferrer" target="_blank">
      {REGISTER.elsewhere}
    </a>
  );
}

/** The list. */
export function DocumentsOf({ objectType, objectId }: { readonly objectType: string; readonly objectId: string }) {
  const { api, key } = useOrganization();
  const query = useQuery(key("documents", objectType, objectId), async (signal) => {
    const params = { query: { objectType, objectId, limit: 100 } };
    return (await answer(api.GET("/api/v1/documents", { params, signal }))).items;
  });
  return (
    <Loaded query={query} what={REGISTER.documents}>
      {(items) =>
        items.length === 0 ? (
          <Empty words={REGISTER.noDocuments} />
        ) : (
          <Table label={REGISTER.documents} columns={COLUMNS} rows={items} keyOf={({ id }) => id} />
        )
      }
    </Loaded>
  );
}
