// The unpacked size of a package: what it adds to its organization's storage, as far as it is known before.
import { giveWay } from "../../../kernel/threads/give-way.ts";
import { itemsOf, type OcfPackage } from "../package.ts";

/** Objects counted between two turns of the event loop. */
const OBJECTS_A_TURN = 500;

/** The bytes of a package's objects as JSON. */
export async function bytesOfPackage(ocf: OcfPackage): Promise<number> {
  let [bytes, objects] = [0, 0];
  for (const { value } of itemsOf(ocf)) {
    bytes += Buffer.byteLength(JSON.stringify(value) ?? "");
    if (++objects % OBJECTS_A_TURN === 0) await giveWay();
  }
  return bytes;
}
