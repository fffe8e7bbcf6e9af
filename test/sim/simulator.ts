// A whole service in a simulated world, from one seed: clients who retry, a chain that fails and forgets, crashes between
// any two steps and within commits (service.ts), clocks that jump, backups and restores. Nothing in it is in real time or at random.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLineCall } from "../../src/kernel/call.ts";
import { createKey } from "../../src/resources/api-keys/routes.ts";
import { insertOrganization } from "../../src/resources/organization/store.ts";
import { restoreBackup } from "../../src/safekeeping/backup/restore.ts";
import { takeBackup } from "../../src/safekeeping/backup/take.ts";
import { pruneAnswers } from "../../src/storage/database/idempotency.ts";
import { loadWork } from "../../src/tokens/jobs/loop.ts";
import { writeMigrated } from "../kit/migrated.ts";
import { Random } from "../kit/random.ts";
import { Memory } from "./checks.ts";
import { Client, type Organization, type PendingRequest, send } from "./clients.ts";
import { Clock } from "./clock.ts";
import { FakeChain, type Fate } from "./fake-chain.ts";
import { type Mood, Node } from "./node.ts";
import { catchUp } from "./quiescence.ts";
import { type DeliberateFault, Service, type Surroundings } from "./service.ts";
import { Trace, Violation } from "./trace.ts";
import { apart, nextTurn, slowDown } from "./turns.ts";

const ROUNDS_MAX = 20_000;
/** After which a service that is no more has finished whatever it was at. */
const DRAIN_TURNS = 120;
const DAY_MS = 86_400_000;
const CATCH_UP_ROUNDS = 100;
const ORGANIZATIONS = 2;
const CLIENTS_EACH = 2;
/** Memory, where the machine lends some as a disk. */
const ROOT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

const EVENTS = {
  requests: 40,
  work: 30,
  block: 14,
  reorganization: 6,
  mood: 5,
  gates: 4,
  price: 2,
  poolLost: 1,
  nonceSpent: 1,
  clock: 3,
  month: 1,
  crashSoon: 6,
  crashNow: 2,
  stop: 1,
  backup: 2,
  restore: 1,
  rewind: 1,
  chainReset: 0.2,
  ask: 4,
} as const;

/** What does not happen to a chain that has each transaction in a block at once. */
const OF_WAITING: readonly string[] = ["block", "reorganization", "price", "poolLost", "nonceSpent"];

const MOODS: Readonly<Record<Mood, number>> = {
  calm: 8,
  flaky: 3,
  slow: 3,
  down: 1,
  lossy: 3,
  poor: 1,
  stale: 2,
  refusing: 1,
};

interface Backup {
  readonly file: string;
  readonly mark: ReturnType<Memory["mark"]>;
  readonly lastWrite: number;
}

/** One simulated world. */
export class Simulation {
  readonly random: Random;
  readonly clock: Clock;
  readonly trace = new Trace();
  readonly memory = new Memory();
  readonly chain: FakeChain;
  readonly node: Node;
  readonly around: Surroundings;
  readonly clients: Client[] = [];
  readonly organizations: Organization[] = [];
  /** False once a restored ledger went on before it knew what the chain has. */
  isMirrorExact = true;
  readonly #root: string;
  readonly #speedUp: () => void;
  #lives = 0;
  #service: Service | null = null;
  #isWorking = false;
  #backups: Backup[] = [];

  constructor(seed: number, planted: DeliberateFault | null = null) {
    this.random = new Random(seed);
    this.clock = new Clock(this.random);
    const confirmations = this.random.pick([1, 3, 6, 13]);
    this.chain = new FakeChain(confirmations);
    this.chain.isDoubling = planted === "double mints";
    this.node = new Node(this.chain, this.random.chance(0.2), this.random, this.trace);
    this.around = {
      clock: this.clock,
      node: this.node,
      random: this.random,
      trace: this.trace,
      chain: { confirmations, batchMax: this.random.pick([1, 3, 20]) },
      crashIn: null,
      violation: null,
      planted,
    };
    this.#root = mkdtempSync(join(ROOT, "captable-sim-"));
    this.#speedUp = slowDown();
  }

