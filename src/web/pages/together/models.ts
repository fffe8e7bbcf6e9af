// The models: rounds, exits, scenarios.
import { Page as modelRound } from "../model-round.tsx";
import { Page as models } from "../models.tsx";

export const PAGES = { models, modelRound } as const;
