// Confirmation of doubtful entries before recording: old or future dates, former holders.
import { dayText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ACTION } from "../../text/actions/operation-words.ts";
import type { Doubt } from "./refusals.ts";

/** The dialog. */
export function Doubts({
  doubts,
  day,
  onGoOn,
  onBack,
}: {
  readonly doubts: readonly Doubt[];
  readonly day: string;
  readonly onGoOn: () => void;
  readonly onBack: () => void;
}) {
  return (
    <Dialog title={ACTION.doubt.title} onClose={onBack}>
      {doubts.map((doubt) => (
        <p key={doubt}>{ACTION.doubt[doubt](day && dayText(day))}</p>
      ))}
      <div class="row">
        <Button kind="primary" onClick={onGoOn}>
          {ACTION.doubt.goOn}
        </Button>
        <Button onClick={onBack}>{ACTION.doubt.back}</Button>
      </div>
    </Dialog>
  );
}
