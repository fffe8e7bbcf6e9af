// The steps of an approval: who decided what and when; deciding, adding and removing one.
import { useState } from "preact/hooks";
import { type Schemas, write } from "../../api/client.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Count, Instant, None } from "../../parts/figure.tsx";
import { Badge, type Tone } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Empty } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { ACTORS, STEPS } from "../../text/approvals.ts";
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

function columnsOf(approval: Approval, mayChange: boolean): readonly Column<Step>[] {
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
  const act = (step: Step) => (isSubmitted ? <Decide {...{ approval, step }} /> : <Remove {...{ approval, step }} />);
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

/** The card. */
export function Steps({ approval }: { readonly approval: Approval }) {
  const { may } = useOrganization();
  const [isAdding, setAdding] = useState(false);
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
          columns={columnsOf(approval, mayChange)}
          rows={approval.steps.toSorted((a, b) => a.order - b.order)}
          keyOf={({ id }) => id}
        />
      )}
      {isAdding && <AddStep approval={approval} onClose={() => setAdding(false)} />}
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

function Decide(props: StepProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" aria-label={STEPS.decideName(props.step.name)} onClick={() => setOpen(true)}>
        {STEPS.decide}
      </Button>
      {isOpen && <DecideDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function DecideDialog({ approval, step, onClose }: StepProps & { readonly onClose: () => void }) {
  const { api } = useOrganization();
  const decide = async (status: "APPROVED" | "REJECTED", comment: string | null) => {
    const params = { path: { id: approval.id, stepId: step.id } };
    const body = { status, ...(comment ? { comment } : {}) };
    await write(api.PATCH("/api/v1/approvals/{id}/steps/{stepId}", { params, body }));
    toast(status === "APPROVED" ? STEPS.approved(step.name) : STEPS.rejected(step.name));
    onClose();
  };
  return (
    <Dialog title={STEPS.decideName(step.name)} onClose={onClose}>
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
