import { DAY_MS } from '#core/time/instant.ts'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { payTasks } from '#server/payments/rewards/pay-tasks.ts'

/** 100 ms between two users, so that the database stays free for orders. */
const PAUSE_MS = 100
/** Users beyond this limit are paid when they request their tasks. */
const MAX_WAITING_USERS = 10_000

/**
 * Pays tasks soon after they are completed. It subscribes to deposits and results after their commit, and processes the
 * users one by one.
 * Settled orders count once a day per user, because the tasks count days. A request for the tasks pays whatever was
 * missed, so nothing depends on this job. Returns a function that stops it.
 */
export function watchTasks(ctx: Ctx, settings: Pick<Settings, 'current'>): () => Promise<void> {
  const waiting = new Set<string>()
  let seen = new Set<string>()
  let day = -1
  let cancel: (() => void) | null = null
  let running: Promise<void> | null = null
  let stopped = false

  const stopHearing = ctx.subscribe((announcement) => {
    const userId = userOf(announcement)
    if (userId === null || waiting.size >= MAX_WAITING_USERS) return
    if (announcement.kind === 'order-settled' && wasSeenToday(userId)) return
    waiting.add(userId)
    if (cancel === null && running === null) schedule()
  })

  function wasSeenToday(userId: string): boolean {
    const today = Math.floor(ctx.now() / DAY_MS)
    if (today !== day) {
      day = today
      seen = new Set()
    }
    if (seen.has(userId)) return true
    seen.add(userId)
    return false
  }

  function schedule(): void {
    if (stopped) return
    cancel = ctx.clock.after(PAUSE_MS, () => {
      cancel = null
      running = payNext().finally(() => {
        running = null
        if (waiting.size > 0) schedule()
      })
    })
  }

  async function payNext(): Promise<void> {
    const [userId] = waiting
    if (userId === undefined) return
    waiting.delete(userId)
    try {
      await payTasks(ctx, settings, userId)
    } catch (error) {
      ctx.log.warn({ err: error, userId }, 'cannot pay beginner tasks; they are paid when the user requests them')
    }
  }

  return async () => {
    stopped = true
    stopHearing()
    cancel?.()
    await running
  }
}

function userOf(announcement: DomainEvent): string | null {
  switch (announcement.kind) {
    case 'balance-changed':
      return announcement.userId
    case 'order-settled':
      return announcement.order.userId
    default:
      return null
  }
}
