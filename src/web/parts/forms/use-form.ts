// What a form holds: its values, what is wrong with them, and the one sending of it. Rules are told for a field after it was
// left, the API's refusals where their pointers say; after a lost answer the form is locked until the outcome is known, also
// where the page was loaded anew meanwhile.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { newIdempotencyKey } from "../../api/idempotency.ts";
import { ApiProblem, Declined, NoAnswer, Told } from "../../api/problem.ts";
import { ERRORS } from "../../text/common.ts";
import { type DraftName, draftOf, dropDrafts, keepDraft } from "./drafts.ts";
import { faultsIn } from "./words.ts";

/** Sentences by the field that they are about. */
export type Faults<V> = { readonly [N in keyof V]?: string | undefined };

/** A member that another person has changed as well: one of both values is to be chosen. */
export interface Dispute {
  readonly label: string;
  readonly yours: unknown;
  readonly theirs: unknown;
  /** What was chosen. */
  readonly choice: "YOURS" | "THEIRS" | null;
  choose(choice: "YOURS" | "THEIRS"): void;
}

/** A sending that was held back: the form itself says why. */
export class Held extends Error {}

/** What a form is made of. */
export interface FormParts<V, T> {
  readonly initial: V;
  /** What is wrong with the values before anything is sent. */
  readonly check?: (values: V) => Faults<V>;
  /** Sends it. The key stays the same until a value changes. */
  readonly send: (values: V, key: string) => Promise<T>;
  readonly done: (answer: T) => void;
  /** The fields that are to be seen, where not all of the values' always are: what is said of another stands above. */
  readonly shown?: (values: V) => readonly { readonly name: string }[];
  /** The field that a refusal is about, where its pointer does not name it: by slug. */
  readonly fieldOf?: (problem: ApiProblem) => { readonly name: keyof V; readonly words?: string } | undefined;
  /** Where what is typed is kept as a draft: its name. Nothing secret may be in such a form. */
  readonly draft?: DraftName | null;
}

/** A form, as components use it. */
export interface Form<V> {
  readonly values: V;
  readonly isBusy: boolean;
  /** Whether no answer came to a write: the same can be sent again, and nothing else. */
  readonly isLost: boolean;
  /** What is wrong and belongs to no field. */
  readonly problem: { readonly words: string; readonly error: unknown } | null;
  readonly faults: Faults<V>;
  readonly faultCount: number;
  set(values: Partial<V>): void;
  /**
   * Puts in what the form knows by itself, in fields that still hold what `seen` has of them: a user may have typed
   * since it was looked at. That alone is no draft.
   */
  suggest(values: Partial<V>, seen: V): void;
  /** Whether what is in it was typed before the page was left; `discard` begins anew. */
  readonly isRestored: boolean;
  discard(): void;
  /** What a field takes: `<TextField label="Name" {...form.field("name")} />`. */
  field(name: keyof V & string): {
    readonly name: string;
    readonly value: string;
    readonly fault: string | undefined;
    onInput(value: string): void;
    onLeave(): void;
  };
  submit(event?: Event): void;
  /** Of a record that other people change meanwhile: what is said of that above the fields. */
  readonly above?: ComponentChildren;
  /** Members that another person has changed as well. */
  readonly disputes?: { readonly [N in keyof V]?: Dispute };
  /** Whether the record is gone: what was typed stays, and cannot be saved. */
  readonly isDeleted?: boolean;
  /** Puts faults that came from elsewhere, such as a preview. */
  setFaults(faults: Faults<V>): void;
}

/** Holds a form. */
export function useForm<V extends object, T>(parts: FormParts<V, T>): Form<V> {
  const { draft = null } = parts;
  const [restored, setRestored] = useState(() => (draft === null ? null : draftOf<V>(draft)));
  const [values, setValues] = useState(restored?.values ?? parts.initial);
  const [told, setTold] = useState<Faults<V>>({});
  const [problem, setProblem] = useState<Form<V>["problem"]>(null);
  const [state, setState] = useState<"READY" | "BUSY" | "LOST">(restored?.isSent ? "LOST" : "READY");
  const key = useRef(restored?.key ?? newIdempotencyKey());
  const isTyped = useRef(restored !== null);
  const element = useRef<HTMLFormElement | null>(null);

  useEffect(() => {
    if (draft && isTyped.current) keepDraft(draft, { values, key: key.current, isSent: state !== "READY" });
  }, [values, state]);

  const put = (changes: Partial<V>, may: (name: keyof V, now: V) => boolean = () => true) => {
    setValues((now) => {
      const after = { ...now };
      for (const name of Object.keys(changes) as (keyof V)[]) {
        if (may(name, now)) Object.assign(after, { [name]: changes[name] });
      }
      return after;
    });
    setTold((before) => {
      const after = { ...before };
      for (const name of Object.keys(changes) as (keyof V)[]) delete after[name];
      return after;
    });
    key.current = newIdempotencyKey();
  };
  const forget = () => {
    isTyped.current = false;
    if (draft) dropDrafts(draft);
  };

  const focusFirst = (faults: Faults<V>) => {
    requestAnimationFrame(() => {
      const controls = [...(element.current?.elements ?? [])] as HTMLInputElement[];
      controls.find(({ name }) => faults[name as keyof V] !== undefined)?.focus();
    });
  };
  const refuse = (faults: Faults<V>) => {
    setTold(faults);
    focusFirst(faults);
  };

  const send = async () => {
    setState("BUSY");
    setProblem(null);
    try {
      const answer = await parts.send(values, key.current);
      setState("READY");
      forget();
      parts.done(answer);
    } catch (error) {
      setState(error instanceof NoAnswer ? "LOST" : "READY");
      if (error instanceof Held) return;
      if (!(error instanceof ApiProblem)) {
        const own = error instanceof Told ? error.message : ERRORS.detail;
        return setProblem({ words: error instanceof Declined ? ERRORS.declined : own, error });
      }
      const seen = parts.shown?.(values).map(({ name }) => name) ?? Object.keys(values);
      const own = error.errors.length === 0 ? parts.fieldOf?.(error) : undefined;
      const { faults, words } = faultsIn(error, seen as (keyof V & string)[], own);
      refuse(faults);
      setProblem(words === null ? null : { words, error });
    }
  };

  return {
    values,
    problem,
    faults: told,
    faultCount: Object.values(told).filter(Boolean).length,
    isBusy: state === "BUSY",
    isLost: state === "LOST",
    setFaults: setTold,
    isRestored: restored !== null,
    set(changes) {
      isTyped.current = true;
      put(changes);
    },
    suggest(changes, seen) {
      put(changes, (name, now) => now[name] === seen[name]);
    },
    discard() {
      forget();
      setRestored(null);
      put(parts.initial);
    },
    field(name) {
      return {
        name,
        value: String(values[name] ?? ""),
        fault: told[name],
        onInput: (value) => this.set({ [name]: value } as Partial<V>),
        onLeave: () => {
          const fault = values[name] ? parts.check?.(values)[name] : undefined;
          if (fault) setTold((before) => ({ ...before, [name]: fault }));
        },
      };
    },
    submit(event) {
      event?.preventDefault();
      if (event?.currentTarget instanceof HTMLFormElement) element.current = event.currentTarget;
      if (state === "BUSY") return;
      const faults = parts.check?.(values) ?? {};
      if (Object.values(faults).some(Boolean)) return refuse(faults);
      void send();
    },
  };
}
