// The keeper of checkpoints, a follower: keeps one every ten minutes with news, and has it stamped by an authority and
// cosigned by witnesses. What fails is asked again later, and delays nothing else.
import { BackgroundLoop } from "../../kernel/threads/background-loop.ts";
import { listOrganizations } from "../../resources/organization/store.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import type { FollowGround, Following } from "../../storage/follow/follower.ts";
import { findNewestKept, findNewestStamped, type KeptCheckpoint } from "../checkpoint/kept-store.ts";
import { type Signer, signatureLine } from "../checkpoint/note.ts";
import { openSigningKey } from "../checkpoint/signing-key.ts";
import { CHAINS, type Chain, readTreeHead } from "../tree/tree-checkpoint.ts";
import { ChainTree } from "../tree/trees.ts";
import { isCosignedBy } from "../witness/cosignature.ts";
import type { Witness } from "../witness/witness-file.ts";
import { askForStamp } from "./ask-authority.ts";
import { askWitness } from "./ask-witness.ts";
import { hasNews, makeKept } from "./keep.ts";
import { onlyNote, treeNoteOf } from "./note-text.ts";
import { OutsideError } from "./outside.ts";
import type { Authority } from "./sources.ts";
import { addCosignatures, addStamp, keepCheckpoint } from "./tasks.ts";

/** How often checkpoints are kept and failures tried again. */
export interface KeeperTimes {
  readonly everyMs: number;
  /** Between two looks at all organizations. */
  readonly lookMs: number;
  /** After a first failure of an authority or a witness, and after further ones. */
  readonly againMs: number;
  readonly laterMs: number;
}

const TIMES: KeeperTimes = { everyMs: 600_000, lookMs: 30_000, againMs: 600_000, laterMs: 3_600_000 };
/** How many leaves are read before others get their turn. */
const LEAVES_AT_ONCE = 20_000;
const REST_MS = 2000;

/** What the keeper works with. */
export interface KeeperParts {
  readonly authority: Authority | null;
  readonly witnesses: readonly Witness[];
  /** Whether an organization's checkpoints are wanted though no authority and no witness is named. */
  isWanted(orgId: string): boolean;
  readonly times?: Partial<KeeperTimes> | undefined;
}

/** When an authority or a witness is asked again. */
class Patience {
  #failures = 0;
  #nextMs = Number.NEGATIVE_INFINITY;

  isOver(nowMs: number): boolean {
    return nowMs >= this.#nextMs;
  }

  succeed(): void {
    this.#failures = 0;
    this.#nextMs = Number.NEGATIVE_INFINITY;
  }

  fail(nowMs: number, { againMs, laterMs }: KeeperTimes): void {
    this.#nextMs = nowMs + (this.#failures === 0 ? againMs : laterMs);
    this.#failures += 1;
  }
}

/** Keeps checkpoints. */
export class Keeper implements Following {
  readonly #ground: FollowGround;
  readonly #parts: KeeperParts;
  readonly #times: KeeperTimes;
  readonly #signer: Signer;
  readonly #loop = new BackgroundLoop(() => this.#look());
  readonly #stopping = new AbortController();
  readonly #ofAuthority = new Patience();
  /** By the name of a witness that was silent, or by the place at which it refused. */
  readonly #ofWitnesses = new Map<string, Patience>();
  /** The size at which a witness last signed a tree, by its name and the tree's origin. */
  readonly #signedSizes = new Map<string, number>();

  constructor(ground: FollowGround, parts: KeeperParts) {
    this.#ground = ground;
    this.#parts = parts;
    this.#times = { ...TIMES, ...parts.times };
    this.#signer = openSigningKey(ground.settings.dataDir);
    this.#loop.start();
  }

  wake(): void {
    // Checkpoints come by the clock.
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop.stop();
  }

