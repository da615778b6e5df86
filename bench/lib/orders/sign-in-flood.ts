import { SERVER_ASKER } from '#server/platform/limits/fair-queue.ts'
import { randomBytes } from 'node:crypto'
import { createPasswords } from '#server/platform/credentials/passwords.ts'
import type { TradingSite } from './trading-site.ts'

export interface Flood {
  /** Users log in at this rate until the work is done. */
  during<T>(perSecond: number, work: () => Promise<T>): Promise<T>
  /** Describes how many log-ins got which HTTP status. */
  answers(): string
}

/** Sets a password for the site's users. `during` logs them in at a fixed rate, each from a different address. */
export async function floodOfSignIns({ server, db, userNames }: TradingSite): Promise<Flood> {
  const password = randomBytes(9).toString('base64url')
  const hash = await createPasswords((count) => randomBytes(count)).hash(password, SERVER_ASKER)
  await db.updateTable('app_user').set({ password_hash: hash }).where('username', 'in', userNames(1_000)).execute()
  const names = userNames(1_000)
  const statuses = new Map<number, number>()
  let nth = 0
  const signIn = async (): Promise<void> => {
    nth += 1
    const address = `10.${(nth >> 16) & 255}.${(nth >> 8) & 255}.${nth & 255}`
    const { status } = await fetch(`${server.address}/api/user/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ username: names[nth % names.length], password }),
    })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  return {
    async during(perSecond, work) {
      const underWay = new Set<Promise<void>>()
      const timer = setInterval(() => {
        const one = signIn().finally(() => underWay.delete(one))
        underWay.add(one)
      }, 1_000 / perSecond)
      try {
        return await work()
      } finally {
        clearInterval(timer)
        await Promise.all(underWay)
      }
    },
    answers: () => [...statuses].map(([status, count]) => `${status}: ${count}`).join(', '),
  }
}
