// The import of a spreadsheet, step by step: a file is chosen, read, looked at, and then written.
import { useEffect, useRef, useState } from "preact/hooks";
import { useQuery } from "../../api/query.ts";
import { changed } from "../../api/remembered.ts";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button, LinkButton } from "../../parts/button.tsx";
import { LongTextField, SelectField } from "../../parts/forms/other-fields.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { save } from "../../parts/save.ts";
import { SendingBar, unlessStopped, useSending } from "../../parts/sending.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { useDrop } from "../../parts/use-drop.ts";
import { usePoll } from "../../parts/use-poll.ts";
import { COMMON } from "../../text/common.ts";
import { IMPORTS } from "../../text/imports.ts";
import { Counts, Found, Totals } from "./found.tsx";
import {
  begin,
  commit,
  discard,
  FILES,
  fileOf,
  type Import,
  isMapping,
  readImport,
  readLast,
  templateOf,
  type Ways,
} from "./import-calls.ts";

const EVERY_MS = 700;
const BYTES_MAX = 25 * 1024 * 1024;
const STEPS = ["CHOOSE", "READING", "PREVIEWED", "COMMITTING", "COMMITTED"] as const;
const UNDER_WAY: readonly string[] = ["READING", "COMMITTING"];

/** The card; goes on with the import that was asked for last, unless that is over. */
export function Wizard() {
  const { api, key } = useOrganization();
  const [id, setId] = useState<string | null>(null);
  const last = useQuery(key("last-import"), (signal) => readLast(api, signal));
  const given = last.data;
  const open = given && given.state !== "COMMITTED" && given.state !== "FAILED" ? given.id : null;
  // It is stayed with: by the time it is over it would be none to go on with.
  useEffect(() => {
    if (id === null && open !== null) setId(open);
  }, [id, open]);
  return (
    <Card title={IMPORTS.title}>
      <p class="note">{IMPORTS.words}</p>
      {id === null || id === "" ? <Choose onBegun={setId} /> : <UnderWay key={id} id={id} onLeave={() => setId("")} />}
    </Card>
  );
}

const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
const [FORMAT_CHOICES, DAY_CHOICES, DECIMAL_CHOICES, OTHER_CHOICES, VESTING_CHOICES] = [
  choicesOf(IMPORTS.formats),
  choicesOf(IMPORTS.dateOrders),
  choicesOf(IMPORTS.decimals),
  choicesOf(IMPORTS.unsupporteds),
  choicesOf(IMPORTS.vestings),
];

const FIRST_WAYS: Ways = { format: "AUTO", dateOrder: "", decimal: "", skipUnsupported: "", vesting: "", mapping: "" };

function Choose({ onBegun }: { readonly onBegun: (id: string) => void }) {
  const { api } = useOrganization();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [ways, setWays] = useState<Ways>(FIRST_WAYS);
  const needsMapping = ways.format === "MAPPING";
  const canBegin = file !== null && file.size <= BYTES_MAX && (!needsMapping || isMapping(ways.mapping));
  const isTooLarge = file !== null && file.size > BYTES_MAX;
  const { sending, sent, stop } = useSending();
  const next = useAction(async () => {
    if (!canBegin) return;
    const begun = await begin(api, file, ways, sending()).catch(unlessStopped);
    if (begun) onBegun(begun.id);
  });
  const take = ([chosen]: readonly File[]) => setFile(chosen ?? null);
  const { isOver, zone } = useDrop(take);
  const field = (name: keyof Ways) => ({
    name,
    value: ways[name],
    onInput: (value: string) => setWays({ ...ways, [name]: value }),
  });
  return (
    <>
      <div class={isOver ? "drop-box over" : "drop-box"} {...zone}>
        <input
          ref={input}
          type="file"
          accept=".xlsx,.csv,.zip"
          hidden
          aria-label={IMPORTS.file}
          onChange={({ currentTarget }) => take([...(currentTarget.files ?? [])])}
        />
        <p>{file ? file.name : IMPORTS.drop}</p>
        <div class="row">
          <Button onClick={() => input.current?.click()}>{IMPORTS.choose}</Button>
          <Template />
        </div>
        {isTooLarge && <Notice tone="bad">{IMPORTS.tooLarge(file.size)}</Notice>}
      </div>
      {file !== null && !isTooLarge && (
        <div class="stack">
          <details>
            <summary>{IMPORTS.how}</summary>
            <SelectField label={IMPORTS.format} {...field("format")} choices={FORMAT_CHOICES} />
            {needsMapping && <Mapping value={ways.mapping} onInput={field("mapping").onInput} />}
            <SelectField label={IMPORTS.dateOrder} {...field("dateOrder")} choices={DAY_CHOICES} />
            <SelectField label={IMPORTS.decimal} {...field("decimal")} choices={DECIMAL_CHOICES} />
            <SelectField label={IMPORTS.unsupported} {...field("skipUnsupported")} choices={OTHER_CHOICES} />
            <SelectField label={IMPORTS.vesting} {...field("vesting")} choices={VESTING_CHOICES} />
          </details>
          {next.button.isBusy && <SendingBar {...{ file, sent }} />}
          <div class="row">
            <Button kind="primary" {...next.button} aria-disabled={!canBegin}>
              {IMPORTS.steps.READING}
            </Button>
            {next.button.isBusy && <Button onClick={stop}>{COMMON.stopSending}</Button>}
          </div>
          {next.trouble}
        </div>
      )}
    </>
  );
}

