// The models: rounds, exits, scenarios, and what the law asks of grants.
import { Page as compareScenarios } from "../compare-scenarios/page.tsx";
import { Page as compliance } from "../compliance/page.tsx";
import { Page as modelExit } from "../model-exit/page.tsx";
import { Page as modelRound } from "../model-round/page.tsx";
import { Page as models } from "../models/page.tsx";

export const PAGES = { models, modelRound, modelExit, compliance, compareScenarios } as const;