  /** The service as it lives now. */
  get service(): Service {
    if (this.#service === null) throw new Error("the simulation has not begun");
    return this.#service;
  }

  /** Makes the organizations, their keys and their clients. */
  async begin(): Promise<void> {
    // What is loaded in the middle of a simulation would come when it comes.
    await loadWork();
    mkdirSync(this.#folder(0), { mode: 0o700 });
    await writeMigrated(this.#folder(0));
    await this.#open();
    for (let index = 0; index < ORGANIZATIONS; index++) {
      const call = commandLineCall(this.clock, this.clock.newId());
      const key = await this.service.writer.submit((tx) => {
        insertOrganization(tx, call, { legalName: `Org ${index}`, isNamed: 1 });
        return createKey(tx, call, "test", { name: "simulated", role: "ADMIN" }).key;
      });
      const organization = { id: call.orgId, key };
      this.organizations.push(organization);
      for (let client = 0; client < CLIENTS_EACH; client++) {
        const name = `${"AB"[index]}${client}`;
        this.clients.push(new Client(name, organization, this.random, this.clock, this.trace));
      }
    }
  }

  /** Lets `count` things happen, and looks at what must hold after most. */
  async live(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const event = index < 4 ? "requests" : this.random.weighted(EVENTS);
      this.trace.note(`event ${event}`);
      await this.#happen(event);
      await this.#recover();
      this.clock.pass(this.random.below(400));
      if (index % 6 === 5) this.check();
    }
    this.check();
  }

  /** Holds what was acknowledged against what is on disk. */
  check(): void {
    if (this.around.violation) throw this.around.violation;
    this.memory.check(this.service.probe);
  }

  /** Ends the world. */
  async end(): Promise<void> {
    if (this.#service) {
      this.#service.isDead = true;
      await this.settle(DRAIN_TURNS);
      this.#service.close();
    }
    this.#speedUp();
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #happen(event: keyof typeof EVENTS): Promise<void> {
    const { random, chain, node, clock } = this;
    if (node.isInstant && OF_WAITING.includes(event)) return;
    switch (event) {
      case "requests":
        return this.exchange(random.chance(0.25) ? 0.4 : 0.1);
      case "work":
        return this.work(random.between(1, 6));
      case "block":
        return this.mine(random.between(1, 4));
      case "reorganization": {
        const depth = random.between(1, 12);
        const gone = chain.reorganize(depth, random.chance(0.3), Math.max(0, depth + random.between(-1, 1)));
        return this.trace.note(`reorganized ${gone} of ${depth}, head ${chain.head}`);
      }
      case "mood":
        node.mood = random.weighted(MOODS);
        return this.trace.note(`mood ${node.mood}`);
      case "gates":
        node.openGates();
        return this.settle();
      case "price":
        chain.price = BigInt(random.between(5, 40));
        return;
      case "poolLost":
        return chain.forgetPool();
      case "nonceSpent":
        return chain.spendNonce();
      case "clock":
        return clock.set(random.pick([-DAY_MS, -3_600_000, -1000, 1000, 3_600_000, DAY_MS, 20 * 60_000]));
      case "month":
        return this.#passMonth();
      case "crashSoon":
        this.around.crashIn = random.below(25);
        return;
      case "crashNow":
        this.service.crash("between steps");
        return this.#recover();
      case "stop":
        return this.#stop();
      case "backup":
        return this.#backUp();
      case "restore":
        return this.#restore();
      case "rewind":
        return this.#rewind();
      case "chainReset":
        return chain.reset();
      case "ask":
        return random.chance(0.5) ? this.#askAgain() : this.#askForForeign();
    }
  }

  /** Several clients send at once, while the background work goes on. */
  async exchange(loss: number): Promise<void> {
    const acting = this.clients.filter(() => this.random.chance(0.6));
    if (this.random.chance(0.5)) this.#startStep();
    await this.#act(acting, loss);
  }

  /** Each client that waits for an answer asks once more. */
  async exchangeUnanswered(): Promise<void> {
    await this.#act(
      this.clients.filter(({ inHand }) => inHand !== null),
      0,
    );
  }

  async #act(acting: readonly Client[], loss: number): Promise<void> {
    const { service } = this;
    const notices: ((() => PendingRequest | null) | null)[] = [];
    let left = acting.length;
    for (const [index, client] of acting.entries()) {
      await apart();
      client
        .act(service, loss)
        .then((notice) => {
          notices[index] = notice;
        })
        .catch((error: Error) => {
          if (!service.isDead) this.around.violation ??= error;
        })
        .finally(() => left--);
    }
    await this.settle(ROUNDS_MAX, () => left === 0);
    for (const notice of notices) {
      const pending = notice?.();
      if (pending) this.memory.settled.push(pending);
    }
    await this.#recover();
  }

