// What a request may have to ask of the person before it is answered: to sign in again, or to confirm who they are. The
// dialogs over the page (frame/over-page/ask-forms.tsx) follow the store and answer.
import { Store } from "./store.ts";

/** Something that is asked; `answer` tells whether it was done. */
export interface Ask {
  readonly kind: "SIGN_IN" | "CONFIRM";
  answer(isDone: boolean): void;
}

/** What is asked at the moment. */
export const asked = new Store<Ask | null>(null);
let pending: { readonly kind: Ask["kind"]; readonly promise: Promise<boolean> } | null = null;

/** Asks, once for all requests that wait for the same; whether it was done. */
export async function ask(kind: Ask["kind"]): Promise<boolean> {
  while (pending !== null && pending.kind !== kind) await pending.promise;
  if (pending !== null) return pending.promise;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  pending = { kind, promise };
  asked.set({
    kind,
    answer(isDone) {
      pending = null;
      asked.set(null);
      resolve(isDone);
    },
  });
  return promise;
}
