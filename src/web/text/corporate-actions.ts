// Texts of corporate actions: list, page and form.
import type { CorporateAction } from "../api/values.ts";
import type { Labels } from "./common.ts";
export const CORPORATE_ACTIONS = {
  title: "Corporate actions",
  loading: "corporate actions",
  noun: "corporate action",
  add: "New corporate action",
  name: "Title",
  type: "Kind",
  status: "State",
  date: "Day",
  summary: "Summary",
  types: {
    "Stock Split": "Split",
    "Reverse Split": "Reverse split",
    "Option Pool Change": "Option pool change",
    "Financing Round": "Financing round",
    "Instrument Conversion": "Conversion",
    Termination: "Termination",
  } satisfies Labels<typeof CorporateAction.type>,
  statuses: { Draft: "Draft", "In Review": "In review", Approved: "Approved", Finalized: "Finalized" } satisfies Labels<
    typeof CorporateAction.status
  >,
  recordOnly: "A record only: it changes no security.",
  goRecord: "Record its effects on securities:",
  notes: "Notes",
  board: "Approved by the board on",
  holders: "Approved by stockholders on",
  documents: "Documents",
  documentsHint: "The signed papers of this action.",
  noDocuments: "No documents.",
  untitled: "Untitled document",
  gone: "Deleted document",
  create: "Record corporate action",
  created: "Corporate action recorded",
  edit: "Edit",
  save: "Save corporate action",
  saved: "Corporate action saved",
  remove: "Delete",
  removeWords: "Deletes the corporate action. The audit log keeps a copy.",
  removed: "Corporate action deleted",
  toList: "All corporate actions",
} as const;
