// `/o/{org}/documents`: papers, what they are about, and which holders see them. Nothing is shown inline.
import { useRef, useState } from "preact/hooks";
import { answer } from "../../api/client.ts";
import { REGISTERS } from "../../api/registers.ts";
import { type DocumentRecord, titleOf } from "../../frame/document-names.ts";
import { DeclaredList, declaredColumns, useDeclared } from "../../frame/lists/declared-list.tsx";
import { useObjectOptions } from "../../frame/objects.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { bytesText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { Instant, None } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
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
  open: (row: DocumentRecord) => void,
): readonly Column<DocumentRecord>[] {
  return declaredColumns<"documents", DocumentRecord>("documents", {
    title: {
      width: "minmax(0, 1.6fr)",
      sortBy: nameOf,
      cell: (row) => (
        <button type="button" class="as-link" aria-label={DOCUMENTS.openOne(nameOf(row))} onClick={() => open(row)}>
          {nameOf(row)}
        </button>
      ),
    },
    about: {
      isWide: true,
      sortBy: aboutOf,
      cell: (row) => aboutOf(row) || <None />,
    },
    size: {
      isFigure: true,
      isWide: true,
      width: "7rem",
      sortBy: ({ size }) => (size === null ? null : String(size)),
      cell: ({ size }) => (size === null ? <None /> : bytesText(size)),
    },
    shared: {
      width: "6rem",
      cell: ({ isSharedWithHolders }) =>
        isSharedWithHolders ? <Badge tone="good">{DOCUMENTS.sharedBadge}</Badge> : <None />,
    },
    added: {
      isWide: true,
      width: "11rem",
      isDay: true,
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <Instant value={createdAt} />,
    },
  });
}

const FILTERS = {
  q: {
    matches: ({ title, path, comments }: DocumentRecord, typed: string) =>
      `${title ?? ""}\n${path ?? ""}\n${comments ?? ""}`.toLocaleLowerCase().includes(typed.toLocaleLowerCase()),
  },
  kind: {
    choices: choicesOf(DOCUMENTS.kinds),
    asked: null,
    matches: ({ relatedObjects }: DocumentRecord, kind: string) =>
      relatedObjects.some(({ objectType }) => objectType === kind),
  },
  shared: {
    choices: choicesOf(DOCUMENTS.sharedChoices),
    asked: null,
    matches: ({ isSharedWithHolders }: DocumentRecord, shared: string) => isSharedWithHolders === (shared === "yes"),
  },
};

/** The page. */
export function Page() {
  const { api, name, may } = useOrganization();
  const [opened, setOpened] = useState<DocumentRecord | null>(null);
  const mayWrite = may("EDITOR");
  const [files, setFiles] = useState<readonly File[]>([]);
  const { isOver, zone } = useDrop(setFiles);
  const input = useRef<HTMLInputElement>(null);
  const names = new Map(useObjectOptions({ withSecurities: false }).map(({ value, label }) => [value, label]));
  const aboutOf = ({ relatedObjects }: DocumentRecord) =>
    relatedObjects
      .map((each) => names.get(choiceOf(each)) ?? DOCUMENTS.kinds[each.objectType as keyof typeof DOCUMENTS.kinds])
      .join(", ");
  const { register, ...list } = useDeclared<"documents", DocumentRecord>("documents", {
    read: (query, page, signal) =>
      answer(api.GET("/api/v1/documents", { params: { query: { ...page, ...query } }, signal })),
    filters: FILTERS,
  });
  const add = mayWrite && (
    <Button kind="primary" onClick={() => input.current?.click()}>
      {DOCUMENTS.upload}
    </Button>
  );
  return (
    <div class={isOver ? "drop-zone over" : "drop-zone"} {...(mayWrite ? zone : {})}>
      <PageHead title={REGISTERS.documents.title} of={name}>
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
      <DeclaredList
        of="documents"
        {...{ register, rows: register.rows, ...list }}
        columns={columnsOf(aboutOf, setOpened)}
        keyOf={({ id }) => id}
        first={add}
      />
      {files.length > 0 && <Upload files={files} onClose={() => setFiles([])} />}
      {opened && <OneDocument key={opened.id} document={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}
