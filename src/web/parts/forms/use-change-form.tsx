// A form that changes a record, while other people may change it as well: what they changed is compared by member with what
// was typed, so that neither is overwritten unseen, and nothing is sent again by itself.
import { useEffect, useRef, useState } from "preact/hooks";
import { isGone, isStale } from "../../api/problem.ts";
import type { Query } from "../../api/query.ts";
import type { Tagged } from "../../api/tagged.ts";
import { CHANGES } from "../../text/actions/changes.ts";
import { Notice } from "../notice.tsx";
import { isSame, merge } from "./merging.ts";
import { type Dispute, type Form, type FormParts, Held, useForm } from "./use-form.ts";

/** What a form changes: a record as it was compared with last, the values that it has in the form, and its tag. */
export interface Basis<R, V> extends Tagged<R> {
  readonly values: V;
}

/** Where a form that changes a record gets it. */
export interface Changing<R, V> {
  /** The record as it is known now. */
  readonly tagged: Tagged<R>;
  readonly query: Pick<Query<Tagged<R>>, "error" | "reload">;
  readonly valuesOf: (record: R) => V;
  /** Whether its answer changes by itself, such as with when a person was last seen: it is read again before it is sent. */
  readonly isOfMoment?: boolean | undefined;
  /** What a member is called. */
  readonly labelOf: (name: string) => string;
}

interface Current<T> {
  current: T;
}

/** Both values of a member, and which was chosen. */
type Open = Pick<Dispute, "yours" | "theirs" | "choice">;
type Opened<V> = { readonly [N in keyof V]?: Open };

/** What the form changes, from when it was opened on. */
export function useBasis<R, V>({ tagged, valuesOf }: Changing<R, V>): Current<Basis<R, V>> {
  const [first] = useState(() => ({ ...tagged, values: valuesOf(tagged.record) }));
  return useRef(first);
}

/** Holds a form that begins with `basis`, and sends with its tag. */
export function useChangeForm<R, V extends object, T>(
  parts: Omit<FormParts<V, T>, "initial" | "draft">,
  changing: Changing<R, V>,
  basis: Current<Basis<R, V>>,
): Form<V> {
  const { query, labelOf } = changing;
  const [opened, setOpened] = useState<Opened<V>>({});
  const [isHeld, setHeld] = useState(false);
  const namesOf = (of: object) => Object.keys(of) as (keyof V & string)[];
  const form = useForm<V, T>({
    ...parts,
    initial: basis.current.values,
    check(values) {
      const isOpen = (name: keyof V) => opened[name]?.choice === null && !isSame(values[name], opened[name].theirs);
      const unsettled = namesOf(opened).filter(isOpen);
      return { ...parts.check?.(values), ...Object.fromEntries(unsettled.map((name) => [name, CHANGES.fault])) };
    },
    async send(values, key) {
      setHeld(false);
      const now = (changing.isOfMoment && (await query.reload())) as Tagged<R> | undefined;
      const { values: began } = basis.current;
      if (now && isSame(changing.valuesOf(now.record), began)) basis.current = { ...now, values: began };
      try {
        const answer = await parts.send(values, key);
        basis.current = { ...basis.current, values };
        seen.isOwn = true;
        await query.reload();
        return answer;
      } catch (error) {
        if (isStale(error) || isGone(error)) await query.reload();
        if (!isStale(error)) throw error;
        setHeld(true);
        throw new Held();
      }
    },
  });
  const seen = useNews(form, changing, basis, setOpened);
  const disputes: { [N in keyof V]?: Dispute } = {};
  for (const name of namesOf(opened)) {
    const { yours: before, theirs, choice } = opened[name] as Open;
    const isTheirs = isSame(form.values[name], theirs);
    const yours = isTheirs ? before : form.values[name];
    disputes[name] = {
      ...{ label: labelOf(name), yours, theirs, choice: isTheirs ? "THEIRS" : choice && "YOURS" },
      choose(next) {
        setOpened({ ...opened, [name]: { yours, theirs, choice: next } });
        form.set({ [name]: next === "THEIRS" ? theirs : yours } as Partial<V>);
      },
    };
  }
  const { values: began } = basis.current;
  const isTouched = namesOf(form.values).some((name) => !isSame(form.values[name], began[name]));
  const members = [...new Set(seen.changed.map(labelOf))];
  const isDisputed = namesOf(opened).length > 0;
  const isDeleted = isGone(query.error);
  useEffect(() => {
    if (isDeleted) form.setFaults({});
  }, [isDeleted]);
  const above = isDeleted ? <Deleted /> : <Changed {...{ members, isHeld, isTouched, isDisputed }} />;
  return { ...form, disputes: isDeleted ? {} : disputes, above, isDeleted };
}

