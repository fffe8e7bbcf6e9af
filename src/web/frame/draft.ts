// Key of the draft of the page's form.
import { useState } from "preact/hooks";
import { session } from "../api/session.ts";
import { type DraftName, dropDrafts } from "../parts/forms/drafts.ts";

function nameNow(): DraftName {
  return { accountId: session.value?.account?.id ?? "", path: location.pathname, query: location.search };
}

/** Of whom, of which page, opened with which query; as it was when the form was opened. */
export function useDraftName(): DraftName {
  return useState(nameNow)[0];
}

/** Discards the draft of this page, when the user cancels. */
export function dropDraftsHere(): void {
  dropDrafts(nameNow());
}
