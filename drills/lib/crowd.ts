import { setTimeout as pause } from 'node:timers/promises'
import { money } from '#core/money/money.ts'
import { openSession } from '#server/users/sessions/open-session.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import type { Witness } from './audit.ts'
import type { Site } from './site.ts'
import { createFundedUser } from '#test/support/market-fixtures.ts'
import { setDuration } from '#test/support/force-terms.ts'
import { DrillTrader } from './drill-trader.ts'
import { quiet } from '#test/support/quiet-log.ts'

/** The deposit of each user in cents, more than the orders can use up. */
export const PAID_IN = 100_000_000
/** Parallel traders per user, so that several orders of one user are always pending together. */
const TRADERS_PER_USER = 2
const ORDER_EVERY_MS = 60
/** Order durations of the first three trade settings in seconds. Short, so that some orders expire during an outage. */
const SECONDS = [2, 4, 9]

export interface CrowdUser {
  readonly userId: string
  readonly token: string
}

const USERS = 8

/** Starts a site on a database with users who can trade, and returns these users. */
export async function startWithUsers(site: Site): Promise<CrowdUser[]> {
  await site.start()
  await site.running.stop()
  const users = await site.withDatabase((db) => prepareUsers(db, USERS))
  await site.start()
  return users
}

/** Creates users with money, sessions and short order durations, in a database that no server uses. */
async function prepareUsers(db: Db, count: number): Promise<CrowdUser[]> {
  for (const [at, seconds] of SECONDS.entries()) await setDuration(db, at + 1, seconds)
  const ctx = createContext({ db, log: quiet, vault: createVault([new Uint8Array(32)], createTools().randomBytes) })
  const users: CrowdUser[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const userId = await createFundedUser(ctx, money(BigInt(PAID_IN)))
    users.push({ userId, token: await openSession(ctx, userId, { address: '127.0.0.1', userAgent: 'drill' }) })
  }
  return users
}

/** Places orders continuously over sockets at one address, and reconnects after every outage. */
export class Crowd {
  readonly #traders: { readonly userId: string; readonly trader: DrillTrader }[]
  readonly #trading: Promise<void>[]

  constructor(users: readonly CrowdUser[], address: string, name = '') {
    this.#traders = users.flatMap(({ userId, token }, user) =>
      Array.from({ length: TRADERS_PER_USER }, (_, nth) => ({
        userId,
        trader: new DrillTrader(`${name}u${user}s${nth}`, token, () => [address]),
      })),
    )
    this.#trading = this.#traders.map(({ trader }) => trader.trade(ORDER_EVERY_MS))
  }

  get acknowledged(): number {
    return this.#traders.reduce((sum, { trader }) => sum + trader.orders.length, 0)
  }

  get witnesses(): Witness[] {
    return this.#traders.map(({ userId, trader: { orders, results } }) => ({ userId, orders, results }))
  }

  /** Waits until `more` further orders are acknowledged. */
  async trades(more: number): Promise<void> {
    const enough = this.acknowledged + more
    await this.#until(() => this.acknowledged >= enough)
  }

  /** Stops placing orders. Resolves when each order is answered and its user has received the result. */
  async finish(): Promise<void> {
    for (const { trader } of this.#traders) trader.stop()
    await this.#until(() =>
      this.#traders.every(({ trader: { orders, results } }) => orders.every(({ id }) => id && results.has(id))),
    )
    for (const { trader } of this.#traders) trader.close()
    await Promise.all(this.#trading)
  }

  async #until(isSo: () => boolean): Promise<void> {
    const failed = Promise.race(this.#trading).then(() => undefined)
    const giveUpAt = Date.now() + 90_000
    while (!isSo()) {
      if (Date.now() > giveUpAt) throw new Error('timed out waiting for order results')
      await Promise.race([pause(20), failed.then(() => pause(20))])
    }
  }
}
