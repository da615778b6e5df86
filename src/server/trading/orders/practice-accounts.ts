import { findOwnerId, findPracticeId, listPracticeIds } from '#server/ledger/practice-accounts.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** Above this number of cached pairs, the cache starts again. */
const MAX_CACHED = 10_000

/** Caches practice accounts and their owners. A practice account never gets another owner, and is never deleted. */
export class PracticeAccounts {
  readonly #db: Db
  readonly #ids = new Map<string, string>()
  readonly #owners = new Map<string, string>()

  constructor(db: Db) {
    this.#db = db
  }

  /** Returns the practice account of a user. Null when it is not open. */
  async idOf(ownerId: string): Promise<string | null> {
    const known = this.#ids.get(ownerId)
    if (known !== undefined) return known
    const id = await findPracticeId(this.#db, ownerId)
    if (id !== null) this.#keep(id, ownerId)
    return id
  }

  /** Returns the owner of a practice account. */
  async ownerOf(id: string): Promise<string> {
    const known = this.#owners.get(id)
    if (known !== undefined) return known
    const ownerId = await findOwnerId(this.#db, id)
    this.#keep(id, ownerId)
    return ownerId
  }

  /** Lists the open practice accounts of users. */
  listIds(ownerIds: readonly string[]): Promise<string[]> {
    return listPracticeIds(this.#db, ownerIds)
  }

  #keep(id: string, ownerId: string): void {
    if (this.#ids.size >= MAX_CACHED) {
      this.#ids.clear()
      this.#owners.clear()
    }
    this.#ids.set(ownerId, id)
    this.#owners.set(id, ownerId)
  }
}
