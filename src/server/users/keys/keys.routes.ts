import { calls } from '#contract/calls.ts'
import type { KeyRow } from '#contract/keys.ts'
import { KEY_LIMITS } from '#core/accounts/api-keys.ts'
import { type Money, moneyNumber } from '#core/money/money.ts'
import { refuse } from '#core/result.ts'
import { dayStartedAt } from '#core/time/day-start.ts'
import { toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { findKeyUse } from '#server/users/keys/key-orders.ts'
import { type ApiKey, countKeyOrders, endKeys, listKeys, usedToTheMinute } from '#server/users/keys/keys.queries.ts'
import { makeKey } from '#server/users/keys/make-key.ts'
import { needsConfirmation } from '#server/users/security/confirm-identity.ts'
import { requireConfirmation } from '#server/users/security/require-confirmation.ts'

interface KeysParts {
  readonly ctx: Ctx
  readonly mode: 'demo' | 'live'
}

/** Registers the calls that create, list and end API keys, and the call that returns the facts of the calling key. */
export function keysRoutes(register: Register, { ctx, mode }: KeysParts): void {
  const confirmed = requireConfirmation(ctx)
  const end = async (userId: string, id: string | null) => {
    const hashes = await endKeys(ctx.db, { userId, id }, 'owner')
    for (const tokenHash of hashes) ctx.publish({ kind: 'session-ended', userId, tokenHash })
    return hashes.length
  }

  register(calls.keys, async ({ user: { userId } }) => {
    const now = ctx.now()
    const own = await listKeys(ctx.db, userId, now)
    const orders = await countKeyOrders(ctx.db, userId, dayStartedAt('utc', now))
    return answer({ account: mode, keys: own.map((key) => toRow(key, orders.get(key.id) ?? 0)) })
  })
  register(
    calls.makeKey,
    confirmed(async ({ user, body }) => {
      const isConfirmed = async (tx: Tx) => !(await needsConfirmation({ ...ctx, db: tx }, user, { always: true }))
      const key = await makeKey({ ctx, mode }, { userId: user.userId, isConfirmed }, body)
      return key.ok ? answer(key.value) : key
    }),
  )
  register(calls.endKey, async ({ user, params }) => {
    return (await end(user.userId, params.id)) > 0 ? answer({}) : refuse('not_found')
  })
  register(calls.endKeys, async ({ user }) => answer({ ended: await end(user.userId, null) }))

  register(calls.keyItself, async ({ user: { userId, key } }) => {
    if (!key) return refuse('not_found')
    const own = (await listKeys(ctx.db, userId, ctx.now())).find(({ id }) => id === key.id)
    // The key has ended since this call was authenticated.
    if (!own) return refuse('not_signed_in')
    const used = await findKeyUse(ctx.db, { userId, keyId: key.id }, ctx.now())
    return answer({
      id: own.id,
      name: own.name,
      scope: key.scope,
      account: mode,
      expires_at: toIso(own.expiresAt),
      balance: moneyNumber(used.cash),
      limits: {
        read: toRate(KEY_LIMITS.read),
        trade: toRate(KEY_LIMITS.trade),
        max_stake: amountOf(own.maxStake),
        stake_day: { value: amountOf(own.maxStakeDay), used: moneyNumber(used.stakedToday) },
        open_orders: { value: own.maxOpenOrders, used: used.openOrders },
      },
    })
  })
}

function toRow(key: ApiKey, ordersToday: number): KeyRow {
  return {
    id: key.id,
    name: key.name,
    scope: key.scope,
    addresses: [...key.addresses],
    max_stake: amountOf(key.maxStake),
    max_stake_day: amountOf(key.maxStakeDay),
    max_open_orders: key.maxOpenOrders,
    created_at: toIso(key.createdAt),
    expires_at: toIso(key.expiresAt),
    used_at: usedToTheMinute(key),
    used_address: key.usedAddress,
    used_client: key.usedClient,
    orders_today: ordersToday,
  }
}

function amountOf(value: Money | null): number | null {
  return value === null ? null : moneyNumber(value)
}

function toRate({ perSecond, burst }: { readonly perSecond: number; readonly burst: number }) {
  return { per_second: perSecond, burst }
}
