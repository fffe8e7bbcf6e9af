// The follower that keeps checkpoints: it is begun where an authority, a witness or an endpoint wants them.
import { hasCheckpointEndpoint, listCheckpointEndpoints } from "../../resources/webhook-endpoints/checkpoint-store.ts";
import type { Follower } from "../../storage/follow/follower.ts";
import type { KeeperParts } from "./keeper.ts";
import { addCosignatures, addStamp, keepCheckpoint } from "./tasks.ts";

/** The follower; `times` instead of the usual ones. */
export function keepingCheckpoints(times?: KeeperParts["times"]): Follower {
  return {
    name: "checkpoints",
    isWanted: (db, { tsaUrl, witnessFile }) => tsaUrl !== null || witnessFile !== null || hasCheckpointEndpoint(db),
    async begin(ground) {
      const [{ Keeper }, { readAuthority, readWitnessFile }] = await Promise.all([
        import("./keeper.ts"),
        import("./sources.ts"),
      ]);
      return new Keeper(ground, {
        authority: readAuthority(ground.settings),
        witnesses: readWitnessFile(ground.settings),
        isWanted: (orgId) => listCheckpointEndpoints(ground.db, { orgId }).length > 0,
        times,
      });
    },
    tasks: [keepCheckpoint, addStamp, addCosignatures],
  };
}
