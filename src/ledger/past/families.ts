// Securities whose entries build on each other: one and all that was made of it, by whatever kind of entry. Pure.

/** Families of securities; each is known by one of its members, whichever. */
export class Families {
  readonly #parents = new Map<string, string>();

  /** The member by which the security's family is known: itself where it was never joined to another. */
  of(securityId: string): string {
    let root = securityId;
    for (let next = this.#parents.get(root); next !== undefined; next = this.#parents.get(root)) root = next;
    let id = securityId;
    while (id !== root) {
      const next = this.#parents.get(id) ?? root;
      this.#parents.set(id, root);
      id = next;
    }
    return root;
  }

  /** Makes the families of two securities one. */
  join(a: string, b: string): void {
    const [root, other] = [this.of(a), this.of(b)];
    if (root !== other) this.#parents.set(other, root);
  }
}