/** Takes in what others have changed, each time the record was read again. */
function useNews<R, V extends object>(
  form: Form<V>,
  { tagged, valuesOf }: Changing<R, V>,
  basis: Current<Basis<R, V>>,
  setOpened: (next: (before: Opened<V>) => Opened<V>) => void,
) {
  type Name = keyof V & string;
  const { current: seen } = useRef({
    tagged,
    /** Members that another person has changed since the form was opened, or saved. */
    changed: [] as readonly Name[],
    /** What was put in, until it is shown. */
    taken: {} as Partial<V>,
    /** Whether what is read next was saved here. */
    isOwn: false,
  });
  const { values, isBusy, isLost } = form;
  const dispute = (names: readonly Name[], theirs: Partial<V>, isStill: (name: Name) => boolean) =>
    setOpened((before) => {
      const still = Object.entries(before).filter(([name]) => isStill(name as Name));
      const more = names.map((name) => [name, { yours: values[name], theirs: theirs[name], choice: null }]);
      return Object.fromEntries([...still, ...more]) as Opened<V>;
    });
  // What was typed at the same moment stands, and is disputed.
  useEffect(() => {
    const { taken } = seen;
    const typed = (Object.keys(taken) as Name[]).filter((name) => !isSame(values[name], taken[name]));
    seen.taken = {};
    if (typed.length > 0) dispute(typed, taken, () => true);
  }, [values]);
  useEffect(() => {
    if (seen.tagged === tagged || isBusy || isLost) return;
    const { values: began } = basis.current;
    const theirs = valuesOf(tagged.record);
    const { taken, disputed } = merge<V>(began, values, theirs);
    const names = [...(Object.keys(taken) as Name[]), ...disputed];
    const changed = seen.isOwn ? [] : [...new Set([...seen.changed, ...names])];
    dispute(disputed, theirs, (name) => !seen.isOwn && isSame(theirs[name], began[name]));
    Object.assign(seen, { tagged, taken, changed, isOwn: false });
    basis.current = { ...tagged, values: theirs };
    form.suggest(taken, values);
  }, [tagged, isBusy, isLost]);
  return seen;
}

function Deleted() {
  return (
    <Notice tone="bad" title={CHANGES.deleted}>
      {CHANGES.deletedWords}
    </Notice>
  );
}

interface ChangedProps {
  readonly members: readonly string[];
  /** Whether a change was refused because of it. */
  readonly isHeld: boolean;
  /** Whether there is something to save. */
  readonly isTouched: boolean;
  readonly isDisputed: boolean;
}

/** What another person has changed, and what that means for what was typed. */
function Changed({ members, isHeld, isTouched, isDisputed }: ChangedProps) {
  const saving = isTouched ? CHANGES.notSaved : CHANGES.nothingLeft;
  const words = [isHeld && saving, isDisputed ? CHANGES.choose : !isHeld && CHANGES.taken];
  return (
    <div class="changed" role="status">
      {(isHeld || members.length > 0) && (
        <Notice tone="warn" title={members.length > 0 ? CHANGES.changed(members) : CHANGES.changedMeanwhile}>
          {words.filter(Boolean).join(" ")}
        </Notice>
      )}
    </div>
  );
}
