// Specs of actions on holdings: transfer, exercise, cancel, repurchase, convert, retract, correct, leaver.

import { CancelRequest, ExerciseRequest, TerminateServiceRequest } from "../../../api/values.ts";
import { GIVEN } from "../../../text/actions/given-words.ts";
import type { ActionSpec, GuidedField } from "../spec.ts";
import {
  ALL_OF_IT,
  BOARD,
  DATE,
  HOLDER,
  NOTE,
  paper,
  QUANTITY,
  REASON,
  securityFor,
  TO_POOL,
  VESTED,
} from "./common-specs.ts";

export const transfer: ActionSpec = {
  operation: "transfer",
  groups: [
    { name: "what", fields: [securityFor("transfer"), ALL_OF_IT, { name: "toStakeholderId", kind: "holder" }] },
    {
      name: "when",
      fields: [
        DATE,
        { name: "pricePerShare", kind: "decimal", isOptional: true, isBeside: true },
        { name: "transferReason", kind: "text", isOptional: true },
        VESTED,
      ],
    },
    paper(),
  ],
  also: (_, { security }) => ({ fromStakeholderId: security?.stakeholderId ?? undefined }),
};

const EXERCISED: GuidedField = {
  ...QUANTITY,
  given: (_, { exercisable }) => exercisable,
  note: (_, { exercisable }) => (exercisable === null ? undefined : GIVEN.exercisable(exercisable)),
};

export const exercise: ActionSpec = {
  operation: "exercise",
  groups: [
    {
      name: "what",
      fields: [
        securityFor("exercise"),
        EXERCISED,
        {
          name: "exercisePrice",
          kind: "decimal",
          isBeside: true,
          given: (_, { security }) => security?.exercisePrice,
          // The grant says it; one that was imported may not.
          isFixed: ({ exercisePrice }, { security }) =>
            security !== null && security.exercisePrice !== null && security.exercisePrice === exercisePrice,
        },
        {
          name: "paymentMethod",
          kind: "choice",
          choices: ExerciseRequest.paymentMethod,
          given: () => "CASH",
        },
        {
          name: "fairMarketValue",
          kind: "decimal",
          isOptional: true,
          isBeside: true,
          isShown: ({ paymentMethod }) => paymentMethod === "NET_EXERCISE",
        },
        {
          name: "resultingQuantity",
          kind: "decimal",
          isPositive: true,
          isOptional: true,
          isShown: ({ paymentMethod }) => paymentMethod === "NET_EXERCISE",
          note: () => GIVEN.net,
        },
        {
          name: "stockClassId",
          kind: "class",
          isOptional: true,
          isShown: (_, { security }) => security?.type === "WARRANT" && security.stockClassId === null,
        },
        {
          name: "earlyExercise",
          kind: "check",
          isShown: ({ paymentMethod }, { vesting }) =>
            vesting !== null && vesting.unvested !== "0" && paymentMethod !== "NET_EXERCISE",
        },
      ],
    },
    { name: "when", fields: [DATE] },
    paper(),
  ],
};

export const cancel: ActionSpec = {
  operation: "cancel",
  groups: [
    {
      name: "what",
      fields: [
        securityFor("cancel"),
        ALL_OF_IT,
        {
          name: "cancellationReason",
          kind: "choice",
          choices: CancelRequest.cancellationReason,
          isBeside: true,
        },
        VESTED,
        TO_POOL,
      ],
    },
    { name: "when", fields: [DATE] },
    paper(),
  ],
};

export const repurchase: ActionSpec = {
  operation: "repurchase",
  groups: [
    {
      name: "what",
      fields: [
        securityFor("repurchase"),
        ALL_OF_IT,
        {
          name: "pricePerShare",
          kind: "decimal",
          isBeside: true,
          given: (_, { security }) => security?.pricePerShare ?? security?.exercisePrice,
        },
        VESTED,
        TO_POOL,
      ],
    },
    { name: "when", fields: [DATE] },
    paper(),
  ],
};

/** A member of the security that a correction may set; left empty, it stays. */
const corrected = (field: GuidedField): GuidedField => ({ ...field, isOptional: true });

export const correct: ActionSpec = {
  operation: "correct",
  groups: [
    {
      name: "what",
      fields: [
        // As what can be retracted: every type.
        securityFor("retract"),
        REASON,
        corrected(QUANTITY),
        {
          ...corrected({ name: "pricePerShare", kind: "decimal" }),
          isShown: (_, { security }) => security?.type === "STOCK",
        },
        {
          ...corrected({ name: "exercisePrice", kind: "decimal" }),
          isShown: (_, { security }) => security?.type === "STOCK_OPTION" || security?.type === "WARRANT",
        },
        corrected({ name: "totalConsideration", kind: "decimal" }),
        corrected(HOLDER),
      ],
    },
  ],
};

export const convert: ActionSpec = {
  operation: "convert",
  makes: "STOCK",
  groups: [
    {
      name: "what",
      fields: [
        securityFor("convert"),
        { ...ALL_OF_IT, isOptional: true },
        { name: "stockClassId", kind: "class" },
        {
          name: "resultingQuantity",
          kind: "decimal",
          isPositive: true,
          isOptional: true,
          isBeside: true,
          note: (_, { security }) => (security?.type === "STOCK" ? GIVEN.byRight : undefined),
        },
        {
          name: "notByRight",
          kind: "check",
          isShown: ({ resultingQuantity }, { security }) => security?.type === "STOCK" && Boolean(resultingQuantity),
        },
        { name: "pricePerShare", kind: "decimal", isOptional: true },
        {
          name: "certificateId",
          kind: "text",
          isOptional: true,
          isBeside: true,
          given: (_, { nextCertificate }) => nextCertificate,
        },
      ],
    },
    { name: "when", fields: [DATE] },
    paper(),
  ],
};

export const terminateService: ActionSpec = {
  operation: "terminate-service",
  groups: [
    {
      name: "what",
      fields: [
        { ...HOLDER, isKnown: true },
        DATE,
        {
          name: "cancellationReason",
          kind: "choice",
          choices: TerminateServiceRequest.cancellationReason,
          isBeside: true,
          given: () => "TERMINATION",
        },
        { name: "exerciseWithinDays", kind: "whole", isOptional: true, given: () => "90" },
        {
          name: "continues",
          kind: "many",
          isOptional: true,
          isShown: (values, { leaving }) => leaving.length > 0 || Boolean(values.continues),
        },
      ],
    },
    { name: "paper", fields: [BOARD, NOTE] },
  ],
};
