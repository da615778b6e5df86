import { isPracticeId } from '#core/accounts/practice.ts'
import { DAY_MS } from '#core/time/instant.ts'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { payTasks } from '#server/payments/rewards/pay-tasks.ts'

/** 100 ms between two users, so that the database stays free for orders. */
const PAUSE_MS = 100
/** 10,000 users can wait for a check. Further users are paid when they open their list of tasks. */
const MAX_WAITING_USERS = 10_000

/**
 * Pays tasks soon after they are completed. It gets an event after each committed change of a balance and each settled
 * order, and processes the users one by one. Only the first settled order of a user on each day causes a check, because
 * the tasks count days. When the user opens the list of tasks, the server also pays, so a missed event does no harm.
 * Returns a function that stops it.
 */
export function watchTasks(ctx: Ctx, settings: Pick<Settings, 'current'>): () => Promise<void> {
  const waiting = new Set<string>()
  const settledToday = new SeenToday(ctx)
  let cancel: (() => void) | null = null
  let running: Promise<void> | null = null
  let stopped = false

  const stopHearing = ctx.subscribe((announcement) => {
    const userId = userOf(announcement)
    if (userId === null || waiting.size >= MAX_WAITING_USERS) return
    if (announcement.kind === 'order-settled' && !settledToday.add(userId)) return
    waiting.add(userId)
    if (cancel === null && running === null) schedule()
  })

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

/** The users with a settled order since midnight UTC. */
class SeenToday {
  readonly #ctx: Pick<Ctx, 'now'>
  #day = -1
  #users = new Set<string>()

  constructor(ctx: Pick<Ctx, 'now'>) {
    this.#ctx = ctx
  }

  /** Returns false when the user was already added today. */
  add(userId: string): boolean {
    const today = Math.floor(this.#ctx.now() / DAY_MS)
    if (today !== this.#day) {
      this.#day = today
      this.#users = new Set()
    }
    if (this.#users.has(userId)) return false
    this.#users.add(userId)
    return true
  }
}

function userOf(announcement: DomainEvent): string | null {
  switch (announcement.kind) {
    case 'balance-changed':
      return announcement.userId
    case 'order-settled':
      // Practice counts for no task.
      return isPracticeId(announcement.order.userId) ? null : announcement.order.userId
    default:
      return null
  }
}
