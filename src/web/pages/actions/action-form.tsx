// The form of an action: its fields, the preview beside it, and the one sending.
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation, useSearchParams } from "wouter-preact";
import { dayNumber } from "../../../kernel/date.ts";
import { streamed } from "../../api/happenings.ts";
import { ApiProblem } from "../../api/problem.ts";
import { useDraftName } from "../../frame/draft.ts";
import { isPage } from "../../frame/navigation.ts";
import { type Recorded, recordOperation, sequenceOf } from "../../frame/operation-calls.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { type Body, bodyOf, faultsOf, placeOf } from "../../parts/forms/body.ts";
import { Form } from "../../parts/forms/form.tsx";
import { type Form as FormState, useForm } from "../../parts/forms/use-form.ts";
import { faultsIn } from "../../parts/forms/words.ts";
import { Failure, Outline } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { ACTION, type OperationWords } from "../../text/actions/operation-words.ts";
import { PREVIEW } from "../../text/actions/preview.ts";
import { type Differences, differencesOf } from "./differences.ts";
import { Doubts } from "./doubts.tsx";
import { type Changes, changesOf } from "./effects.ts";
import { Extras } from "./extras.tsx";
import { Groups } from "./groups.tsx";
import { Panel } from "./panel.tsx";
import { type Doubt, doubtsOf, wayOnFrom } from "./refusals.ts";
import { type ActionSpec, type Facts, fieldsOf, shownFields, type Values } from "./spec.ts";
import { useFacts } from "./use-facts.ts";
import { useGiven } from "./use-given.ts";
import { useKnown } from "./use-known.ts";
import { type Preview, usePreview } from "./use-preview.ts";
import { addressOf, returnTo } from "./way-back.ts";
import { WayOn } from "./way-on.tsx";

interface ActionFormProps {
  readonly spec: ActionSpec;
  readonly words: OperationWords;
  /** What stands in the fields from the start, by their names. */
  readonly given: Values;
}

/** The form. */
export function ActionForm({ spec, words, given }: ActionFormProps) {
  const { path } = useOrganization();
  const [doubts, setDoubts] = useState<readonly Doubt[]>([]);
  const { form: held, facts, isLoading, error, shown, body } = useActionForm(spec, given);
  const onAnswer = (refusal: unknown) => {
    if (refusal instanceof ApiProblem) held.setFaults(placed(refusal));
    else if (refusal === null) held.setFaults({});
  };
  const last = useRef<Changes | null>(null);
  /** What was shown when others recorded something, until a user changes the form. */
  const seen = useRef<Changes | null>(null);
  const onOld = () => {
    if (preview.state === "CHECKED") seen.current ??= last.current;
  };
  const { preview, checkAgain } = usePreview(spec.operation, body, { onAnswer, onOld, isPaused: held.isLost });
  const placed = (refusal: ApiProblem) => {
    const name = refusal.errors.length === 0 ? placeOf(refusal, shown) : undefined;
    const seen = shown.map((field) => field.name);
    return faultsIn(refusal, seen, name === undefined ? undefined : { name }).faults;
  };
  const told = preview.state === "CHECKED" ? preview.told : null;
  const known = useKnown(told?.effects ?? [], facts);
  const changes = told && changesOf(told.effects ?? [], facts, known);
  const isSettled = preview.state === "WAITING" || ("isOld" in preview && !preview.isOld);
  if (changes && isSettled) last.current = changes;
  const differences = seen.current && last.current && isSettled ? differencesOf(seen.current, last.current) : null;
  const acknowledge = () => {
    seen.current = last.current;
  };
  const recording = { preview, isSettled, differences, checkAgain, acknowledge };
  const { record, isWaiting, isHeld, forget } = useRecord(held, recording);
  const form = {
    ...held,
    isBusy: held.isBusy || isWaiting,
    set(values: Values) {
      seen.current = null;
      forget();
      held.set(values);
    },
  };

  if (error) return <Failure error={error} />;
  if (isLoading) return <Outline what={ACTION.loading} lines={8} />;
  const here = addressOf(path(`/record/${spec.operation}`), form.values);
  const submit = (event?: Event) => {
    event?.preventDefault();
    const isReadable = Object.keys(faultsOf(shown, form.values)).length === 0;
    const found = doubtsOf(shown, form.values, facts, (day) => dayNumber(facts.today) - dayNumber(day));
    if (isReadable && !form.isLost && found.length > 0) setDoubts(found);
    else record(event);
  };
  const refusal = preview.state === "REFUSED" && preview.error instanceof ApiProblem ? preview.error : null;
  const wayOn = refusal && wayOnFrom(refusal, form.values, facts);
  return (
    <div class="guided">
      <div>
        <Form form={{ ...form, submit }} submit={words.submit} label={words.title} beside={<ForGood />}>
          <Groups groups={spec.groups} form={form} facts={facts} words={words.fields} here={here} />
        </Form>
      </div>
      <Panel
        preview={preview}
        changes={isSettled ? (changes ?? last.current) : last.current}
        differences={differences}
        isHeld={isHeld}
        wayOn={wayOn && <WayOn way={wayOn} here={here} onChange={form.set} />}
      >
        <Extras spec={spec} values={form.values} facts={facts} told={told} />
        {told && <EntryNote entry={words.entry} day={form.values.effectiveDate ?? ""} />}
      </Panel>
      {doubts.length > 0 && (
        <Doubts
          doubts={doubts}
          day={form.values.effectiveDate ?? ""}
          onBack={() => setDoubts([])}
          onGoOn={() => {
            setDoubts([]);
            record();
          }}
        />
      )}
    </div>
  );
}

