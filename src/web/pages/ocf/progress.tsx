// Progress of an OCF import: the one started on this page, or the organization's last one for a user who returns.
import { useEffect, useRef } from "preact/hooks";
import { useQuery } from "../../api/query.ts";
import { changed } from "../../api/remembered.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { instantText } from "../../locale.ts";
import { Notice } from "../../parts/notice.tsx";
import { usePoll } from "../../parts/use-poll.ts";
import { OCF } from "../../text/ocf.ts";
import { type Progress, readProgress } from "./ocf-calls.ts";
import { ReportView } from "./report.tsx";

const EVERY_MS = 500;

function useProgress(isBegun: boolean): Progress | null {
  const { api, key } = useOrganization();
  const query = useQuery(key("ocf-import"), (signal) => readProgress(api, signal));
  usePoll(isBegun || query.data?.state === "RUNNING", query.reload, EVERY_MS);
  return query.data ?? null;
}

function Bar({ progress }: { readonly progress: Progress | null }) {
  const isKnown = progress?.state === "RUNNING" && progress.objectsTotal !== null;
  return (
    <div role="status">
      <p>{OCF.importing}</p>
      <progress
        class="progress"
        aria-label={OCF.steps.IMPORT}
        {...(isKnown ? { value: progress.objectsDone, max: progress.objectsTotal ?? 1 } : {})}
      />
      {isKnown && <p class="note">{OCF.progress(progress.objectsDone, progress.objectsTotal ?? 0)}</p>}
    </div>
  );
}

/** The import that was begun here. */
export function ImportProgress() {
  return <Bar progress={useProgress(true)} />;
}

/** The organization's import that is under way, or what came of its last one. */
export function LastImport() {
  const progress = useProgress(false);
  const wasRunning = useRef(false);
  const isRunning = progress?.state === "RUNNING";
  useEffect(() => {
    if (wasRunning.current && !isRunning) changed();
    wasRunning.current = isRunning;
  }, [isRunning]);
  if (progress === null || progress.state === "IDLE") return null;
  if (isRunning) return <Bar progress={progress} />;
  const { state, finishedAt, report } = progress;
  if (state === "FAILED") return <Notice tone="bad">{OCF.lastFailed(instantText(finishedAt ?? ""))}</Notice>;
  return (
    <details>
      <summary>{OCF.lastImport(instantText(finishedAt ?? ""))}</summary>
      {report && <ReportView report={report} title={OCF.doneTitle} />}
    </details>
  );
}
