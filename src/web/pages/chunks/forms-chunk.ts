// The forms: guided actions, and records that are made or changed.
import { Page as editRecord } from "../edit-record/page.tsx";
import { Page as newRecord } from "../new-record/page.tsx";
import { Page as record } from "../record/page.tsx";

export const PAGES = { record, newRecord, editRecord } as const;
