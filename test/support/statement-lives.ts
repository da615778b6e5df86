import fc from 'fast-check'
import type { Insertable } from 'kysely'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { TRANSFER_KINDS, type TransferKind } from '#core/ledger/transfer-kinds.ts'
import type { Db, Tables } from '#server/platform/database/tables.ts'
import { historyRow } from '#test/support/history-row.ts'

const ENDS = ['win', 'lose', 'draw', 'void'] as const
const WITHDRAWALS = ['paid', 'rejected', 'cancelled', 'pending'] as const

/** An event in the life of a user: what happened, and how long after the previous event. */
export const LIFE_EVENT = fc.record({
  afterMs: fc.nat({ max: 3 * 86_400_000 }),
  amount: fc.integer({ min: 1, max: 9_999 }),
  what: fc.oneof(
    fc.constantFrom(...ENDS),
    fc.constantFrom(...WITHDRAWALS),
    fc.constantFrom('deposit', 'correction in', 'correction out', 'credits', 'made good'),
  ),
})
export type LifeEvent = (typeof LIFE_EVENT)['generate'] extends (...args: never[]) => { value: infer T } ? T : never

export interface Life {
  readonly userId: string
  /** Each change of the account total with its time, including changes of zero. */
  readonly changes: readonly { readonly at: number; readonly amount: bigint }[]
  readonly transfers: Insertable<Tables['transfer']>[]
  readonly orders: Insertable<Tables['order_history']>[]
  readonly balance: { cash: bigint; staked: bigint; withdrawing: bigint; credits: bigint; results: bigint }
}

/** Builds the rows for the events of one user. They begin with a deposit large enough for all events. */
export function buildLife(
  { userId, newId, startMs }: { readonly userId: string; readonly newId: () => string; readonly startMs: number },
  events: readonly LifeEvent[],
): Life {
  const life = {
    userId,
    changes: [] as { at: number; amount: bigint }[],
    transfers: [] as Insertable<Tables['transfer']>[],
    orders: [] as Insertable<Tables['order_history']>[],
    balance: { cash: 0n, staked: 0n, withdrawing: 0n, credits: 0n, results: 0n },
  }
  let at = startMs
  const move = (kind: TransferKind, ref: string, amount: bigint): void => {
    const { from, to, step } = TRANSFER_KINDS[kind]
    const own = { user_id: userId, ref, step, kind, from_account: from, to_account: to }
    life.transfers.push({ ...own, currency: BASE_CURRENCY, amount, created_ms: at })
    if (!from.startsWith('house:')) life.balance[from as 'cash'] -= amount
    if (!to.startsWith('house:')) life.balance[to as 'cash'] += amount
  }
  const change = (amount: bigint): void => void life.changes.push({ at, amount })
  const deposit = (amount: bigint): void => {
    move('deposit', newId(), amount)
    change(amount)
  }
  deposit(10_000_000n)
  for (const { afterMs, amount: units, what } of events) {
    at += afterMs
    const amount = BigInt(units)
    const ref = newId()
    if (what === 'deposit') deposit(amount)
    else if (what === 'credits') move('beginner_task', ref, amount)
    else if (what === 'correction in') {
      move('correction_in', ref, amount)
      change(amount)
    } else if (what === 'correction out') {
      move('correction_out', ref, amount)
      change(-amount)
    } else if (what === 'pending') move('withdrawal_request', ref, amount)
    else if (what === 'rejected' || what === 'cancelled') {
      move('withdrawal_request', ref, amount)
      move(`withdrawal_${what}`, ref, amount)
      change(0n)
    } else if (what === 'paid') {
      const fee = amount / 10n
      move('withdrawal_request', ref, amount)
      move('withdrawal_paid', ref, amount - fee)
      if (fee > 0n) move('withdrawal_fee', ref, fee)
      change(-amount)
    } else if (what === 'made good') {
      endOrder('lose', ref, amount)
      at += 1_000
      // The stake of the order and its profit: see `endOrder`.
      move('make_good', ref, 9n * amount)
      change(9n * amount)
    } else endOrder(what, ref, amount)
  }
  return life

  function endOrder(end: (typeof ENDS)[number], ref: string, stake: bigint): void {
    // 80 %, rounded half to even as in the core. A stake of whole units of five has an exact profit.
    const even = stake * 5n
    const profit = stake * 4n
    move('order_stake', ref, even)
    move(`order_${end}`, ref, even)
    if (end === 'win') move('order_profit', ref, profit)
    const amount = end === 'win' ? profit : end === 'lose' ? -even : 0n
    change(amount)
    life.balance.results += 1n
    const order = { user_id: userId, id: ref, settled_ms: at, stake: even, profit_basis_points: 8_000 }
    const number = { result: ENDS.indexOf(end) + 1, result_amount: amount, result_number: life.balance.results }
    const why = end === 'void' ? { void_reason: 'no_tick_before_expiry' } : { exit_price: 2n }
    life.orders.push(historyRow({ ...order, ...number, ...why }))
  }
}

/** Inserts the rows of users that do not exist yet. */
export async function insertLives(db: Db, lives: readonly Life[]): Promise<void> {
  await inPortions(lives, async (some) => {
    const users = some.map(({ userId: id }) => ({
      id,
      username: `u${id.slice(-12)}`,
      mobile: '5551234',
      verified: true,
    }))
    await db
      .insertInto('app_user')
      .values(
        users.map((user) => ({
          ...user,
          email: null,
          password_hash: 'none',
          pin_hash: null,
          image_path: null,
          invitation_code: null,
          created_ms: 0,
        })),
      )
      .execute()
    await db
      .insertInto('balance')
      .values(some.map(({ userId, balance }) => ({ user_id: userId, currency: BASE_CURRENCY, ...balance })))
      .execute()
  })
  await insertMoves(db, lives)
}

/** Inserts transfers and orders. */
export async function insertMoves(db: Db, lives: readonly Pick<Life, 'transfers' | 'orders'>[]): Promise<void> {
  await inPortions(
    lives.flatMap(({ transfers }) => transfers),
    async (rows) => void (await db.insertInto('transfer').values(rows).execute()),
  )
  await inPortions(
    lives.flatMap(({ orders }) => orders),
    async (rows) => void (await db.insertInto('order_history').values(rows).execute()),
  )
}

async function inPortions<T>(rows: readonly T[], insert: (some: T[]) => Promise<void>): Promise<void> {
  for (let at = 0; at < rows.length; at += 1_000) await insert(rows.slice(at, at + 1_000))
}