  get #nowMs(): number {
    return this.#ground.runtime.nowMs();
  }

  async #look(): Promise<number> {
    for (const { id } of listOrganizations(this.#ground.db)) {
      if (this.#loop.isStopping) break;
      try {
        await this.#lookAt(id);
      } catch (error) {
        if (!this.#loop.isStopping) this.#ground.trouble("a checkpoint could not be kept", error);
      }
    }
    return this.#times.lookMs;
  }

  async #lookAt(orgId: string): Promise<void> {
    const { db } = this.#ground;
    const { authority, witnesses } = this.#parts;
    if (authority === null && witnesses.length === 0 && !this.#parts.isWanted(orgId)) return;
    const newest = findNewestKept(db, { orgId });
    if (hasNews(db, orgId, newest) && this.#isDue(newest)) await this.#keep(orgId);
    const kept = findNewestKept(db, { orgId });
    if (kept === null) return;
    if (authority !== null) await this.#stamp(kept, authority);
    for (const witness of witnesses) {
      for (const chain of CHAINS) await this.#cosign(kept.orgId, kept.id, chain, witness);
    }
  }

  #isDue(newest: KeptCheckpoint | null): boolean {
    if (newest === null) return true;
    const age = this.#nowMs - Date.parse(newest.time);
    // A clock that was put back must not end the keeping.
    return age >= this.#times.everyMs || age < 0;
  }

  async #keep(orgId: string): Promise<void> {
    const { db, runtime, write, rest } = this.#ground;
    await rest(REST_MS);
    await this.#growTrees(orgId);
    const making = { signer: this.#signer, nowMs: runtime.nowMs(), id: runtime.newId() };
    const kept = inSnapshot(db, () => makeKept(db, orgId, making));
    await write(keepCheckpoint, kept);
  }

  /** Makes the first tree of a long history a piece at a time. */
  async #growTrees(orgId: string): Promise<void> {
    for (const chain of CHAINS) {
      const { size } = new ChainTree(this.#ground.db, orgId, chain);
      for (let upTo = LEAVES_AT_ONCE; upTo < size; upTo += LEAVES_AT_ONCE) {
        if (!new ChainTree(this.#ground.db, orgId, chain).grow(upTo)) continue;
        await this.#ground.rest(0);
        await Bun.sleep(0);
      }
    }
  }

  async #stamp(kept: KeptCheckpoint, authority: Authority): Promise<void> {
    const { db, write, trouble } = this.#ground;
    const { orgId, id } = kept;
    if (kept.stampedAt !== null || !this.#ofAuthority.isOver(this.#nowMs)) return;
    const last = findNewestStamped(db, { orgId })?.stampedAt ?? null;
    if (last !== null && Math.abs(this.#nowMs - Date.parse(last)) < authority.everyMs) return;
    try {
      const signature = await askForStamp(onlyNote(kept.note), authority, this.#stopping.signal);
      await write(addStamp, { orgId, id, lines: [signatureLine(signature).trimEnd()] });
      this.#ofAuthority.succeed();
    } catch (error) {
      if (this.#loop.isStopping) return;
      this.#ofAuthority.fail(this.#nowMs, this.#times);
      trouble(`the time stamp authority gives none: ${reasonOf(error)}`, error);
    }
  }

  async #cosign(orgId: string, id: string, chain: Chain, witness: Witness): Promise<void> {
    const { db, write, trouble } = this.#ground;
    const kept = findNewestKept(db, { orgId });
    if (kept?.id !== id) return;
    const note = onlyNote(treeNoteOf(kept, chain));
    const head = readTreeHead(note);
    if (head === null || head.size === 0) return;
    const { name } = witness.key;
    const place = `${name} ${head.origin}`;
    if (note.signatures.some((each) => isCosignedBy(note, each, witness.key))) {
      this.#signedSizes.set(place, head.size);
      return;
    }
    const isDue = [name, place].every((each) => this.#patienceWith(each).isOver(this.#nowMs));
    if (this.#loop.isStopping || !isDue) return;
    try {
      const tree = { note, size: head.size, prove: (oldSize: number) => this.#prove(orgId, chain, oldSize, head.size) };
      const oldSize = Math.min(head.size, this.#signedSizes.get(place) ?? 0);
      const cosigned = await askWitness(witness, tree, { oldSize, signal: this.#stopping.signal });
      const lines = cosigned.map((each) => signatureLine(each).trimEnd());
      await write(addCosignatures, { orgId, id, chain, lines });
      this.#signedSizes.set(place, head.size);
      for (const each of [name, place]) this.#patienceWith(each).succeed();
    } catch (error) {
      if (this.#loop.isStopping) return;
      // One that is silent is asked nothing else meanwhile: each question would take as long.
      const isSilence = error instanceof OutsideError && error.isSilence;
      const times = { ...this.#times, laterMs: this.#times.againMs };
      this.#patienceWith(isSilence ? name : place).fail(this.#nowMs, times);
      trouble(`the witness ${name} does not cosign ${head.origin} at ${head.size}: ${reasonOf(error)}`, error);
    }
  }

  #patienceWith(whom: string): Patience {
    const known = this.#ofWitnesses.get(whom) ?? new Patience();
    this.#ofWitnesses.set(whom, known);
    return known;
  }

  #prove(orgId: string, chain: Chain, oldSize: number, size: number) {
    const { db } = this.#ground;
    return inSnapshot(db, () => new ChainTree(db, orgId, chain).consistency(oldSize, size)) ?? [];
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
