// `/o/{org}/documents`: papers, what they are about, and which holders see them. Nothing is shown inline.
import { useRef, useState } from "preact/hooks";
import { answer } from "../../api/client.ts";
import { type DocumentRecord, titleOf } from "../../frame/document-names.ts";
import { useFilters } from "../../frame/lists/filters.ts";
import { RegisterList } from "../../frame/lists/register-list.tsx";
import { useRegister } from "../../frame/lists/register-lists.ts";
import { useObjectOptions } from "../../frame/objects.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { bytesText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { Instant, None } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { FilterChoice, FilterText } from "../../parts/tables/filter-bar.tsx";
import type { Column } from "../../parts/tables/table.tsx";
import { useDrop } from "../../parts/use-drop.ts";
import { DOCUMENTS } from "../../text/documents.ts";
import { choicesOf } from "../../text/register-words.ts";
import { choiceOf } from "./document-files.ts";
import { OneDocument } from "./document-row.tsx";
import { Upload } from "./document-upload.tsx";

const nameOf = (row: DocumentRecord) => titleOf(row) ?? DOCUMENTS.untitled;

function columnsOf(
  aboutOf: (row: DocumentRecord) => string,
  open: (id: string) => void,
): readonly Column<DocumentRecord>[] {
  return [
    {
      id: "title",
      label: DOCUMENTS.name,
      width: "minmax(0, 1.6fr)",
      sortBy: nameOf,
      cell: (row) => (
        <button type="button" class="as-link" aria-label={DOCUMENTS.openOne(nameOf(row))} onClick={() => open(row.id)}>
          {nameOf(row)}
        </button>
      ),
    },
    {
      id: "about",
      label: DOCUMENTS.about,
      isWide: true,
      sortBy: aboutOf,
      cell: (row) => aboutOf(row) || <None />,
    },
    {
      id: "size",
      label: DOCUMENTS.size,
      isFigure: true,
      isWide: true,
      width: "7rem",
      sortBy: ({ size }) => (size === null ? null : String(size)),
      cell: ({ size }) => (size === null ? <None /> : bytesText(size)),
    },
    {
      id: "shared",
      label: DOCUMENTS.shared,
      width: "6rem",
      cell: ({ isSharedWithHolders }) =>
        isSharedWithHolders ? <Badge tone="good">{DOCUMENTS.sharedBadge}</Badge> : <None />,
    },
    {
      id: "added",
      label: DOCUMENTS.added,
      isWide: true,
      width: "11rem",
      isDay: true,
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <Instant value={createdAt} />,
    },
  ];
}

/** The page. */
export function Page() {
  const { api, name, may } = useOrganization();
  const [opened, setOpened] = useState<string | null>(null);
  const mayWrite = may("EDITOR");
  const [files, setFiles] = useState<readonly File[]>([]);
  const { isOver, zone } = useDrop(setFiles);
  const input = useRef<HTMLInputElement>(null);
  const names = new Map(useObjectOptions({ withSecurities: false }).map(({ value, label }) => [value, label]));
  const aboutOf = ({ relatedObjects }: DocumentRecord) =>
    relatedObjects
      .map((each) => names.get(choiceOf(each)) ?? DOCUMENTS.kinds[each.objectType as keyof typeof DOCUMENTS.kinds])
      .join(", ");
  const filters = useFilters(["q", "kind", "shared"]);
  const { q, kind, shared } = filters.values;
  const typed = q.toLocaleLowerCase();
  const register = useRegister<DocumentRecord>({
    name: "documents",
    asked: { q },
    read: (query, page, signal) =>
      answer(api.GET("/api/v1/documents", { params: { query: { ...page, ...query } }, signal })),
    matches: (each) =>
      (kind === "" || each.relatedObjects.some(({ objectType }) => objectType === kind)) &&
      (shared === "" || each.isSharedWithHolders === (shared === "yes")) &&
      `${each.title ?? ""}\n${each.path ?? ""}\n${each.comments ?? ""}`.toLocaleLowerCase().includes(typed),
    memo: [q, kind, shared],
  });
  const add = mayWrite && (
    <Button kind="primary" onClick={() => input.current?.click()}>
      {DOCUMENTS.upload}
    </Button>
  );
  const one = register.query.data?.items.find(({ id }) => id === opened);
  return (
    <div class={isOver ? "drop-zone over" : "drop-zone"} {...(mayWrite ? zone : {})}>
      <PageHead title={DOCUMENTS.title} of={name}>
        {add}
      </PageHead>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={DOCUMENTS.chooseLabel}
        onChange={({ currentTarget }) => {
          setFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
      {mayWrite && <p class="note lead drop-words">{DOCUMENTS.dropHere}</p>}
      <RegisterList
        label={DOCUMENTS.title}
        file="documents"
        what={DOCUMENTS.loading}
        {...{ register, rows: register.rows, filters }}
        columns={columnsOf(aboutOf, setOpened)}
        keyOf={({ id }) => id}
        none={DOCUMENTS.none}
        first={add}
        fields={
          <>
            <FilterText label={DOCUMENTS.search} {...filters.field("q")} />
            <FilterChoice label={DOCUMENTS.kind} {...filters.field("kind")} choices={choicesOf(DOCUMENTS.kinds)} />
            <FilterChoice
              label={DOCUMENTS.sharing}
              {...filters.field("shared")}
              choices={choicesOf(DOCUMENTS.sharedChoices)}
            />
          </>
        }
      />
      {files.length > 0 && <Upload files={files} onClose={() => setFiles([])} />}
      {one && <OneDocument key={one.updatedAt} document={one} onClose={() => setOpened(null)} />}
    </div>
  );
}
