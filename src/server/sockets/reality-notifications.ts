import type { RealityCheckMessage } from '#contract/live/app-socket.ts'
import type { RealitySession } from '#core/accounts/reality-check.ts'
import { moneyNumber } from '#core/money/money.ts'
import { type Instant, MINUTE_MS, SECOND_MS, toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import type { Connection } from '#server/sockets/connection.ts'
import type { UserNotifications } from '#server/sockets/user-notifications.ts'

/** 5 s between two checks of the sessions of connected users. */
const LOOK_EVERY_MS = 5 * SECOND_MS

/** Finds the sessions whose reality check their users must see now. */
export interface DueRealityChecks {
  due(userId: string): Promise<RealitySession | null>
  dueOf(userIds: readonly string[]): Promise<ReadonlyMap<string, RealitySession>>
}

interface RealityNotificationsOptions {
  readonly ctx: Ctx
  readonly reality: DueRealityChecks
  readonly users: UserNotifications
}

/** Shows users their due reality checks over their sockets, and tells whether an unanswered check blocks an order. */
export class RealityNotifications {
  readonly #options: RealityNotificationsOptions
  /** By user id, when the reality check became due that the user's sockets show. */
  readonly #shown = new Map<string, Instant>()
  readonly #stopLooking: () => Promise<void>
  readonly #stopListening: () => void

  constructor(options: RealityNotificationsOptions) {
    this.#options = options
    // On this event, open pages close the dialog of the check. If a check is still due, it is shown again.
    this.#stopListening = options.ctx.subscribe((event) => {
      if (event.kind === 'limits-changed') this.#shown.delete(event.userId)
    })
    this.#stopLooking = runPeriodically(options.ctx, {
      pauseMs: () => LOOK_EVERY_MS,
      run: () => this.#look(),
      failure: 'reality checks are not shown',
    })
  }

  async stop(): Promise<void> {
    this.#stopListening()
    await this.#stopLooking()
  }

  /** Shows a check that is due on one socket. Returns whether a check is due. */
  async show(connection: Connection, userId: string): Promise<boolean> {
    const session = await this.#options.reality.due(userId)
    if (session === null) return false
    connection.send(this.#message(session))
    return true
  }

  async #look(): Promise<void> {
    const userIds = this.#options.users.userIds()
    const connected = new Set(userIds)
    for (const userId of this.#shown.keys()) if (!connected.has(userId)) this.#shown.delete(userId)
    if (userIds.length === 0) return
    for (const [userId, session] of await this.#options.reality.dueOf(userIds)) {
      if (this.#shown.get(userId) === session.dueAt) continue
      this.#shown.set(userId, session.dueAt)
      this.#options.users.sendTo(userId, this.#message(session))
    }
  }

  #message(session: RealitySession): RealityCheckMessage {
    return {
      type: 'realityCheck',
      data: {
        id: String(session.dueAt),
        from: toIso(session.from),
        minutes: Math.floor((this.#options.ctx.now() - session.from) / MINUTE_MS),
        ended: session.closedOrders,
        staked: moneyNumber(session.staked),
        net: moneyNumber(session.net),
        open: session.openOrders,
        open_stake: moneyNumber(session.openStake),
      },
    }
  }
}
