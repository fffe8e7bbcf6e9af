// A disk that may lose what was not flushed: from a trace of system calls, what a folder can hold after the power fails
// at a given moment. Flushed bytes are there; of the others any part may be, down to single sectors, in any order. A
// name is certain once its folder was flushed. The file systems in use lose less, as they keep more of the order.
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { bytesOf, type SystemCall } from "./trace.ts";

const SECTOR = 512;
/** What strace adds to the name of a file that has none any more. */
const DELETED = "(deleted)";

/** A change of a file's bytes. */
interface Change {
  readonly at: number;
  readonly end: number;
  readonly offset: number;
  /** Null cuts the file off at `offset`. */
  readonly bytes: Buffer | null;
}

/** A file or a folder, whatever its name. */
interface Node {
  readonly isFolder: boolean;
  readonly changes: Change[];
  readonly flushes: SystemCall[];
}

/** A change of names: each path is given to a node, or (null) to none. */
interface Naming {
  readonly at: number;
  readonly end: number;
  readonly folder: Node | null;
  readonly names: readonly (readonly [path: string, node: Node | null])[];
}

type Random = () => number;

/** Whether what happened then was flushed by one that began after it and ended before the cut. */
function isFlushed({ end }: { readonly end: number }, node: Node | null, cut: number): boolean {
  return node?.flushes.some((flush) => flush.at >= end && flush.end <= cut) ?? false;
}

/** How a disk treats what was not flushed. */
const LUCK: readonly ((random: Random) => (at: number) => boolean)[] = [
  () => () => false,
  () => () => true,
  (random) => () => random() < 0.5,
  (random) => () => random() < 0.9,
  (random) => {
    const share = random();
    let isUp = true;
    return () => (isUp &&= random() < share);
  },
];

/** The history of everything below a folder. */
export class DiskHistory {
  readonly #root: string;
  readonly #names = new Map<string, Node>();
  readonly #namings: Naming[] = [];
  readonly #positions = new Map<string, number>();

  /** `root` is there from the beginning, and empty. */
  constructor(root: string, calls: readonly SystemCall[]) {
    this.#root = root;
    this.#names.set(root, { isFolder: true, changes: [], flushes: [] });
    for (const call of calls) if (call.name !== "sendto" && call.name !== "sendmsg") this.#take(call);
  }

