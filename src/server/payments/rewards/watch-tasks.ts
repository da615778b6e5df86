import { DAY_MS } from '#core/time/instant.ts'
import type { Announcement } from '#server/platform/runtime/events.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { payTasks } from '#server/payments/rewards/pay-tasks.ts'

/** Rest between two users, so that a busy market leaves the database to the orders. */
const PAUSE_MS = 100
/** More than this wait at a time: the rest is found when its user asks. */
const MOST_WAITING = 10_000

/**
 * Pays tasks soon after what they ask for has happened: it hears of deposits and results after their commit and works
 * through their users one by one. Settled orders are looked at once a day per user, as more of them change nothing.
 * Nothing depends on it: asking for the tasks pays what was missed. The answer stops it.
 */
export function watchTasks(ctx: Ctx, settings: Pick<Settings, 'current'>): () => Promise<void> {
  const waiting = new Set<string>()
  let seen = new Set<string>()
  let day = -1
  let cancel: (() => void) | null = null
  let running: Promise<void> | null = null
  let stopped = false

  const stopHearing = ctx.onAnnouncement((announcement) => {
    const userId = userOf(announcement)
    if (userId === null || waiting.size >= MOST_WAITING) return
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
      ctx.log.warn({ err: error, userId }, 'beginner tasks could not be paid; they are when their user asks')
    }
  }

  return async () => {
    stopped = true
    stopHearing()
    cancel?.()
    await running
  }
}

function userOf(announcement: Announcement): string | null {
  switch (announcement.kind) {
    case 'balance-changed':
      return announcement.userId
    case 'order-settled':
      return announcement.order.userId
    default:
      return null
  }
}
