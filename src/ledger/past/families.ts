// Families of securities: one and all securities made from it, by any kind of entry. Pure.

/** Families of securities (union-find); each is known by one of its members. */
export class Families {
  readonly #parents = new Map<string, string>();

  /** The member that represents the security's family: itself if it was never joined to another. */
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

  /** The members of some families, which are given by those that represent them. */
  membersOf(families: ReadonlySet<string>): readonly string[] {
    return [...families, ...[...this.#parents.keys()].filter((id) => families.has(this.of(id)))];
  }

  /** Makes the families of two securities one. */
  join(a: string, b: string): void {
    const [root, other] = [this.of(a), this.of(b)];
    if (root !== other) this.#parents.set(other, root);
  }
}
