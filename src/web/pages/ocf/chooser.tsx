// Choosing a package: dropped, as a zip, or as a folder, which is packed here.
import { useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Failure } from "../../parts/states.tsx";
import { useDrop } from "../../parts/use-drop.ts";
import { OCF } from "../../text/ocf.ts";
import { type ChosenPackage, packageOfFolder, packageOfZip } from "./package.ts";

/** Lets a folder be chosen in place of files. */
const FOLDER = { webkitdirectory: true } as const;

/** The zone with its buttons; `error` is what went wrong with the package chosen last. */
export function Chooser({
  chosen,
  onChoose,
  error,
  isBusy,
}: {
  readonly chosen: ChosenPackage | null;
  readonly onChoose: (chosen: ChosenPackage) => void;
  readonly error: unknown;
  readonly isBusy: boolean;
}) {
  const [zip, folder] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const [words, setWords] = useState<string | null>(null);
  const takeZip = ([file]: readonly File[]) => {
    setWords(null);
    if (file) onChoose(packageOfZip(file));
  };
  const { isOver, zone } = useDrop(takeZip);
  const takeFolder = async (files: readonly File[]) => {
    setWords(null);
    if (files.length === 0) return;
    const made = await packageOfFolder(files).catch(() => undefined);
    if (made) onChoose(made);
    else setWords(made === null ? OCF.noFiles : OCF.unreadable);
  };
  return (
    <div class={isOver ? "drop-box over" : "drop-box"} {...zone}>
      <input
        ref={zip}
        type="file"
        accept=".zip,application/zip"
        hidden
        aria-label={OCF.zipLabel}
        onChange={({ currentTarget }) => takeZip(takenFrom(currentTarget))}
      />
      <input
        ref={folder}
        type="file"
        hidden
        {...FOLDER}
        aria-label={OCF.folderLabel}
        onChange={({ currentTarget }) => void takeFolder(takenFrom(currentTarget))}
      />
      <p>{chosen ? OCF.chosen(chosen.name, chosen.size) : OCF.drop}</p>
      <div class="row">
        <Button isBusy={isBusy} onClick={() => zip.current?.click()}>
          {OCF.chooseZip}
        </Button>
        <Button isBusy={isBusy} onClick={() => folder.current?.click()}>
          {OCF.chooseFolder}
        </Button>
      </div>
      {words && <Notice tone="bad">{words}</Notice>}
      {error ? <Failure error={error} /> : null}
    </div>
  );
}

/** The files that were chosen. The field forgets them: one that was repaired under the same name can be chosen again. */
function takenFrom(field: HTMLInputElement): File[] {
  const files = [...(field.files ?? [])];
  field.value = "";
  return files;
}
