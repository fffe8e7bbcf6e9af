// Adding files: for each a record is made and its bytes are stored; where that fails, the record is removed again.
import { useState } from "preact/hooks";
import { isAbort } from "../../api/problem.ts";
import { changed } from "../../api/remembered.ts";
import { storeFile } from "../../api/upload.ts";
import { useObjectOptions } from "../../frame/objects.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { bytesText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SendingBar, useSending } from "../../parts/sending.tsx";
import { wordsOf } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { COMMON } from "../../text/common.ts";
import { DOCUMENTS } from "../../text/documents.ts";
import { SpecForm } from "../records/spec-form.tsx";
import { aboutFields, aboutWords } from "./document-fields.ts";
import { BYTES_MAX, type Related, relatedOf, titleOfFile } from "./document-files.ts";

interface FileState {
  readonly state: "SENDING" | keyof typeof DOCUMENTS.states;
  readonly words?: string;
}

const WORDS = aboutWords(DOCUMENTS.related);

/** The dialog for files that were chosen or dropped. */
export function Upload({ files, onClose }: { readonly files: readonly File[]; readonly onClose: () => void }) {
  const { api } = useOrganization();
  const options = useObjectOptions({ withSecurities: true });
  const [states, setStates] = useState<ReadonlyMap<File, FileState>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const { sending, sent, stop } = useSending();
  const tell = (file: File, state: FileState) => setStates((before) => new Map(before).set(file, state));
  const fitting = files.filter(({ size }) => size > 0 && size <= BYTES_MAX);
  const left = fitting.filter((file) => states.get(file)?.state !== "STORED");
  const store = async (about: { readonly relatedObjects: Related[]; readonly isSharedWithHolders: boolean }) => {
    const how = sending();
    let isWhole = true;
    setBusy(true);
    for (const file of left) {
      tell(file, { state: "SENDING" });
      try {
        const body = { title: titleOfFile(file.name), path: file.name, ...about };
        await storeFile(api, file, body, how, () => undefined);
        tell(file, { state: "STORED" });
      } catch (thrown) {
        isWhole = false;
        tell(file, isAbort(thrown) ? { state: "WAITS" } : { state: "FAILED", words: wordsOf(thrown).detail });
        if (how.signal.aborted) break;
      }
    }
    setBusy(false);
    changed();
    return isWhole;
  };
  return (
    <Dialog title={DOCUMENTS.uploadTitle(files.length)} {...(isBusy ? {} : { onClose })}>
      <ul class="file-list">
        {files.map((file) => (
          <li key={file.name}>
            <span class="breakable">{file.name}</span>
            <FileWords {...{ file, sent }} told={states.get(file)} />
          </li>
        ))}
      </ul>
      <p class="note" role="status">
        {isBusy ? DOCUMENTS.progress(fitting.length - left.length, fitting.length) : DOCUMENTS.limit}
      </p>
      {fitting.length > 0 && (
        <SpecForm
          fields={aboutFields(options)}
          words={WORDS}
          submit={DOCUMENTS.store(left.length)}
          label={DOCUMENTS.upload}
          beside={isBusy && <Button onClick={stop}>{COMMON.stopSending}</Button>}
          send={({ relatedObjects, ...about }) => store({ ...about, relatedObjects: relatedOf(relatedObjects) })}
          done={(isWhole) => {
            if (!isWhole) return;
            toast(DOCUMENTS.allStored(fitting.length));
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}

interface FileWordsProps {
  readonly file: File;
  readonly told: FileState | undefined;
  /** Of the file that is being sent. */
  readonly sent: number;
}

function FileWords({ file, told, sent }: FileWordsProps) {
  const { size } = file;
  if (size === 0) return <span class="fault">{DOCUMENTS.empty}</span>;
  if (size > BYTES_MAX) return <span class="fault">{DOCUMENTS.tooLarge(size)}</span>;
  if (told?.state === "FAILED") {
    return (
      <span class="fault">
        {DOCUMENTS.states.FAILED}. {told.words}
      </span>
    );
  }
  if (told?.state === "SENDING") return <SendingBar {...{ file, sent }} />;
  return <span class="note">{told ? DOCUMENTS.states[told.state] : bytesText(size)}</span>;
}
