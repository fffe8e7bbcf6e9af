// Adding files: for each a record is made and its bytes are stored; where that fails, the record is removed again.
import { useState } from "preact/hooks";
import { type Api, answer } from "../../api/client.ts";
import { changed } from "../../api/query.ts";
import { useObjectOptions } from "../../frame/objects.ts";
import { useOrganization } from "../../frame/organization.ts";
import { bytesText } from "../../locale.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { wordsOf } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { DOCUMENTS } from "../../text/documents.ts";
import { AboutFields, type AboutValues } from "./fields.tsx";
import { BYTES_MAX, relatedOf, titleOfFile } from "./files.ts";

/** Makes the record and stores the bytes; throws what went wrong, with nothing left of it. */
async function store(api: Api, file: File, { relatedObjects, isShared }: AboutValues): Promise<void> {
  const { id } = await answer(
    api.POST("/api/v1/documents", {
      params: {},
      body: {
        title: titleOfFile(file.name),
        path: file.name,
        relatedObjects: relatedOf(relatedObjects),
        isSharedWithHolders: isShared,
      },
    }),
  );
  const params = { path: { id } };
  try {
    const headers = { "Content-Type": file.type || "application/octet-stream" };
    await answer(api.PUT("/api/v1/documents/{id}/content", { params, headers, body: "", bodySerializer: () => file }));
  } catch (thrown) {
    await answer(api.DELETE("/api/v1/documents/{id}", { params })).catch(() => undefined);
    throw thrown;
  }
}

interface FileState {
  readonly state: keyof typeof DOCUMENTS.states;
  readonly words?: string;
}

/** The dialog for files that were chosen or dropped. */
export function Upload({ files, onClose }: { readonly files: readonly File[]; readonly onClose: () => void }) {
  const { api } = useOrganization();
  const options = useObjectOptions({ withSecurities: true });
  const [states, setStates] = useState<ReadonlyMap<File, FileState>>(new Map());
  const tell = (file: File, state: FileState) => setStates((before) => new Map(before).set(file, state));
  const fitting = files.filter(({ size }) => size > 0 && size <= BYTES_MAX);
  const left = fitting.filter((file) => states.get(file)?.state !== "STORED");
  const initial: AboutValues = { relatedObjects: [], isShared: false };
  const form = useForm({
    initial,
    async send(values) {
      let failed = 0;
      for (const file of left) {
        tell(file, { state: "SENDING" });
        try {
          await store(api, file, values);
          tell(file, { state: "STORED" });
        } catch (thrown) {
          failed += 1;
          tell(file, { state: "FAILED", words: wordsOf(thrown).detail });
        }
      }
      changed();
      return failed;
    },
    done(failed) {
      if (failed > 0) return;
      toast(DOCUMENTS.allStored(fitting.length));
      onClose();
    },
  });
  return (
    <Dialog title={DOCUMENTS.uploadTitle(files.length)} {...(form.isBusy ? {} : { onClose })}>
      <ul class="file-list">
        {files.map((file) => (
          <li key={file.name}>
            <span class="breakable">{file.name}</span>
            <FileWords file={file} told={states.get(file)} />
          </li>
        ))}
      </ul>
      <p class="note" role="status">
        {form.isBusy ? DOCUMENTS.progress(fitting.length - left.length, fitting.length) : DOCUMENTS.limit}
      </p>
      {fitting.length > 0 && (
        <Form form={form} submit={DOCUMENTS.store(left.length)} label={DOCUMENTS.upload}>
          <AboutFields form={form} options={options} label={DOCUMENTS.related} />
        </Form>
      )}
    </Dialog>
  );
}

function FileWords({ file: { size }, told }: { readonly file: File; readonly told: FileState | undefined }) {
  if (size === 0) return <span class="fault">{DOCUMENTS.empty}</span>;
  if (size > BYTES_MAX) return <span class="fault">{DOCUMENTS.tooLarge(size)}</span>;
  if (told?.state === "FAILED") {
    return (
      <span class="fault">
        {DOCUMENTS.states.FAILED}. {told.words}
      </span>
    );
  }
  return <span class="note">{told ? DOCUMENTS.states[told.state] : bytesText(size)}</span>;
}