  /** Takes steps of the background work. */
  async work(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      this.#startStep();
      await this.settle();
      await this.#recover();
    }
  }

  /** Makes blocks; what gets into them may fail there. */
  mine(blocks: number, trouble = 0.12): void {
    const fate = () => (this.random.chance(trouble) ? this.random.pick<Fate>(["reverts", "hollow"]) : "normal");
    for (let block = 0; block < blocks; block++) this.trace.note(`block ${this.chain.mine(fate)}`);
  }

  /** Lets the event loop turn until nothing is under way but what waits for the node, or the service is dead. */
  async settle(roundsMax = ROUNDS_MAX, isAnswered = () => true): Promise<void> {
    for (let round = 0; round < roundsMax; round++) {
      await nextTurn();
      const isResting = !this.#isWorking || this.node.gates.length > 0;
      if (isAnswered() && (isResting || this.service.isDead)) return;
    }
    if (roundsMax === ROUNDS_MAX) throw new Violation("a request or a step of the background work does not end");
  }

  #startStep(): void {
    if (this.#isWorking || this.service.isDead) return;
    const { service } = this;
    this.#isWorking = true;
    service.jobs
      .step()
      .then((waitMs) => {
        if (service.isDead) return;
        this.clock.pass(waitMs);
        this.trace.note(`step ${waitMs}`);
      })
      .catch((error: Error) => {
        if (!service.isDead) this.around.violation ??= error;
      })
      .finally(() => {
        if (service === this.#service) this.#isWorking = false;
      });
  }

  #folder(life: number): string {
    return join(this.#root, String(life));
  }

  async #open(): Promise<void> {
    const life = this.#lives++;
    this.#isWorking = false;
    this.#service = await Service.open(this.#folder(life), this.#folder(life + 1), this.around);
  }

  /** Opens the service again, where it has crashed. */
  async #recover(): Promise<void> {
    const { service } = this;
    if (!service.isDead) return;
    this.around.crashIn = null;
    this.node.gates.length = 0;
    for (let round = 0; round < DRAIN_TURNS; round++) await nextTurn();
    service.close();
    await this.#open();
    this.check();
  }

  async #finishStep(): Promise<void> {
    this.around.crashIn = null;
    while (this.#isWorking) {
      this.node.openGates();
      await this.settle();
    }
  }

  async #stop(): Promise<void> {
    await this.#finishStep();
    await this.service.stop();
    await this.#recover();
  }

  /** A month passes, and old answers are forgotten; clients who still wait would not wait so long. */
  async #passMonth(): Promise<void> {
    if (this.clients.some(({ inHand }) => inHand !== null)) return;
    await this.#finishStep();
    this.clock.pass(32 * DAY_MS);
    await this.service.writer.submit((tx) => pruneAnswers(tx, this.clock.nowMs(), 1000));
  }

  #lastWrite(): number {
    const last = this.service.probe.sqlite.prepare("SELECT max(seq) FROM audit_log WHERE actor = 'api-key'").pluck();
    return Number(last.get());
  }

  async #backUp(): Promise<void> {
    this.check();
    const file = join(this.#root, `backup-${this.#backups.length}`);
    await takeBackup(this.service.folder, file, this.clock.nowMs(), () => undefined);
    this.#backups.push({ file, mark: this.memory.mark(), lastWrite: this.#lastWrite() });
  }

  /** Restores the newest backup, or more rarely one that lacks what was written since. */
  async #restore(): Promise<void> {
    const index = this.#backups.findLastIndex(({ lastWrite }) => lastWrite === this.#lastWrite());
    const backup = index < 0 && this.random.chance(0.3) ? this.#backups.at(-1) : this.#backups[index];
    if (!backup) return;
    await this.#finishStep();
    await this.service.stop();
    const folder = this.#folder(this.#lives);
    await restoreBackup(backup.file, folder, { isForced: true, nowMs: this.clock.nowMs(), onStage: () => undefined });
    this.trace.note(`restored ${index < 0 ? "an older state" : "what was there"}`);
    this.memory.goBack(backup.mark);
    this.#backups.length = this.#backups.indexOf(backup) + 1;
    await this.#recover();
    // What is written before the work has caught up with a chain that is ahead may differ there, and is then reported.
    const isPatient = index >= 0 && this.random.chance(0.7);
    const isCaughtUp = isPatient && (await catchUp(this, CATCH_UP_ROUNDS, true));
    this.isMirrorExact &&= isCaughtUp;
  }

  /** Forgets what the background work did since a backup: the chain remembers, so nothing may happen twice. */
  async #rewind(): Promise<void> {
    await this.#backUp();
    await this.work(this.random.between(1, 12));
    if (!this.node.isInstant) this.mine(this.random.below(4));
    await this.work(this.random.between(1, 6));
    await this.#restore();
  }

  /** Sends a request again that was answered long ago: the answer is the same, and nothing happens. */
  async #askAgain(): Promise<void> {
    const young = this.memory.settled.filter(({ key, answer }) => key !== null && (answer?.status ?? 400) < 300);
    const pending = this.random.maybe(young);
    const organization = this.organizations.find(({ id }) => id === pending?.orgId);
    if (!pending || !organization || !this.#isKept(pending.key)) return;
    this.around.crashIn = null;
    const { wish, key, answer } = pending;
    const seen = await send(this.service, organization, wish.method, wish.path, { key, body: wish.body });
    if (seen?.isReplayed && seen.body === answer?.body) return;
    throw new Violation(`I2: ${wish.path} ${key} was answered anew: ${seen?.status} ${seen?.body}`);
  }

  #isKept(key: string | null): boolean {
    return this.service.probe.sqlite.prepare("SELECT 1 FROM idempotency_keys WHERE key = ?").get(key) !== undefined;
  }

  /** I9: what belongs to others looks like what never was. */
  async #askForForeign(): Promise<void> {
    const [mine, theirs] = this.random.chance(0.5) ? this.organizations : this.organizations.toReversed();
    const table = this.random.pick(["securities", "stakeholders", "share_classes", "transactions"]);
    const foreign = this.service.probe.sqlite
      .prepare<[string], string>(`SELECT id FROM ${table} WHERE orgId = ? ORDER BY seq DESC LIMIT 1`)
      .pluck()
      .get(theirs?.id ?? "");
    if (!foreign || !mine) return;
    this.around.crashIn = null;
    const requestId = this.clock.newId();
    const ask = (id: string) => send(this.service, mine, "GET", `/${table.replace("_", "-")}/${id}`, { requestId });
    const [one, other] = [await ask(foreign), await ask(this.clock.newId())];
    if (one?.status === 404 && one.body === other?.body) return;
    throw new Violation(`I9: a foreign id of ${table} was answered ${one?.status} ${one?.body}`);
  }
}
