// The register's pages: stakeholders, securities, classes and plans, the ledger.
import { Page as classesAndPlans } from "../classes-and-plans.tsx";
import { Page as entry } from "../entry.tsx";
import { Page as equityPlan } from "../equity-plan.tsx";
import { Page as ledger } from "../ledger.tsx";
import { Page as securities } from "../securities.tsx";
import { Page as security } from "../security.tsx";
import { Page as shareClass } from "../share-class.tsx";
import { Page as stakeholder } from "../stakeholder.tsx";
import { Page as stakeholders } from "../stakeholders.tsx";

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
} as const;
