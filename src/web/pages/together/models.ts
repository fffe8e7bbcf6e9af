// The models: rounds, exits, scenarios, and what the law asks of grants.
import { Page as compareScenarios } from "../compare-scenarios.tsx";
import { Page as compliance } from "../compliance.tsx";
import { Page as modelExit } from "../model-exit.tsx";
import { Page as modelRound } from "../model-round.tsx";
import { Page as models } from "../models.tsx";

export const PAGES = { models, modelRound, modelExit, compliance, compareScenarios } as const;
