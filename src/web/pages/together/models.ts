// The models: rounds, exits, scenarios.
import { Page as compareScenarios } from "../compare-scenarios.tsx";
import { Page as modelExit } from "../model-exit.tsx";
import { Page as modelRound } from "../model-round.tsx";
import { Page as models } from "../models.tsx";

export const PAGES = { models, modelRound, modelExit, compareScenarios } as const;
