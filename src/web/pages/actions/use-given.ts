// Puts into a form what it gives its fields by itself, as what it depends on comes and changes.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Form } from "../../parts/forms/use-form.ts";
import { type Given, givenChanges } from "./given-values.ts";
import type { Facts, FieldSpec } from "./spec.ts";

interface Giving {
  readonly fields: readonly FieldSpec[];
  readonly facts: Facts;
  /** Whether the facts are there, and the form is one that is given anything. */
  readonly isOn: boolean;
}

/** The form; begun anew, its fields are given what they were at first. */
export function useGiven(held: Form<Record<string, string>>, { fields, facts, isOn }: Giving): typeof held {
  const [turn, setTurn] = useState(0);
  // What was given since the form was begun anew: an effect of a rendering before that must not stand for it.
  const before = useRef<{ readonly turn: number; readonly given: Given }>({ turn, given: {} });
  /** What was put in, until it is shown. */
  const put = useRef<Given>({});
  useEffect(() => {
    if (!isOn || held.isBusy || held.isLost) return;
    const was = before.current.turn === turn ? before.current.given : {};
    const { changes, given } = givenChanges(fields, held.values, facts, was);
    before.current = { turn, given };
    if (Object.keys(changes).length === 0) return;
    put.current = changes;
    held.suggest(changes, held.values);
  });
  // Where a user is in the field already, and has typed nothing yet, what is typed replaces what was put in.
  useLayoutEffect(() => {
    const { activeElement: field } = document;
    const value = field instanceof HTMLInputElement ? put.current[field.name] : undefined;
    if (field instanceof HTMLInputElement && value && held.values[field.name] === value) field.select();
    put.current = {};
  });
  const discard = () => {
    setTurn(turn + 1);
    held.discard();
  };
  return { ...held, discard };
}
