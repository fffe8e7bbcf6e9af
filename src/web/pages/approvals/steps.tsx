// The steps of an approval: who decided what and when; deciding, adding and removing one.
import { useState } from "preact/hooks";
import { type Schemas, write } from "../../api/client.ts";
import { demanding, type Tagged } from "../../api/tagged.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Count, Instant, None } from "../../parts/figure.tsx";
import { isSame } from "../../parts/forms/merging.ts";
import { Badge, Notice, type Tone } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Empty } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { CHANGES } from "../../text/actions/changes.ts";
import { ACTORS, APPROVALS, STEPS } from "../../text/approvals.ts";
import { SpecForm } from "../records/spec-form.tsx";

type Approval = Schemas["Approval"];
type Step = Schemas["ApprovalStep"];

const TONES: Readonly<Record<Step["status"], Tone | "plain">> = { PENDING: "plain", APPROVED: "good", REJECTED: "bad" };

/** Who decided, in words. */
export function deciderOf(decidedBy: Step["decidedBy"]): string | null {
  if (decidedBy === null) return null;
  const { actor, name } = decidedBy;
  if (actor === "person") return name ?? ACTORS.person;
  return [ACTORS[actor], name].filter(Boolean).join(" ");
}

interface StepProps {
  readonly approval: Approval;
  readonly step: Step;
}

/** The columns; `decide` is called with a step that is to be decided. */
function columnsOf(approval: Approval, mayChange: boolean, decide: (step: Step) => void): readonly Column<Step>[] {
  const columns: Column<Step>[] = [
    { id: "name", label: STEPS.name, cell: ({ name }) => name },
    {
      id: "state",
      label: STEPS.state,
      cell: ({ status }) => <Badge tone={TONES[status]}>{STEPS.states[status]}</Badge>,
    },
    { id: "by", label: STEPS.by, isWide: true, cell: ({ decidedBy }) => deciderOf(decidedBy) ?? <None /> },
    { id: "at", label: STEPS.at, isWide: true, cell: ({ decidedAt }) => <Instant value={decidedAt} /> },
    { id: "comment", label: STEPS.comment, isWide: true, cell: ({ comment }) => comment ?? <None /> },
  ];
  if (!mayChange) return columns;
  const isSubmitted = approval.state === "Submitted";
  const act = (step: Step) =>
    isSubmitted ? (
      <Button kind="quiet" aria-label={STEPS.decideName(step.name)} onClick={() => decide(step)}>
        {STEPS.decide}
      </Button>
    ) : (
      <Remove {...{ approval, step }} />
    );
  return [
    ...columns,
    {
      id: "act",
      label: "",
      name: isSubmitted ? STEPS.decide : STEPS.remove,
      isFigure: true,
      cell: (step) => step.status === "PENDING" && act(step),
    },
  ];
}

interface StepsProps {
  /** The approval as it is looked at. */
  readonly tagged: Tagged<Approval>;
}

/** The card. */
export function Steps({ tagged }: StepsProps) {
  const { record: approval } = tagged;
  const { may } = useOrganization();
  const [isAdding, setAdding] = useState(false);
  const [decided, setDecided] = useState<Step | null>(null);
  const isOpen = approval.state === "Draft" || approval.state === "Submitted";
  const mayChange = may("EDITOR") && isOpen;
  const add = mayChange && <Button onClick={() => setAdding(true)}>{STEPS.add}</Button>;
  return (
    <Card title={STEPS.title} note={<Count value={approval.steps.length} />} actions={add}>
      {approval.steps.length === 0 ? (
        <Empty words={STEPS.none} />
      ) : (
        <Table
          label={STEPS.title}
          columns={columnsOf(approval, mayChange, setDecided)}
          rows={approval.steps.toSorted((a, b) => a.order - b.order)}
          keyOf={({ id }) => id}
        />
      )}
      {isAdding && <AddStep approval={approval} onClose={() => setAdding(false)} />}
      {decided && <DecideDialog key={decided.id} {...{ tagged, step: decided }} onClose={() => setDecided(null)} />}
    </Card>
  );
}

function AddStep({ approval: { id }, onClose }: { readonly approval: Approval; readonly onClose: () => void }) {
  const { api } = useOrganization();
  return (
    <Dialog title={STEPS.add} onClose={onClose}>
      <SpecForm
        fields={[{ name: "name", kind: "text" }]}
        words={{ name: { label: STEPS.addName } }}
        submit={STEPS.add}
        label={STEPS.add}
        send={(body, key) => {
          const params = { path: { id }, header: { "Idempotency-Key": key } };
          return write(api.POST("/api/v1/approvals/{id}/steps", { params, body }));
        }}
        done={() => {
          toast(STEPS.added);
          onClose();
        }}
      />
    </Dialog>
  );
}

function Remove({ approval, step }: StepProps) {
  const { api } = useOrganization();
  const act = async () => {
    const params = { path: { id: approval.id, stepId: step.id } };
    await write(api.DELETE("/api/v1/approvals/{id}/steps/{stepId}", { params }));
    toast(STEPS.removed);
  };
  return <ConfirmButton kind="quiet" label={STEPS.remove} words={STEPS.removeWords} act={act} />;
}

/** What of an approval another person has changed since it was opened; null where nothing is. */
function changesSince(before: Approval, now: Approval): readonly string[] | null {
  const sidesOf = (of: Approval): readonly (readonly [string, unknown])[] => [
    [APPROVALS.name, of.title],
    [APPROVALS.kind, of.entityType],
    [APPROVALS.due, of.dueDate],
    [APPROVALS.notes, of.notes],
    [STEPS.title, of.steps],
    [STEPS.state, of.state],
  ];
  const was = new Map(sidesOf(before));
  const changed = sidesOf(now).filter(([label, value]) => !isSame(value, was.get(label)));
  return changed.length === 0 ? null : changed.map(([label]) => label);
}

function DecideDialog({
  tagged: { record: approval, tag },
  step,
  onClose,
}: StepsProps & { readonly step: Step; readonly onClose: () => void }) {
  const { api } = useOrganization();
  const [opened] = useState(approval);
  const changed = changesSince(opened, approval);
  const now = approval.steps.find(({ id }) => id === step.id);
  const isOpen = approval.state === "Submitted" && now?.status === "PENDING";
  const decide = async (status: "APPROVED" | "REJECTED", comment: string | null) => {
    const params = { path: { id: approval.id, stepId: step.id } };
    const body = { status, ...(comment ? { comment } : {}) };
    await write(api.PATCH("/api/v1/approvals/{id}/steps/{stepId}", { params, body, headers: demanding(tag) }));
    toast(status === "APPROVED" ? STEPS.approved(step.name) : STEPS.rejected(step.name));
    onClose();
  };
  return (
    <Dialog title={STEPS.decideName(step.name)} onClose={onClose}>
      <div class="changed" role="status">
        {changed && (
          <Notice tone="warn" title={CHANGES.changed(changed)}>
            {isOpen ? STEPS.lookAgain : STEPS.decidedMeanwhile}
          </Notice>
        )}
      </div>
      <SpecForm
        fields={[{ name: "comment", kind: "long", isOptional: true }]}
        words={{ comment: { label: STEPS.comment } }}
        submit={STEPS.approve}
        label={STEPS.decideName(step.name)}
        send={({ comment }) => decide("APPROVED", comment)}
        below={({ comment = "" }) => (
          <ConfirmButton
            kind="danger"
            label={STEPS.reject}
            words={STEPS.rejectWords}
            act={() => decide("REJECTED", comment.trim())}
          />
        )}
      />
    </Dialog>
  );
}
