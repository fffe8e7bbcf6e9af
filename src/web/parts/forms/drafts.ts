// Drafts of forms: a form's values stay in this tab until they are sent or discarded, or the user signs out, so a reload
// or a wrong click loses nothing. A draft's key names its account, so another account never gets it.

const PREFIX = "draft";

/** Whose form it is, of which page, opened with which query. */
export interface DraftName {
  readonly accountId: string;
  readonly path: string;
  readonly query: string;
}

/** What is kept of a form. */
export interface Draft<V> {
  readonly values: V;
  /** Its idempotency key, so that what was sent already is recorded once. */
  readonly key: string;
  /** Whether it was sent, and no answer has come. */
  readonly isSent: boolean;
}

const ofPage = ({ accountId, path }: DraftName) => `${PREFIX} ${accountId} ${path}?`;
const keyOf = (name: DraftName) => ofPage(name) + name.query;

/** The draft of a form; null without one. */
export function draftOf<V>(name: DraftName): Draft<V> | null {
  const text = sessionStorage.getItem(keyOf(name));
  return text === null ? null : (JSON.parse(text) as Draft<V>);
}

/** Keeps what a form holds. */
export function keepDraft<V>(name: DraftName, draft: Draft<V>): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(draft));
  } catch {
    // Without room for it the form works all the same.
  }
}

function dropWhere(isGone: (key: string) => boolean): void {
  for (const key of Object.keys(sessionStorage)) if (isGone(key)) sessionStorage.removeItem(key);
}

/** Drops the drafts of a page, whatever it was opened with. */
export function dropDrafts(name: DraftName): void {
  dropWhere((key) => key.startsWith(ofPage(name)));
}

/** Drops the drafts of everybody else. */
export function dropDraftsOfOthers(accountId: string): void {
  dropWhere((key) => key.startsWith(`${PREFIX} `) && !key.startsWith(`${PREFIX} ${accountId} `));
}
