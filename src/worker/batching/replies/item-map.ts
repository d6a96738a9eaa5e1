/**
 * Values by address within a scope, which is a chain id or an address family. A map with one combined key would build a
 * string per look-up, and every event passes several of these maps.
 */
export class ItemMap<V> {
  readonly #scopes = new Map<string, Map<string, V>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(scope: string, address: string): V | undefined {
    return this.#scopes.get(scope)?.get(address);
  }

  has(scope: string, address: string): boolean {
    return this.#scopes.get(scope)?.has(address) ?? false;
  }

  set(scope: string, address: string, value: V): void {
    let values = this.#scopes.get(scope);
    if (values === undefined) {
      values = new Map();
      this.#scopes.set(scope, values);
    }
    const before = values.size;
    values.set(address, value);
    this.#size += values.size - before;
  }

  delete(scope: string, address: string): void {
    const values = this.#scopes.get(scope);
    if (values?.delete(address) !== true) return;
    this.#size--;
    if (values.size === 0) this.#scopes.delete(scope);
  }
}
