// Closing a round: what a model does not need (approvals, authorized figures, holders on record), what would be recorded, and
// the one sending.
import { useRef, useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { answer, write } from "../../api/client.ts";
import { newIdempotencyKey } from "../../api/idempotency.ts";
import { ApiProblem } from "../../api/problem.ts";
import { createRecord } from "../../frame/operation-calls.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { dayText } from "../../locale.ts";
import { Button, LinkButton } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Quantity } from "../../parts/figure.tsx";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { DateField, LongTextField } from "../../parts/forms/other-fields.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Notice } from "../../parts/notice.tsx";
import { Table } from "../../parts/tables/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { PREVIEW } from "../../text/actions/preview.ts";
import { MODELS } from "../../text/models/models.ts";
import { ROUND } from "../../text/models/round.ts";
import { Warnings } from "../actions/warnings.tsx";
import { Asked, Refusal } from "./asked.tsx";
import {
  type CloseBody,
  ClosingRefused,
  type ClosingWay,
  closeBody,
  closeFaults,
  NEW,
  ofRound,
  RAISE,
  refusalOf,
  shortOf,
} from "./closing.ts";
import type { ModelForm } from "./model-fields.tsx";
import type { RoundAnswer, RoundBody } from "./round-body.ts";
import { type Modelled, useModel } from "./use-model.ts";
import { nameIn, placed } from "./values.ts";

interface CloseProps {
  readonly form: ModelForm;
  readonly body: RoundBody;
  readonly round: RoundAnswer;
  /** What the round came of: it is the answer to the body, or to one of before. */
  readonly modelled: Pick<Modelled<unknown>, "isNow" | "error" | "again">;
  readonly onClose: () => void;
}

/** The dialog. */
export function CloseDialog({ form, body, round, modelled, onClose }: CloseProps) {
  const typed = useRef<Readonly<Record<string, string>>>({});
  const unknown = Object.entries(form.values).filter(
    ([name, value]) => name.endsWith(".who") && nameIn(value) !== null && isUsed(name, form.values),
  );
  return (
    <Dialog title={ROUND.closeTitle} kind="large" onClose={onClose}>
      <p>{ROUND.closeWords(dayText(round.closingDate))}</p>
      {unknown.length > 0 ? (
        <Notice tone="warn" title={ROUND.unknownHolders}>
          {unknown.map(([name, value]) => (
            <Unknown key={name} form={form} field={name} name={nameIn(value) ?? ""} />
          ))}
        </Notice>
      ) : modelled.error !== null ? (
        <Refusal error={modelled.error} values={form.values} />
      ) : modelled.isNow ? (
        <CloseForm {...{ form, body, round, onClose, typed }} onAgain={modelled.again} />
      ) : (
        <p class="note">{ROUND.checking}</p>
      )}
    </Dialog>
  );
}

/** Whether a holder's row is among those that count. */
function isUsed(name: string, values: Readonly<Record<string, string>>): boolean {
  const [, list = "", at = ""] = /^(.*)\.(\d+)\.who$/.exec(name) ?? [];
  const isOff = list.startsWith("proRata") && !values["proRata.mode"];
  return !isOff && Number.parseInt(at, 10) < Number.parseInt(values[list] ?? "0", 10);
}

function Unknown({ form, field, name }: { readonly form: ModelForm; readonly field: string; readonly name: string }) {
  const { api } = useOrganization();
  const [key] = useState(newIdempotencyKey);
  const addAs = (type: "INDIVIDUAL" | "INSTITUTION") => async () => {
    const body = { displayName: name, name: { legalName: name }, type, relationships: ["INVESTOR"] };
    const { id } = await createRecord(api, "stakeholders", body, `${key}-${type}`);
    const same = Object.entries(form.values).filter(([at, value]) => at.endsWith(".who") && nameIn(value) === name);
    form.set(Object.fromEntries([...same.map(([at]) => [at, id]), [field, id]]));
    toast(ROUND.added(name));
  };
  const company = useAction(addAs("INSTITUTION"));
  const person = useAction(addAs("INDIVIDUAL"));
  return (
    <div class="row unknown">
      <strong>{name}</strong>
      <Button {...company.button}>{ROUND.addCompany}</Button>
      <Button {...person.button}>{ROUND.addPerson}</Button>
      {company.trouble}
      {person.trouble}
    </div>
  );
}

interface CloseFormProps extends Omit<CloseProps, "modelled"> {
  /** What was typed before the round was computed again. */
  readonly typed: { current: Readonly<Record<string, string>> };
  readonly onAgain: () => void;
}

/** Asks for a closing, or a dry run of one; throws what is refused in the words of the dialog. */
function useClosing(roundForm: CloseProps["form"], round: RoundAnswer) {
  const { api } = useOrganization();
  return async (asked: CloseBody, more: { readonly signal?: AbortSignal; readonly key?: string }) => {
    const { signal, key } = more;
    const header = key === undefined ? {} : { "Idempotency-Key": key };
    const sent = api.POST("/api/v1/models/round/close", {
      body: asked,
      params: { header },
      ...(signal ? { signal } : {}),
    });
    try {
      return (await (key === undefined ? answer(sent) : write(sent))).data;
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      const { faults } = placed({ errors: ofRound(error), detail: "" }, roundForm.values);
      if (Object.keys(faults).length > 0) roundForm.setFaults(faults);
      throw refusalOf(error, asked, round);
    }
  };
}

