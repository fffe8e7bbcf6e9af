// Job planner: compares the wanted tokens of securities with those planned before, and records the operations between
// them in one commit. A planned operation counts as done, so it is never planned twice; changes of shares before their
// mint only change the minted amount.

import { present } from "../../kernel/assert.ts";
import type { Call } from "../../kernel/call.ts";
import { type Decimal, isDecimalText, max, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { ShareMovement } from "../../ledger/writes/enqueue.ts";
import { findAny } from "../../storage/database/records.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { classDigest, NO_LIMIT, operationKey } from "../chain/token/token.ts";
import { dropOperations, hasUnfinished, insertOperation, isKeyKnown, listUnfinished } from "./operation-store.ts";
import { type Move, planMoves } from "./plan.ts";
import { setProgress } from "./record.ts";
import { startTokenization } from "./retokenize.ts";
import { pageOfHolder, pageOfStock, setTokenStatus } from "./stock-store.ts";
import { changeJob, dropJobs, type Job } from "./store.ts";
import {
  changeToken,
  DEPLOYMENT_MS_MAX,
  findPosition,
  findToken,
  type Position,
  plannedSupply,
  storePosition,
} from "./token-store.ts";
import { holderAddress } from "./wallet-jobs.ts";

/** Securities planned in one commit: few, because requests and the command line wait to write. */
const PAGE = 20;
/** Securities of a holder searched for those of one class. */
const LOOKED_AT = 500;

/** A job during planning. */
interface Planning {
  readonly tx: Tx;
  readonly call: Call;
  readonly job: Job;
  /** The present state: a later job for the same shares then finds less to do. */
  readonly stockClass: Row<"share_classes">;
}

/** Plans one job. */
export function planJob(tx: Tx, call: Call, job: Job, nowMs: number): void {
  const stockClass = present(findAny(tx, "share_classes", job.orgId, job.stockClassId), "the job's class");
  const planning = { tx, call, job, stockClass };
  const payload = JSON.parse(job.payload);
  if (job.kind === "tokenize-class") planTokenization(planning, nowMs);
  else if (job.kind === "mirror-holder") planHolder(planning, payload);
  else if (job.kind === "mirror-class") planPage(planning, payload.after ?? 0);
  else planNamed(planning, payload);
}

/** A job's payload: an entry's movements, or securities; `keys`: how many keys its earlier parts used. */
interface Named {
  readonly movements?: readonly ShareMovement[];
  readonly securityIds?: readonly string[];
  readonly keys?: number;
}

/** Plans a job's securities, page by page if there are many, as in a split. */
function planNamed(planning: Planning, payload: Named): void {
  const { tx, job } = planning;
  const ids = payload.securityIds ?? [...new Set(payload.movements?.map(({ securityId }) => securityId))];
  const rest = ids.length > 2 * PAGE ? ids.slice(PAGE) : [];
  const some = ids.slice(0, ids.length - rest.length);
  const source = { id: job.transactionId ?? job.id, keys: payload.keys ?? 0 };
  const keys = planSecurities(planning, { ids: some, source, isLast: rest.length === 0 });
  if (rest.length > 0) changeJob(tx, job, { payload: JSON.stringify({ securityIds: rest, keys }) });
  else setProgress(tx, job);
}

function planTokenization(planning: Planning, nowMs: number): void {
  const { tx, call, job, stockClass } = planning;
  const { orgId, id, tokenizationStatus: status } = stockClass;
  const isNotRequested = status === "NOT_STARTED" && stockClass.isImported === 1;
  const isGone = stockClass.deletedAt !== null;
  // Otherwise jobs of its shares would wait for a token that is never deployed.
  if (isGone && status !== "DEPLOYED") dropJobs(tx, { orgId, stockClassId: id });
  else if (isGone || isNotRequested) changeJob(tx, job, { state: "DROPPED" });
  if (isGone || isNotRequested) return;
  if (status === "DEPLOYED") planSecurities(planning, { ids: [], source: { id: job.id, keys: 0 }, isLast: true });
  else {
    if (status !== "PENDING") startTokenization(tx, call, id);
    planDeployment(planning, nowMs);
  }
  setProgress(tx, job);
}

/** Plans the class's deployment, unless one is under way. */
function planDeployment({ tx, job, stockClass }: Planning, nowMs: number): void {
  const { orgId, id } = stockClass;
  const isUnderWay = listUnfinished(tx, { orgId, stockClassId: id }).some(
    ({ kind, state }) => kind === "deploy" && state !== "FAILED",
  );
  if (isUnderWay) return;
  dropOperations(tx, orgId, id, "deployments");
  const cap = capOf(stockClass);
  changeToken(tx, orgId, id, { authorized: String(cap), deadlineMs: nowMs + DEPLOYMENT_MS_MAX });
  insertOperation(tx, { ...effect(job, null), kind: "deploy", key: classDigest(orgId, id), amount: String(cap) });
}

/** The holder whose stock a job names, and the job's progress. */
interface OfHolder {
  readonly stakeholderId: string;
  readonly after?: number;
  readonly keys?: number;
}

/** Plans the next stock of the class that a holder has. */
function planHolder(planning: Planning, payload: OfHolder): void {
  const { tx, job, stockClass } = planning;
  const { orgId, id: jobId } = job;
  const { stakeholderId, after = 0, keys: known = 0 } = payload;
  const looked = pageOfHolder(tx, { orgId, stakeholderId, after, limit: LOOKED_AT });
  const ofClass = looked.filter(({ type, stockClassId }) => type === "STOCK" && stockClassId === stockClass.id);
  const some = ofClass.slice(0, PAGE);
  const isLast = looked.length < LOOKED_AT && some.length === ofClass.length;
  const ids = some.map(({ id }) => id);
  const keys = planSecurities(planning, { ids, source: { id: jobId, keys: known }, isLast });
  const last = (some.length < ofClass.length ? some : looked).at(-1);
  if (isLast || !last) setProgress(tx, job);
  else changeJob(tx, job, { payload: JSON.stringify({ stakeholderId, after: last.seq, keys }) });
}

/** Checks the next page of a class's stock: securities without a job of their own, as in an imported class. */
function planPage(planning: Planning, after: number): void {
  const { tx, job, stockClass } = planning;
  const { orgId } = job;
  const securities = pageOfStock(tx, { orgId, stockClassId: stockClass.id, after, limit: PAGE });
  for (const { id } of securities) {
    // Keys derive from the security, so that a ledger restored from a backup cannot mint the same shares twice.
    const isFirst = !isKeyKnown(tx, {
      orgId,
      stockClassId: stockClass.id,
      key: operationKey(orgId, `security:${id}`, 0),
    });
    const source = { id: isFirst ? `security:${id}` : `${job.id}:${id}`, keys: 0 };
    planSecurities(planning, { ids: [id], source, isLast: true });
  }
  const last = securities.at(-1);
  if (last && securities.length === PAGE) changeJob(tx, job, { payload: JSON.stringify({ after: last.seq }) });
  else setProgress(tx, job);
}

/** Some of a job's securities. */
interface SomeSecurities {
  readonly ids: readonly string[];
  /** The source of their keys, and how many it has given. */
  readonly source: { readonly id: string; readonly keys: number };
  /** Whether they are the job's last. */
  readonly isLast: boolean;
}

/** Plans some securities. Returns how many keys their source has given. */
function planSecurities(planning: Planning, { ids, source, isLast }: SomeSecurities): number {
  const { tx, call, job, stockClass } = planning;
  const { orgId, id: stockClassId } = stockClass;
  const was: Position[] = [];
  const wanted: Position[] = [];
  for (const id of ids) {
    const key = { orgId, stockClassId, securityId: id };
    const position = findPosition(tx, key);
    const goal = wantedPosition(tx, call, stockClassId, id);
    if (position) was.push(position);
    if (goal) wanted.push(goal);
    storePosition(tx, key, goal);
  }
  const moves = planMoves(was, wanted);
  const cap = capChange(tx, stockClass, isLast);
  let { keys } = source;
  const nextKey = () => operationKey(orgId, source.id, keys++);
  const setCap = () =>
    insertOperation(tx, { ...effect(job, null), kind: "setAuthorized", key: nextKey(), amount: String(cap?.to) });
  if (cap?.isRise) setCap();
  for (const move of moves) insertOperation(tx, { ...effect(job, move), kind: move.kind, key: nextKey() });
  if (cap && !cap.isRise) setCap();
  showStatus(planning, ids, { was, wanted, moves });
  return keys;
}

/** The tokens that a security should have in its class's token: null if it should have no tokens, or none yet. */
function wantedPosition(tx: Tx, call: Call, stockClassId: string, id: string): Position | null {
  const security = findAny(tx, "securities", call.orgId, id);
  if (!security || security.deletedAt !== null || security.isGated === 1) return null;
  if (security.type !== "STOCK" || security.status !== "ACTIVE" || security.stockClassId !== stockClassId) return null;
  const quantity = parseDecimal(security.quantity);
  if (quantity === ZERO || security.stakeholderId === null) return null;
  return { securityId: id, address: holderAddress(tx, call, security.stakeholderId), quantity };
}

/** Marks securities with new tokens as PENDING, and those that never had any and never will as without tokens. */
function showStatus(
  { tx, call }: Planning,
  ids: readonly string[],
  {
    was,
    wanted,
    moves,
  }: { readonly [N in "was" | "wanted"]: readonly Position[] } & { readonly moves: readonly Move[] },
): void {
  const had = new Set(was.map(({ securityId }) => securityId));
  const has = new Set(wanted.map(({ securityId }) => securityId));
  const receiving = new Set(moves.map(({ to }) => to?.securityId));
  for (const id of ids) {
    const security = findAny(tx, "securities", call.orgId, id);
    if (!security) continue;
    if (receiving.has(id)) setTokenStatus(tx, call, id, { tokenStatus: "PENDING", tokenError: null });
    else if (has.has(id) && !had.has(id)) setTokenStatus(tx, call, id, { tokenStatus: "MINTED", tokenError: null });
    else if (!has.has(id) && !had.has(id) && isNeverMinted(tx, security)) {
      setTokenStatus(tx, call, id, { tokenStatus: "NOT_APPLICABLE", tokenError: null });
    }
  }
}

function isNeverMinted(tx: Tx, security: Row<"securities">): boolean {
  const isOpen = security.status === "ACTIVE" && security.deletedAt === null;
  const waits = security.tokenStatus !== "MINTED" && security.tokenStatus !== "NOT_APPLICABLE";
  return !isOpen && waits && !hasUnfinished(tx, security.orgId, security.id);
}

/** The token's cap: the larger of authorized and outstanding; unlimited for a class without a cap. */
function capOf(stockClass: Row<"share_classes">): bigint {
  if (!isDecimalText(stockClass.currentSharesAuthorized)) return NO_LIMIT;
  const authorized = parseDecimal(stockClass.currentSharesAuthorized);
  const issued = parseDecimal(stockClass.issued);
  return max(authorized, issued);
}

/** Plans a change of the cap, and records it as planned; null if the cap stays. A decrease comes last. */
function capChange(
  tx: Tx,
  stockClass: Row<"share_classes">,
  isLast: boolean,
): { readonly to: Decimal; readonly isRise: boolean } | null {
  const { orgId, id } = stockClass;
  const before = BigInt(findToken(tx, { orgId, stockClassId: id })?.authorized ?? NO_LIMIT);
  const cap = capOf(stockClass);
  if (cap === before || (cap < before && !isLast)) return null;
  const supply = cap < before ? plannedSupply(tx, orgId, id) : ZERO;
  const to = max(cap, supply);
  if (to === before) return null;
  changeToken(tx, orgId, id, { authorized: String(to) });
  return { to, isRise: to > before };
}

function effect(job: Job, move: Move | null) {
  return {
    orgId: job.orgId,
    stockClassId: job.stockClassId,
    jobId: job.id,
    fromSecurityId: move?.from?.securityId ?? null,
    fromAddress: move?.from?.address ?? null,
    toSecurityId: move?.to?.securityId ?? null,
    toAddress: move?.to?.address ?? null,
    amount: String(move?.amount ?? 0n),
  };
}