interface Recording {
  readonly preview: Preview;
  /** Whether the preview is of the ledger as it is. */
  readonly isSettled: boolean;
  readonly differences: Differences | null;
  readonly checkAgain: () => void;
  /** What differs was looked at. */
  readonly acknowledge: () => void;
}

/** Records once the preview is of the ledger as it is, and only where it is as it was looked at. */
function useRecord(
  held: FormState<Record<string, string>>,
  { preview, isSettled, differences, checkAgain, acknowledge }: Recording,
) {
  const { id: orgId } = useOrganization();
  const [state, setState] = useState<"READY" | "WAITING" | "HELD">("READY");
  const isOld = "isOld" in preview && preview.isOld;
  useEffect(() => {
    if (state !== "WAITING" || !isSettled) return;
    const isAsSeen = preview.state === "CHECKED" && differences === null;
    setState(isAsSeen ? "READY" : "HELD");
    if (isAsSeen) held.submit();
  }, [state, isSettled]);
  return {
    isWaiting: state === "WAITING",
    isHeld: state === "HELD",
    forget: () => setState("READY"),
    record(event?: Event) {
      event?.preventDefault();
      if (state === "HELD") acknowledge();
      // Where no stream tells of what is recorded, it is looked for.
      const isUntold = preview.state === "CHECKED" && !isOld && state !== "HELD" && streamed.value !== orgId;
      // Marks may be below what is seen: they are led to before anything is recorded.
      const isUnseen = state !== "HELD" && differences !== null && !held.isLost;
      if (isUnseen && !isOld && !isUntold) return setState("HELD");
      if (held.isLost || (!isOld && !isUntold)) {
        setState("READY");
        return held.submit(event);
      }
      if (isUntold) checkAgain();
      setState("WAITING");
    },
  };
}

function ForGood() {
  return <span class="note">{ACTION.forGood}</span>;
}

function EntryNote({ entry, day }: { readonly entry: string; readonly day: string }) {
  return (
    <p class="note entry-note">
      {PREVIEW.entry(entry)}
      {day && `, ${PREVIEW.dated(day)}`}
    </p>
  );
}

/** The form's state, with what the organization gives it. */
function useActionForm(spec: ActionSpec, given: Values) {
  const { api, path } = useOrganization();
  const [, go] = useLocation();
  const [query] = useSearchParams();
  const latest = useRef<Facts | null>(null);
  const bodyFor = (values: Values, facts: Facts): Body | null => {
    const shown = shownFields(spec.groups, values, facts);
    const body = bodyOf(shown, values);
    const isChosen = !values.securityId || facts.security?.id === values.securityId;
    return body && isChosen ? { ...body, ...spec.also?.(values, facts) } : null;
  };
  const shownNow = (values: Values) => (latest.current ? shownFields(spec.groups, values, latest.current) : []);
  const held = useForm<Record<string, string>, { recorded: Recorded; sequence: number | null }>({
    draft: useDraftName(),
    initial: Object.fromEntries(fieldsOf(spec.groups).map(({ name }) => [name, given[name] ?? ""])),
    check: (values) => faultsOf(shownNow(values), values),
    async send(values, key) {
      const body = latest.current && bodyFor(values, latest.current);
      const recorded = await recordOperation(api, spec.operation, body ?? {}, key);
      const id = recorded.told.transactionId ?? recorded.told.transactionIds?.[0];
      return { recorded, sequence: id ? await sequenceOf(api, id).catch(() => null) : null };
    },
    done({ recorded: { told, wasBefore }, sequence }) {
      const words = sequence === null ? ACTION.recordedOnly : ACTION.recorded(sequence);
      toast(wasBefore ? ACTION.wasBefore : words);
      const made = told.newSecurityId ?? told.securityId ?? latest.current?.security?.id;
      const toSecurity = made && isPage("/securities/:id") ? path(`/securities/${made}`) : path();
      go(returnTo(query, path()) ?? toSecurity);
    },
    shown: shownNow,
    fieldOf(problem) {
      const name = placeOf(problem, shownNow(held.values));
      return name === undefined ? undefined : { name };
    },
  });
  const { facts, isLoading, error } = useFacts(spec, held.values);
  latest.current = facts;
  const shown = shownFields(spec.groups, held.values, facts);
  const form = useGiven(held, { fields: shown, facts, isOn: !isLoading });
  return { form, facts, isLoading, error, shown, body: isLoading ? null : bodyFor(form.values, facts) };
}