function CloseForm({ form: roundForm, body, round, onClose, typed, onAgain }: CloseFormProps) {
  const { path } = useOrganization();
  const [, go] = useLocation();
  const short = shortOf(round);
  const close = useClosing(roundForm, round);
  const form = useForm<Record<string, string>, { readonly corporateActionId: string | null }>({
    initial: {
      title: `${body.newClass.name} financing`,
      ...{ boardApprovalDate: "", stockholderApprovalDate: "", description: "" },
      ...typed.current,
      ...Object.fromEntries(round.classes.map((_, index) => [`${NEW}${index}`, ""])),
      ...Object.fromEntries(short.map(({ stockClassId, needed }) => [`${RAISE}${stockClassId}`, needed])),
    },
    check: (values) => closeFaults(values, round),
    send: (values, key) => close(closeBody(values, body, round), { key }),
    done({ corporateActionId }) {
      roundForm.discard();
      toast(ROUND.closed);
      onClose();
      go(path(`/corporate-actions/${corporateActionId}`));
    },
  });
  const { title = "", boardApprovalDate = "", stockholderApprovalDate = "", description = "" } = form.values;
  typed.current = { title, boardApprovalDate, stockholderApprovalDate, description };
  const isReadable = Object.values(closeFaults(form.values, round)).every((fault) => fault === undefined);
  const asked = isReadable ? closeBody(form.values, body, round) : null;
  const tried = useModel(
    asked,
    (wanted, signal) => close({ ...wanted, dryRun: true }, { signal }),
    (refusal) => form.setFaults(refusal === null ? {} : placed(refusal, form.values).faults),
  );
  const wayOn = (error: unknown) =>
    error instanceof ClosingRefused && error.way && <WayOn way={error.way} onAgain={onAgain} />;
  // Where both are refused, one way on is enough.
  const wayOnTop = form.problem && wayOn(form.problem.error);
  return (
    <Form form={form} submit={ROUND.closeSubmit} label={ROUND.closeTitle}>
      {wayOnTop}
      <CloseFields form={form} round={round} short={short} />
      <h3>{ROUND.preview}</h3>
      <Asked
        modelled={tried}
        isAsked={asked !== null}
        values={form.values}
        waiting={ROUND.checking}
        refused={{ title: PREVIEW.refused, actions: wayOnTop ? null : wayOn(tried.error) }}
      >
        {({ securities, warnings }) => (
          <>
            <Warnings warnings={warnings} />
            <Made securities={securities} round={round} />
          </>
        )}
      </Asked>
    </Form>
  );
}

interface CloseFieldsProps {
  readonly form: ModelForm;
  readonly round: RoundAnswer;
  readonly short: ReturnType<typeof shortOf>;
}

function CloseFields({ form, round, short }: CloseFieldsProps) {
  return (
    <>
      <TextField label={ROUND.closeTitleField} {...form.field("title")} autoComplete="off" />
      <div class="fields-2">
        <DateField label={ROUND.board} {...form.field("boardApprovalDate")} isOptional />
        <DateField label={ROUND.stockholders} {...form.field("stockholderApprovalDate")} isOptional />
        {round.classes.map(({ name }, index) => (
          <DecimalField
            key={name}
            label={ROUND.newAuthorized(name)}
            hint={ROUND.newAuthorizedHint}
            {...form.field(`${NEW}${index}`)}
            isOptional
          />
        ))}
        {short.map(({ stockClassId, name, needed }) => (
          <DecimalField
            key={name}
            label={ROUND.raise(name)}
            hint={ROUND.raiseHint(needed)}
            {...form.field(`${RAISE}${stockClassId}`)}
            isOptional
          />
        ))}
      </div>
      <LongTextField label={ROUND.note} {...form.field("description")} isOptional rows={2} />
    </>
  );
}

function WayOn({ way, onAgain }: { readonly way: ClosingWay; readonly onAgain: () => void }) {
  const { path } = useOrganization();
  return (
    <div class="row">
      {way.kind === "AGAIN" ? (
        <Button onClick={onAgain}>{ROUND.again}</Button>
      ) : (
        <LinkButton href={path(`/corporate-actions/${way.id}`)}>{ROUND.openClosing}</LinkButton>
      )}
    </div>
  );
}

type MadeOne = {
  readonly certificateId: string | null;
  readonly stakeholderId: string | null;
  readonly quantity: string;
  readonly kind: "CONVERSION" | "NEW_MONEY" | "PRO_RATA";
};

/** The securities that would be made. */
function Made({ securities, round }: { readonly securities: readonly MadeOne[]; readonly round: RoundAnswer }) {
  const names = new Map(round.after.holders.map(({ stakeholderId, name }) => [stakeholderId, name]));
  return (
    <Table
      label={ROUND.certificates}
      rows={securities}
      keyOf={({ certificateId, stakeholderId, quantity }) => `${certificateId} ${stakeholderId} ${quantity}`}
      columns={[
        { id: "certificate", label: ROUND.certificate, cell: ({ certificateId }) => certificateId },
        { id: "who", label: MODELS.who, cell: ({ stakeholderId }) => names.get(stakeholderId) ?? MODELS.unnamed },
        { id: "kind", label: ROUND.role, isWide: true, cell: ({ kind }) => ROUND.made[kind] },
        { id: "shares", label: MODELS.shares, isFigure: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
      ]}
    />
  );
}
