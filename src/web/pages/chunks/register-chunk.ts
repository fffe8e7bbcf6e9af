// The register's pages: stakeholders, securities, classes and plans, the ledger; and the forms that lead there and back,
// guided actions and records that are made or changed. Apart, what both need makes parts of its own, 2 KiB more in all.
import { Page as classesAndPlans } from "../classes-and-plans/page.tsx";
import { Page as editRecord } from "../edit-record/page.tsx";
import { Page as entry } from "../entry/page.tsx";
import { Page as equityPlan } from "../equity-plan/page.tsx";
import { Page as ledger } from "../ledger/page.tsx";
import { Page as newRecord } from "../new-record/page.tsx";
import { Page as record } from "../record/page.tsx";
import { Page as registers } from "../registers/page.tsx";
import { Page as securities } from "../securities/page.tsx";
import { Page as security } from "../security/page.tsx";
import { Page as shareClass } from "../share-class/page.tsx";
import { Page as stakeholder } from "../stakeholder/page.tsx";
import { Page as stakeholders } from "../stakeholders/page.tsx";

export const PAGES = {
  stakeholders,
  stakeholder,
  securities,
  security,
  classesAndPlans,
  shareClass,
  equityPlan,
  ledger,
  entry,
  registers,
  record,
  newRecord,
  editRecord,
} as const;
