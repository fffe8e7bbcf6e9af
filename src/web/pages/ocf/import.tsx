// The import, step by step: a package is chosen, checked, tried, and then taken in.
import { useState } from "preact/hooks";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button, LinkButton } from "../../parts/button.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { OCF } from "../../text/ocf.ts";
import { BeforeAfter } from "./before-after.tsx";
import { Chooser } from "./chooser.tsx";
import type { Report } from "./findings.ts";
import { type Checked, check, importNow, tryImport } from "./ocf-calls.ts";
import type { ChosenPackage } from "./package.ts";
import { ImportProgress, LastImport } from "./progress.tsx";
import { Findings, ReportView } from "./report.tsx";

/** How far it is. */
type Stage =
  | { readonly step: "CHOOSE" }
  | { readonly step: "CHECK"; readonly bytes: Blob; readonly checked: Checked | null }
  | { readonly step: "PREVIEW"; readonly bytes: Blob; readonly report: Report }
  | { readonly step: "DONE"; readonly report: Report };

const STEPS = ["CHECK", "PREVIEW", "IMPORT", "DONE"] as const;

/** The card. */
export function Import() {
  const { api } = useOrganization();
  const [chosen, setChosen] = useState<ChosenPackage | null>(null);
  const [stage, setStage] = useState<Stage>({ step: "CHOOSE" });
  const [isChecking, setChecking] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const choose = async (given: ChosenPackage) => {
    setChosen(given);
    setError(null);
    const { bytes } = given;
    if (bytes === null) return setStage({ step: "CHOOSE" });
    setStage({ step: "CHECK", bytes, checked: null });
    setChecking(true);
    try {
      setStage({ step: "CHECK", bytes, checked: await check(api, bytes) });
    } catch (thrown) {
      setStage({ step: "CHOOSE" });
      setError(thrown);
    } finally {
      setChecking(false);
    }
  };
  return (
    <Card title={OCF.import}>
      <p class="note">{OCF.importWords}</p>
      <Chooser chosen={chosen} onChoose={(given) => void choose(given)} error={error} isBusy={isChecking} />
      {chosen?.bytes === null && <TooLarge chosen={chosen} />}
      {chosen === null && <LastImport />}
      {stage.step !== "CHOOSE" && (
        <>
          <StepBar step={stage.step} />
          {stage.step === "CHECK" && <Check stage={stage} onNext={setStage} />}
          {stage.step === "PREVIEW" && <Preview stage={stage} onNext={setStage} />}
          {stage.step === "DONE" && <Done report={stage.report} />}
        </>
      )}
    </Card>
  );
}

function TooLarge({ chosen: { name, size } }: { readonly chosen: ChosenPackage }) {
  return (
    <Notice tone="warn">
      <p>{OCF.tooLarge(size)}</p>
      <span class="coded">
        <code>{OCF.command(name)}</code>
        <Copy text={OCF.command(name)} />
      </span>
    </Notice>
  );
}

function StepBar({ step }: { readonly step: Stage["step"] }) {
  return (
    <ol class="step-bar">
      {STEPS.map((each) => (
        <li key={each} aria-current={each === step ? "step" : undefined}>
          {OCF.steps[each]}
        </li>
      ))}
    </ol>
  );
}

interface StageProps<S extends Stage["step"]> {
  readonly stage: Extract<Stage, { readonly step: S }>;
  readonly onNext: (stage: Stage) => void;
}

function Check({ stage: { bytes, checked }, onNext }: StageProps<"CHECK">) {
  const { api } = useOrganization();
  const next = useAction(async () => onNext({ step: "PREVIEW", bytes, report: await tryImport(api, bytes) }));
  if (checked === null) return <p role="status">{OCF.checking}</p>;
  const problems = checked.problems.filter(({ severity }) => severity === "problem").length;
  const warnings = checked.problems.length - problems;
  return (
    <div class="stack">
      <Notice tone={problems > 0 ? "bad" : warnings > 0 ? "warn" : "good"}>
        {OCF.objects(checked.objects)} {checked.problems.length === 0 && OCF.clean}
        {problems > 0 && `${OCF.problems(problems)}. `}
        {warnings > 0 && `${OCF.warnings(warnings)}. `}
        {problems > 0 && OCF.problemWords}
      </Notice>
      <Findings findings={checked.problems} />
      {next.button.isBusy && <p role="status">{OCF.previewing}</p>}
      <div class="row">
        <Button kind="primary" {...next.button}>
          {OCF.toPreview}
        </Button>
      </div>
      {next.trouble}
    </div>
  );
}

function Preview({ stage: { bytes, report }, onNext }: StageProps<"PREVIEW">) {
  const { api } = useOrganization();
  const next = useAction(async () => {
    const done = await importNow(api, bytes);
    toast(OCF.done);
    onNext({ step: "DONE", report: done });
  });
  return (
    <div class="stack">
      <ReportView report={report} title={OCF.previewTitle} />
      {report.capTable && <BeforeAfter capTable={report.capTable} />}
      <p class="note">{OCF.importWarning}</p>
      {next.button.isBusy && <ImportProgress />}
      <div class="row">
        <Button kind="primary" {...next.button}>
          {OCF.toImport}
        </Button>
      </div>
      {next.trouble}
    </div>
  );
}

function Done({ report }: { readonly report: Report }) {
  const { path } = useOrganization();
  return (
    <div class="stack">
      <ReportView report={report} title={OCF.doneTitle} />
      <div class="row">
        <LinkButton href={path()} kind="primary">
          {OCF.toOverview}
        </LinkButton>
        {isPage("/stakeholders") && <LinkButton href={path("/stakeholders")}>{OCF.toStakeholders}</LinkButton>}
        {isPage("/ledger") && <LinkButton href={path("/ledger")}>{OCF.toLedger}</LinkButton>}
      </div>
    </div>
  );
}
