// The forms: guided actions, and records that are made or changed.
import { Page as editRecord } from "../edit-record.tsx";
import { Page as newRecord } from "../new-record.tsx";
import { Page as record } from "../record.tsx";

export const PAGES = { record, newRecord, editRecord } as const;
