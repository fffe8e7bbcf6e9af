// One document in a dialog: its record, who sees it, its bytes.
import { answer } from "../../api/client.ts";
import { useChangedOnceGone } from "../../api/query.ts";
import { type DocumentRecord, titleOf } from "../../frame/document-names.ts";
import { useObjectOptions } from "../../frame/objects.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { bytesText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Hash, Instant, None } from "../../parts/figure.tsx";
import { Facts } from "../../parts/page-head.tsx";
import { save } from "../../parts/save.ts";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { DOCUMENTS } from "../../text/documents.ts";
import { ChangeForm } from "../records/change-form.tsx";
import { aboutFields, aboutWords } from "./document-fields.ts";
import { choiceOf, relatedOf } from "./document-files.ts";

interface OneProps {
  readonly document: DocumentRecord;
  readonly onClose: () => void;
}

/** The dialog. */
export function OneDocument({ document, onClose }: OneProps) {
  const { may } = useOrganization();
  const { size, contentType, sha256, createdAt } = document;
  return (
    <Dialog title={titleOf(document) ?? DOCUMENTS.untitled} onClose={onClose}>
      <Facts
        facts={[
          [DOCUMENTS.file, document.path ?? <None key="path" />],
          [DOCUMENTS.size, size === null ? DOCUMENTS.noBytes : `${bytesText(size)}, ${contentType ?? ""}`],
          [DOCUMENTS.sha, <Hash key="hash" value={sha256} />],
          [DOCUMENTS.added, <Instant key="at" value={createdAt} />],
        ]}
      />
      <Bytes document={document} />
      {may("EDITOR") && <Change document={document} onClose={onClose} />}
    </Dialog>
  );
}

/** The button that saves the bytes, or leads to where they are. */
export function Bytes({ document }: Pick<OneProps, "document">) {
  const { api } = useOrganization();
  const { id, size, uri, path } = document;
  const name = path?.split(/[/\\]/).at(-1) ?? titleOf(document) ?? DOCUMENTS.untitled;
  const download = useAction(async () => {
    const params = { path: { id } };
    const bytes = await answer(api.GET("/api/v1/documents/{id}/content", { params, parseAs: "blob" }));
    save(new Blob([bytes as BlobPart]), name);
  });
  if (size !== null) {
    return (
      <div>
        <Button {...download.button}>{DOCUMENTS.download}</Button>
        {download.trouble}
      </div>
    );
  }
  if (uri === null || !/^https?:/.test(uri)) return null;
  return (
    <a class="button plain" href={uri} rel="noreferrer">
      {DOCUMENTS.elsewhere}
    </a>
  );
}

const WORDS = {
  title: { label: DOCUMENTS.name },
  ...aboutWords(DOCUMENTS.relatedOne),
  comments: { label: DOCUMENTS.comments },
};

function Change({ document, onClose }: OneProps) {
  const { api } = useOrganization();
  const options = useObjectOptions({ withSecurities: true });
  const deleted = useChangedOnceGone();
  const remove = async () => {
    await answer(api.DELETE("/api/v1/documents/{id}", { params: { path: { id: document.id } } }));
    deleted();
    toast(DOCUMENTS.removed);
    onClose();
  };
  return (
    <>
      <ChangeForm
        of={`/documents/${document.id}`}
        fields={[
          { name: "title", kind: "text", isOptional: true },
          ...aboutFields(options),
          { name: "comments", kind: "long", isOptional: true },
        ]}
        words={WORDS}
        shownAs={(found: DocumentRecord) => ({ ...found, relatedObjects: found.relatedObjects.map(choiceOf) })}
        submit={DOCUMENTS.save}
        label={DOCUMENTS.save}
        sentAs={({ relatedObjects, ...rest }) =>
          relatedObjects === undefined ? rest : { ...rest, relatedObjects: relatedOf(relatedObjects as string[]) }
        }
        done={() => {
          toast(DOCUMENTS.saved);
          onClose();
        }}
      />
      <ConfirmButton kind="danger" label={DOCUMENTS.remove} words={DOCUMENTS.removeWords} act={remove} />
    </>
  );
}
