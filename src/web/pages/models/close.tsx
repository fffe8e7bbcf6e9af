// Closing a round: what a model does not need (approvals, authorized figures, holders on record), what would be recorded, and
// the one sending.
import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { answer, write } from "../../api/client.ts";
import { newIdempotencyKey } from "../../api/idempotency.ts";
import type { ApiProblem } from "../../api/problem.ts";
import type { paths } from "../../api/types.ts";
import { createRecord } from "../../frame/operations.ts";
import { useOrganization } from "../../frame/organization.ts";
import { dayText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Quantity } from "../../parts/figures.tsx";
import { decimalFault, readDecimal } from "../../parts/forms/decimal.ts";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { DateField, LongTextField, TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Notice } from "../../parts/notice.tsx";
import { Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { MODELS } from "../../text/models/models.ts";
import { ROUND } from "../../text/models/round.ts";
import { Asked } from "./asked.tsx";
import type { ModelForm } from "./fields.tsx";
import type { RoundAnswer, RoundBody } from "./round-body.ts";
import { useModel } from "./use-model.ts";
import { nameIn } from "./values.ts";

type ClosePath = paths["/api/v1/models/round/close"]["post"];
type CloseBody = ClosePath["requestBody"]["content"]["application/json"];

const NEW = "new.";
const RAISE = "raise.";

interface CloseProps {
  readonly form: ModelForm;
  readonly body: RoundBody;
  readonly round: RoundAnswer;
  /** Whether the round is the answer to the body, or to one of before. */
  readonly isNow: boolean;
  readonly onClose: () => void;
}

/** The dialog. */
export function CloseDialog({ form, body, round, isNow, onClose }: CloseProps) {
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
      ) : isNow ? (
        <CloseForm {...{ form, body, round, onClose }} />
      ) : (
        <p class="note">{ROUND.checking}</p>
      )}
    </Dialog>
  );
}

/** Whether a row of somebody is among those that count. */
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

/** The classes on record that have too few shares authorized. */
function shortOf({ authorization }: RoundAnswer) {
  return authorization.filter(({ stockClassId, shortfall }) => stockClassId !== null && shortfall !== "0");
}

function bodyOf(values: Readonly<Record<string, string>>, model: RoundBody, round: RoundAnswer): CloseBody {
  const figure = (name: string) => readDecimal(values[name] ?? "");
  const made = round.classes.flatMap(({ name }, index) => {
    const sharesAuthorized = figure(`${NEW}${index}`);
    return sharesAuthorized === null ? [] : [{ name, sharesAuthorized }];
  });
  const raised = shortOf(round).flatMap(({ stockClassId }) => {
    const newSharesAuthorized = figure(`${RAISE}${stockClassId}`);
    return newSharesAuthorized === null || stockClassId === null ? [] : [{ stockClassId, newSharesAuthorized }];
  });
  const { title = "", boardApprovalDate, stockholderApprovalDate, description } = values;
  return {
    model: model as CloseBody["model"],
    digest: round.digest,
    title: title.trim(),
    ...(made.length > 0 ? { newClassAuthorized: made } : {}),
    ...(raised.length > 0 ? { authorizedShares: raised } : {}),
    ...(boardApprovalDate ? { boardApprovalDate } : {}),
    ...(stockholderApprovalDate ? { stockholderApprovalDate } : {}),
    ...(description?.trim() ? { description: description.trim() } : {}),
  };
}

/** What a refusal is about, where its pointer names a member of a list. */
function faultsOf(problem: ApiProblem, round: RoundAnswer): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const { pointer = "", detail } of problem.errors) {
    const made = /^#\/newClassAuthorized\/(\d+)/.exec(pointer);
    const raised = /^#\/authorizedShares\/(\d+)/.exec(pointer);
    if (made) faults[NEW + made[1]] = detail;
    if (raised) faults[`${RAISE}${shortOf(round)[Number.parseInt(raised[1] ?? "0", 10)]?.stockClassId}`] = detail;
  }
  return faults;
}

function CloseForm({ form: roundForm, body, round, onClose }: Omit<CloseProps, "isNow">) {
  const { api, path } = useOrganization();
  const [, go] = useLocation();
  const short = shortOf(round);
  const form = useForm<Record<string, string>, { readonly corporateActionId: string | null }>({
    initial: {
      title: `${body.newClass.name} financing`,
      ...{ boardApprovalDate: "", stockholderApprovalDate: "", description: "" },
      ...Object.fromEntries(round.classes.map((_, index) => [`${NEW}${index}`, ""])),
      ...Object.fromEntries(short.map(({ stockClassId, needed }) => [`${RAISE}${stockClassId}`, needed])),
    },
    check: (values) =>
      Object.fromEntries(
        Object.entries(values)
          .filter(([name]) => name.startsWith(NEW) || name.startsWith(RAISE))
          .map(([name, value]) => [name, decimalFault(value)]),
      ),
    async send(values, key) {
      const header = { "Idempotency-Key": key };
      const asked = { body: bodyOf(values, body, round), params: { header } };
      return (await write(api.POST("/api/v1/models/round/close", asked))).data;
    },
    done({ corporateActionId }) {
      roundForm.discard();
      toast(ROUND.closed);
      onClose();
      go(path(`/corporate-actions/${corporateActionId}`));
    },
  });
  const isReadable = Object.entries(form.values).every(
    ([name, value]) => (!name.startsWith(NEW) && !name.startsWith(RAISE)) || decimalFault(value) === undefined,
  );
  const asked = isReadable ? bodyOf(form.values, body, round) : null;
  const tried = useModel(
    asked,
    async (wanted, signal) =>
      (await answer(api.POST("/api/v1/models/round/close", { body: { ...wanted, dryRun: true }, signal }))).data,
    (refusal) => form.setFaults(refusal === null ? {} : faultsOf(refusal, round)),
  );
  return (
    <Form form={form} submit={ROUND.closeSubmit} label={ROUND.closeTitle}>
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
      <h3>{ROUND.preview}</h3>
      <Asked modelled={tried} isAsked={asked !== null} values={form.values} waiting={ROUND.checking}>
        {({ securities }) => <Made securities={securities} round={round} />}
      </Asked>
    </Form>
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
