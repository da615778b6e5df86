import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openSession } from '#server/users/sessions/open-session.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { AppClient, get } from '#test/support/app-client.ts'
import type { Audit, Witness } from './audit.ts'
import { auditCrowd } from './audit.ts'
import { type CrowdUser, PAID_IN } from './crowd.ts'
import type { Site } from './site.ts'
import { quiet } from '#test/support/quiet-log.ts'
import { DRILL_STAKE, type DrillOrder } from './drill-trader.ts'

/** A backup does not contain these files of keys. The operator stores them separately and restores them by hand. */
const KEYS = ['signing-key.json', 'register-key.json', 'data-keys.json']
const MAX_SETTLE_MS = 180_000
const REPEATED_ORDERS = 20

/** Returns the orders and results that traders knew when a backup began. The backup must contain all of them. */
export function knownBy(witnesses: readonly Witness[]): Witness[] {
  return witnesses.map(({ userId, orders, results }) => ({
    userId,
    orders: [...orders],
    results: new Map([...results].map(([id, deliveries]) => [id, [...deliveries]])),
  }))
}

export function putKeysBack(from: Site, to: Site): void {
  for (const key of KEYS) cpSync(join(from.folder, key), join(to.folder, key))
}

/** Opens new sessions for the same users, because sessions from before the backup have ended. */
export async function signInAgain(site: Site, users: readonly CrowdUser[]): Promise<CrowdUser[]> {
  return await site.withDatabase(async (db) => {
    const ctx = createContext({ db, log: quiet, vault: createVault([new Uint8Array(32)], createTools().randomBytes) })
    return await Promise.all(
      users.map(async ({ userId }) => ({
        userId,
        token: await openSession(ctx, userId, { address: '127.0.0.1', userAgent: 'drill' }),
      })),
    )
  })
}

/** Counts the users whose old token still works. */
export async function stillSignedIn({ address }: Site, before: readonly CrowdUser[]): Promise<number> {
  const answers = await Promise.all(
    before.map(({ token }) => fetch(`${address}/api/user/profile`, { headers: { authorization: `Bearer ${token}` } })),
  )
  return answers.filter(({ status }) => status !== 401).length
}

/**
 * Sends orders from before the backup again, under their client ids. Returns the orders that were accepted a second
 * time.
 */
export async function givenAgain(
  { address }: Site,
  users: readonly CrowdUser[],
  known: readonly Witness[],
): Promise<{ readonly requests: number; readonly wrong: readonly string[] }> {
  const wrong: string[] = []
  let requests = 0
  for (const { userId, token } of users) {
    const client = await AppClient.open(address, token)
    const orders = known.flatMap((witness) => (witness.userId === userId ? witness.orders : [])) as DrillOrder[]
    for (const { clientOrderId, symbol, type, settingId, id } of orders.slice(
      0,
      Math.ceil(REPEATED_ORDERS / users.length),
    )) {
      const again = {
        clientOrderId,
        symbol,
        type,
        tradeSettingId: settingId,
        amount: DRILL_STAKE,
        marketType: 'crypto',
      }
      const answer = await client.order(again)
      requests += 1
      if (answer.data?.['id'] !== id) wrong.push(`${clientOrderId} was ${id} and is ${JSON.stringify(answer)} now`)
    }
    client.close()
  }
  return { requests, wrong }
}

/** Waits until no user has staked money, which means that the server has settled all open orders of the backup. */
export async function waitUntilSettled({ address }: Site, users: readonly CrowdUser[]): Promise<void> {
  const giveUpAt = Date.now() + MAX_SETTLE_MS
  for (const { token } of users) {
    for (;;) {
      const { user } = (await get(address, '/user/profile', token)) as { user: { staked: number } }
      if (user.staked === 0) break
      if (Date.now() > giveUpAt) throw new Error('timed out waiting for the open orders of the backup to settle')
      await pause(500)
    }
  }
}

/**
 * Audits the restored database while its server is stopped.
 * Everything known when the backup began must exist unchanged. Orders placed during the backup may exist, and must then
 * be complete.
 */
export async function auditRestored(site: Site, known: readonly Witness[], all: readonly Witness[]): Promise<Audit> {
  return await site.withDatabase(async (db) => {
    const userIds = [...new Set(all.map(({ userId }) => userId))]
    const rows = await db
      .selectFrom('order_history')
      .select(['id', 'result', 'result_amount'])
      .where('user_id', 'in', userIds)
      .execute()
    const stored = new Map(
      rows.map(({ id, result, result_amount }) => [id, [{ result, amount: Number(result_amount) / 100 }]]),
    )
    const witnesses = all.map(({ userId, orders }, at): Witness => {
      const before = known[at]
      const ids = new Set(before?.orders.map(({ id }) => id))
      const there = orders.filter(({ id }) => ids.has(id) || stored.has(id ?? ''))
      const results = there.map(({ id = '' }) => [id, before?.results.get(id) ?? stored.get(id) ?? []] as const)
      return { userId, orders: there, results: new Map(results) }
    })
    return await auditCrowd(db, witnesses, PAID_IN)
  })
}