/** A mapping of the user's own: pasted, or read from a file. */
function Mapping({ value, onInput }: { readonly value: string; readonly onInput: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const fault = value.trim() !== "" && !isMapping(value) ? IMPORTS.mappingFault : undefined;
  return (
    <div class="stack">
      <LongTextField
        label={IMPORTS.mapping}
        name="mapping"
        hint={IMPORTS.mappingHint}
        rows={8}
        {...{ value, onInput, fault }}
      />
      <input
        ref={input}
        type="file"
        accept=".json"
        hidden
        aria-label={IMPORTS.mappingFile}
        onChange={async ({ currentTarget: { files } }) => onInput((await files?.[0]?.text()) ?? value)}
      />
      <div class="row">
        <Button onClick={() => input.current?.click()}>{IMPORTS.mappingFile}</Button>
      </div>
    </div>
  );
}

function Template() {
  const { api } = useOrganization();
  const empty = useAction(async () => save(await templateOf(api, false), "captable-template.xlsx"));
  const example = useAction(async () => save(await templateOf(api, true), "captable-example.xlsx"));
  return (
    <>
      <Button kind="quiet" {...empty.button}>
        {IMPORTS.template}
      </Button>
      <Button kind="quiet" {...example.button}>
        {IMPORTS.example}
      </Button>
      {empty.trouble ?? example.trouble}
    </>
  );
}

/** An import that was asked for: asks again until it goes on by itself no more. */
function UnderWay({ id, onLeave }: { readonly id: string; readonly onLeave: () => void }) {
  const { api, key } = useOrganization();
  const query = useQuery(key("import", id), (signal) => readImport(api, id, signal));
  const state = query.data?.state ?? "READING";
  usePoll(UNDER_WAY.includes(state), query.reload, EVERY_MS);
  const before = useRef(state);
  useEffect(() => {
    if (before.current === "COMMITTING" && state === "COMMITTED") {
      toast(IMPORTS.done);
      changed();
    }
    before.current = state;
  }, [state]);
  return (
    <div class="stack">
      <StepBar state={state} />
      {UNDER_WAY.includes(state) && <Progress state={state} />}
      {query.data && state === "FAILED" && <Failed given={query.data} onLeave={onLeave} />}
      {query.data && state === "PREVIEWED" && <Preview given={query.data} onCommit={query.reload} onLeave={onLeave} />}
      {query.data && state === "COMMITTED" && <Done given={query.data} onLeave={onLeave} />}
    </div>
  );
}

function StepBar({ state }: { readonly state: string }) {
  return (
    <ol class="step-bar">
      {STEPS.map((each) => (
        <li key={each} aria-current={each === state ? "step" : undefined}>
          {IMPORTS.steps[each]}
        </li>
      ))}
    </ol>
  );
}

function Progress({ state }: { readonly state: string }) {
  const words = state === "READING" ? IMPORTS.reading : IMPORTS.committing;
  return (
    <div role="status">
      <p>{words}</p>
      <progress class="progress" aria-label={words} />
    </div>
  );
}

interface StageProps {
  readonly given: Import;
  readonly onLeave: () => void;
}

function Failed({ given, onLeave }: StageProps) {
  return (
    <>
      <Notice tone="bad">{given.failure}</Notice>
      <Leave given={given} onLeave={onLeave} label={IMPORTS.another} />
    </>
  );
}

function Leave({ given, onLeave, label }: StageProps & { readonly label: string }) {
  const { api } = useOrganization();
  const leave = useAction(async () => {
    await discard(api, given);
    onLeave();
  });
  return (
    <div class="row">
      <Button {...leave.button}>{label}</Button>
      {leave.trouble}
    </div>
  );
}

function Preview({ given, onCommit, onLeave }: StageProps & { readonly onCommit: () => void }) {
  const { api } = useOrganization();
  const next = useAction(async () => {
    await commit(api, given.id);
    onCommit();
  });
  const file = (name: keyof typeof FILES) => async () => save(await fileOf(api, given.id, name), FILES[name]);
  const [problems, preview, terms] = [
    useAction(file("problems")),
    useAction(file("preview")),
    useAction(file("terms")),
  ];
  const missesTerms = [...given.problems, ...given.warnings].some(({ code }) => code === "schedule-not-understood");
  return (
    <>
      {given.failure && <Notice tone="warn">{given.failure}</Notice>}
      <Found given={given} />
      <div class="row">
        {given.problemCount + given.warningCount > 0 && <Button {...problems.button}>{IMPORTS.problemsCsv}</Button>}
        <Button {...preview.button}>{IMPORTS.previewCsv}</Button>
        {missesTerms && <Button {...terms.button}>{IMPORTS.termsCsv}</Button>}
        {problems.trouble ?? preview.trouble ?? terms.trouble}
      </div>
      {missesTerms && <p class="note">{IMPORTS.termsWords}</p>}
      <Counts given={given} />
      <Totals given={given} />
      {given.problemCount === 0 && (
        <div class="row">
          <Button kind="primary" {...next.button}>
            {IMPORTS.commit}
          </Button>
        </div>
      )}
      {next.trouble}
      <Leave given={given} onLeave={onLeave} label={given.problemCount > 0 ? IMPORTS.another : IMPORTS.discard} />
    </>
  );
}

function Done({ given, onLeave }: StageProps) {
  const { path } = useOrganization();
  return (
    <>
      <Notice tone="good">
        {IMPORTS.done}. {IMPORTS.doneWords(given.firstSequence, given.lastSequence)}
      </Notice>
      <Counts given={given} />
      <div class="row">
        {isPage("/ledger") && (
          <LinkButton href={path("/ledger")} kind="primary">
            {IMPORTS.toLedger}
          </LinkButton>
        )}
        <Button onClick={onLeave}>{IMPORTS.another}</Button>
      </div>
    </>
  );
}
