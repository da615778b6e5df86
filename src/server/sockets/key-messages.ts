import { type AppSocketIn, MESSAGE_KEYS } from '#contract/live/app-socket.ts'
import { allowsKey, MAX_KEY_MESSAGES, MAX_KEY_SOCKETS } from '#core/accounts/api-keys.ts'
import { type Refusal, refuse, type Result } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { KeyLimits } from '#server/platform/http/key-limits.ts'
import type { AuthenticatedUser, KeyInUse } from '#server/platform/http/signed-in.ts'
import type { AcceptedOrder, Engine, OrderRefusal, OrderRequest } from '#server/trading/engine/engine.ts'
import type { KeyOrderRefusal, KeyOrders } from '#server/platform/http/key-orders.ts'
import type { Connection } from '#server/sockets/connection.ts'
import type { UserNotifications } from '#server/sockets/user-notifications.ts'

/** Applies the scope and the limits of API keys to messages. A session has none of these limits. */
export class KeyMessages {
  private readonly ctx: Ctx
  private readonly limits: KeyLimits
  private readonly orders: KeyOrders
  private readonly users: Pick<UserNotifications, 'othersOf'>
  /** The number of unanswered orders of each key. */
  private readonly pending = new Map<string, number>()

  constructor(
    ctx: Ctx,
    { limits, orders }: { readonly limits: KeyLimits; readonly orders: KeyOrders },
    users: Pick<UserNotifications, 'othersOf'>,
  ) {
    this.ctx = ctx
    this.limits = limits
    this.orders = orders
    this.users = users
  }

  /** Returns why a key may not send this message now. Null when the message is permitted. */
  refusal(
    { key }: AuthenticatedUser,
    action: AppSocketIn['action'],
  ): Refusal<'key_not_allowed' | 'rate_limited'> | null {
    if (key === null) return null
    const use = MESSAGE_KEYS[action]
    if (!allowsKey(use, key.scope)) return refuse('key_not_allowed')
    // Only orders count towards the rate limit of orders.
    const seconds = this.limits.take(key.id, action === 'newTrade' ? 'trade' : 'read', this.ctx.now())
    return seconds > 0 ? refuse('rate_limited', { params: { seconds } }) : null
  }

  /** Returns why a key may not use one more socket. Null when the socket is permitted. */
  socketRefusal(connection: Connection, user: AuthenticatedUser): Refusal<'key_sockets'> | null {
    const isFull = user.key !== null && this.users.othersOf(connection, user) >= MAX_KEY_SOCKETS
    return isFull ? refuse('key_sockets', { params: { most: MAX_KEY_SOCKETS } }) : null
  }

  /** Places an order within the limits of its key. */
  async place(
    key: KeyInUse,
    request: OrderRequest,
    engine: Pick<Engine, 'place'>,
  ): Promise<Result<AcceptedOrder, OrderRefusal | KeyOrderRefusal>> {
    const pending = this.pending.get(key.id) ?? 0
    if (pending >= MAX_KEY_MESSAGES) return refuse('busy')
    this.pending.set(key.id, pending + 1)
    try {
      return await this.orders.place(key.id, request, () => engine.place(request))
    } finally {
      const left = (this.pending.get(key.id) ?? 1) - 1
      if (left > 0) this.pending.set(key.id, left)
      else this.pending.delete(key.id)
    }
  }
}
