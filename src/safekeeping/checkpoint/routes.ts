// The route of an organization's checkpoint: a copy kept elsewhere can show later that nothing was removed.
import { toTimestamp } from "../../kernel/runtime.ts";
import type { ReadRoute } from "../../resources/route.ts";
import { makeCheckpoint } from "./make.ts";
import type { Signer } from "./note.ts";

/** The route of checkpoints, signed by `signer`. */
export function checkpointRoute(signer: Signer): ReadRoute {
  return {
    method: "GET",
    path: "/api/v1/checkpoint",
    operationId: "getCheckpoint",
    tag: "Audit log",
    summary: "Get a checkpoint",
    description:
      "A signed note (C2SP, Ed25519) of where the ledger and the log stand. Kept elsewhere, it shows later whether " +
      "anything was removed or written anew: `captable verify --against FILE`.",
    role: "VIEWER",
    status: 200,
    isExtension: true,
    fileType: "text/plain",
    run: (db, { orgId, nowMs }) => ({ status: 200, plain: makeCheckpoint(db, orgId, toTimestamp(nowMs), signer).note }),
  };
}