  #isOurs(path: string): boolean {
    // Shared memory is made anew at every start, and a deleted file's bytes belong to no file.
    return path.startsWith(`${this.#root}/`) && !path.endsWith("-shm") && !path.endsWith(DELETED);
  }

  #take(call: SystemCall): void {
    const { name, args } = call;
    if (/^(openat|mkdirat|unlinkat)$/.test(name)) this.#takeNaming(call, resolved(args[0], args[1]));
    else if (/^(mkdir|unlink)$/.test(name)) this.#takeNaming(call, resolved("", args[0]));
    else if (/^(rename|link)$/.test(name)) this.#move(call, resolved("", args[0]), resolved("", args[1]));
    else if (/^(renameat2?|linkat)$/.test(name)) {
      this.#move(call, resolved(args[0], args[1]), resolved(args[2], args[3]));
    } else if (name !== "rmdir") this.#takeBytes(call);
  }

  #takeNaming(call: SystemCall, path: string): void {
    if (!this.#isOurs(path)) return;
    const known = this.#names.get(path);
    const isGone = call.name.startsWith("unlink");
    if (isGone) {
      if (call.args[2] !== "AT_REMOVEDIR") this.#rename(call, [[path, null]]);
      return;
    }
    const isMade = call.name.startsWith("mkdir") || call.args[2]?.includes("O_CREAT") === true;
    if (!known && isMade) {
      this.#rename(call, [[path, { isFolder: call.name.startsWith("mkdir"), changes: [], flushes: [] }]]);
    }
    if (call.args[2]?.includes("O_TRUNC")) this.#change(call, path, 0, null);
    if (call.name === "openat") this.#positions.set(`${call.process} ${Number.parseInt(call.result ?? "", 10)}`, 0);
  }

  #move(call: SystemCall, from: string, to: string): void {
    const node = this.#names.get(from);
    if (!node || !this.#isOurs(to)) return;
    this.#rename(
      call,
      call.name.startsWith("link")
        ? [[to, node]]
        : [
            [from, null],
            [to, node],
          ],
    );
  }

  #rename({ at, end }: SystemCall, names: Naming["names"]): void {
    for (const [path, node] of names) node ? this.#names.set(path, node) : this.#names.delete(path);
    const folder = this.#names.get(dirname(names.at(-1)?.[0] ?? "")) ?? null;
    this.#namings.push({ at, end, folder, names });
  }

  #takeBytes(call: SystemCall): void {
    const { name, args, process } = call;
    const path = resolved(args[0], undefined);
    if (path === this.#root || this.#isOurs(path)) {
      const node = this.#names.get(path);
      if (!node) throw new Error(`${name} on ${path}, which was never created`);
      if (call.result === null && !name.includes("sync")) throw new Error(`${name} on ${path} was cut off`);
      const written = bytesOf(args[1]).subarray(0, Number(call.result));
      const position = `${process} ${Number.parseInt(args[0] ?? "", 10)}`;
      if (/^f(data)?sync$/.test(name)) node.flushes.push(call);
      else if (name === "ftruncate") this.#change(call, path, Number(args[1]), null);
      else if (name === "pwrite64") this.#change(call, path, Number(args[3]), written);
      else if (name === "lseek") this.#positions.set(position, Number(call.result));
      else if (name === "write") {
        const offset = this.#positions.get(position) ?? 0;
        this.#change(call, path, offset, written);
        this.#positions.set(position, offset + written.length);
      } else throw new Error(`this disk does not know ${name} on ${path}`);
    }
  }

  #change({ at, end }: SystemCall, path: string, offset: number, bytes: Buffer | null): void {
    this.#names.get(path)?.changes.push({ at, end, offset, bytes });
  }

  /** The moments at which something was written, flushed or named. */
  moments(): number[] {
    const nodes = new Set([
      ...this.#names.values(),
      ...this.#namings.flatMap(({ names }) => names.map(([, node]) => node)),
    ]);
    const moments = this.#namings.flatMap(({ at, end }) => [at, end]);
    for (const node of nodes) {
      for (const { at, end } of [...(node?.changes ?? []), ...(node?.flushes ?? [])]) moments.push(at, end);
    }
    return moments.filter(Number.isFinite).sort((one, other) => one - other);
  }

  /** What the disk may hold when the power fails at `cut`; without `random` all that was written, flushed or not. */
  imageAt(cut: number, random: Random | null): DiskImage {
    const pick = () =>
      LUCK[random === null ? 1 : Math.floor(random() * LUCK.length)]?.(random ?? (() => 0)) ?? (() => true);
    const isNamed = pick();
    const names = new Map<string, Node>();
    for (const naming of this.#namings) {
      if (naming.at >= cut || !(isFlushed(naming, naming.folder, cut) || isNamed(naming.at))) continue;
      for (const [path, node] of naming.names) node ? names.set(path, node) : names.delete(path);
    }
    const image: DiskImage = { folders: [], files: new Map() };
    // What lies in a folder that is lost is lost, whatever of the way to it is left.
    const kept = new Set([this.#root]);
    for (const [path, node] of [...names].sort(([one], [other]) => (one < other ? -1 : 1))) {
      if (!kept.has(dirname(path))) continue;
      if (node.isFolder) kept.add(path);
      const relative = path.slice(this.#root.length + 1);
      if (node.isFolder) image.folders.push(relative);
      else image.files.set(relative, contentAt(node, cut, pick(), random));
    }
    return image;
  }
}

/** What is found below the folder: paths relative to it. */
export interface DiskImage {
  readonly folders: string[];
  readonly files: Map<string, Buffer>;
}

/** Puts an image into an empty folder. With `random`, shared memory of the last run may lie beside a database. */
export function writeImage(image: DiskImage, folder: string, random: Random | null): void {
  mkdirSync(folder, { recursive: true });
  for (const path of image.folders) mkdirSync(join(folder, path), { recursive: true, mode: 0o700 });
  for (const [path, bytes] of image.files) {
    writeFileSync(join(folder, path), bytes, { mode: 0o600 });
    if (random !== null && basename(path) === "captable.db" && random() < 0.3) {
      writeFileSync(join(folder, `${path}-shm`), Buffer.alloc(32_768, random() < 0.5 ? 0 : 0x5a), { mode: 0o600 });
    }
  }
}

function resolved(descriptor = "", quoted: string | undefined): string {
  const opened = /<(.*)>/.exec(descriptor)?.[1];
  const base = opened === undefined ? "/" : bytesOf(opened).toString();
  if (quoted === undefined) return descriptor.endsWith(DELETED) ? base + DELETED : base;
  return resolve(base, bytesOf(quoted).toString());
}

function contentAt(node: Node, cut: number, isKept: (at: number) => boolean, random: Random | null): Buffer {
  // What lies where a lost write would have made the file longer: nothing, or what the disk held before.
  const filler = random !== null && random() < 0.5 ? 0xa5 : 0;
  const isTorn = random !== null && random() < 0.5;
  const changes = node.changes.filter(({ at }) => at < cut);
  const content = Buffer.alloc(
    Math.max(0, ...changes.map(({ offset, bytes }) => offset + (bytes?.length ?? 0))),
    filler,
  );
  let size = 0;
  for (const change of changes) {
    const { offset, bytes } = change;
    const isSafe = isFlushed(change, node, cut);
    if (bytes === null) {
      if (!isSafe && !isKept(change.at)) continue;
      content.fill(0, Math.min(offset, size));
      size = offset;
      continue;
    }
    for (let from = 0; from < bytes.length; ) {
      const length = isSafe || !isTorn ? bytes.length : SECTOR - ((offset + from) % SECTOR);
      const until = Math.min(bytes.length, from + length);
      if (isSafe || isKept(change.at)) {
        bytes.copy(content, offset + from, from, until);
        size = Math.max(size, offset + until);
      } else if (offset + from >= size) content.fill(filler, offset + from, offset + until);
      from = until;
    }
  }
  return content.subarray(0, size);
}
