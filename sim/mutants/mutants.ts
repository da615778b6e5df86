import { money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { DRAW, LOSE, type OrderResult, type SettledFacts, VOID, WIN } from '#core/orders/order.ts'
import { later } from '#core/time/instant.ts'
import { Acceptor } from '#server/trading/engine/acceptor.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { SettledRow } from '#server/trading/engine/due-order.ts'
import { TickOrderGuard } from '#server/market-data/tick-log/tick-order-guard.ts'
import { LogEnd } from '#server/market-data/tick-log/log-end.ts'
import type { MemoryDatabase } from '../memory-store/memory-database.ts'
import { SPECS, type TableName, type TableSpec } from '../memory-store/specs.ts'
import { UNMODIFIED, type Parts } from '../simulation/injection-points.ts'
import type { Mutant } from './mutant.ts'
import { refusedRow } from './refused-row.ts'
import { CAP_MUTANTS } from './cap-mutants.ts'
import { RULE_2_MUTANTS } from './rule-2-mutants.ts'
import { SALE_MUTANTS } from './sale-mutants.ts'
import { CATALOGUE } from '../simulation/seed-world.ts'
import { SYMBOLS } from '../auditor/site-terms.ts'

/**
 * Bugs that are planted to see whether the simulation finds them. Each bug changes one thing that a programmer could
 * get wrong. `sim/seeds.ts` names the seed that finds the bug.
 */
export const MUTANTS: Readonly<Record<string, Mutant>> = {
  'client-key-dropped': {
    bug: 'no unique key on the client id of an order: two at once open two orders',
    parts: () => specs({ open_order: { notEnforced: [1] }, order_history: { notEnforced: [1] } }),
  },
  'settled-again': {
    bug: 'settling does not look whether the order is still open: the slower of two settlers pays once more',
    parts: () => ({ store: paysAgain }),
  },
  'exit-after-expiry': {
    bug: 'the exit is the first price after the expiry',
    parts: () => ({
      ticks: (ticks) => ({
        ...ticks,
        aroundInstant: async (symbolId, at) => {
          const { last, next } = await ticks.aroundInstant(symbolId, at)
          return { last: next ?? last, next }
        },
      }),
    }),
  },
  'lost-ack-is-refusal': {
    bug: 'an order whose answer from the store was lost is told to be refused',
    parts: () => ({ engineStore: refusesWhatItLost }),
  },
  'lost-ack-is-forgotten': {
    bug: 'orders that were settled by a statement whose answer was lost are told to nobody who is there',
    parts: () => ({ engineStore: (store) => ({ ...store, findSettled: () => Promise.resolve([]) }) }),
  },
  'watermark-ignored': {
    bug: 'the stream counts as having passed a moment three seconds after its last price',
    parts: () => ({
      ticks: (ticks) => ({
        ...ticks,
        watermark: (symbolId) => {
          const newest = ticks.latest(symbolId)
          return newest && later(newest.time, 3_000)
        },
      }),
    }),
  },
  'rounded-in-favour': {
    bug: 'a profit is rounded down, in favour of the house',
    parts: () => ({
      engineStore: settling((row, facts) => {
        if (row.settled.result !== WIN) return row
        const profit = money((facts.stake * BigInt(facts.payout)) / 10_000n)
        return { ...row, settled: { ...row.settled, profit, netChange: profit, credit: money(facts.stake + profit) } }
      }),
    }),
  },
  'draw-without-refund': {
    bug: 'the stake of a draw is not given back',
    parts: () => ({ engineStore: settling((row) => withoutRefund(row, DRAW)) }),
  },
  'void-without-refund': {
    bug: 'the stake of a void order is not given back',
    parts: () => ({ engineStore: settling((row) => withoutRefund(row, VOID)) }),
  },
  'tie-is-loss': {
    bug: 'an order that ends where it began is lost',
    parts: () => ({
      engineStore: settling((row, facts) => {
        if (row.settled.result !== DRAW) return row
        return { ...row, settled: { result: LOSE, credit: money(0), profit: money(0), netChange: money(-facts.stake) } }
      }),
    }),
  },
  'stale-price-accepted': {
    bug: 'orders are taken on prices of any age',
    parts: () => {
      const symbols = SYMBOLS.map((symbol) => ({ ...symbol, maxTickAgeMs: 60_000 }))
      const find: typeof CATALOGUE.find = (code) => symbols.find((symbol) => symbol.code === code) ?? null
      return { catalogue: { ...CATALOGUE, find, tickAgeAt: () => null } }
    },
  },
  'bent-entry': {
    bug: 'the entry is a step worse than the newest price',
    parts: () => ({
      ticks: (ticks) => ({
        ...ticks,
        latest: (symbolId) => {
          const newest = ticks.latest(symbolId)
          return newest && { ...newest, price: price(newest.price + 1) }
        },
      }),
    }),
  },
  'guard-ignored': {
    bug: 'an order is taken at a price its user did not agree to',
    parts: () => ({
      patch: () => {
        // oxlint-disable-next-line typescript/unbound-method -- called with the right `this` below
        const { place } = Acceptor.prototype
        Acceptor.prototype.place = function withoutGuard(request) {
          return place.call(this, { ...request, slippageGuard: null })
        }
        return () => {
          Acceptor.prototype.place = place
        }
      },
    }),
  },
  'limit-not-enforced': {
    bug: 'nobody counts how many orders a user has open',
    parts: () => ({
      engineStore: (store) => ({
        ...store,
        acceptWholeUsers: (orders, _, lane) => store.acceptWholeUsers(orders, 1_000, lane),
        acceptBatch: (orders, _, lane) => store.acceptBatch(orders, 1_000, lane),
      }),
    }),
  },
  'result-not-numbered': {
    bug: 'a result has no number, so that it is never told to an owner who was away',
    parts: () => specs({ order_history: { onInsert: (row) => ({ ...row, result_number: null }) } }),
  },
  'result-told-wrong': {
    bug: 'the balance that is told with a result is not the one that is stored',
    parts: () => ({
      engineStore: (store) => ({
        ...store,
        settleBatch: async (orders, now, lane) =>
          (await store.settleBatch(orders, now, lane)).map((order) => ({
            ...order,
            balanceAfter: money(order.balanceAfter + 1n),
          })),
      }),
    }),
  },
  'price-overwritten': {
    bug: 'the last writer of a settlement price wins',
    parts: () => ({ store: (store, database) => lastPriceWins(store, database, 'settlement_price') }),
  },
  'decision-overwritten': {
    bug: 'the last writer of a decision by numbered trades wins',
    rule: 2,
    parts: () => ({ store: (store, database) => lastPriceWins(store, database, 'decided_price') }),
  },
  'deposit-key-dropped': {
    bug: 'no unique key on the request of a deposit: two at once credit twice',
    parts: () => specs({ deposit: { notEnforced: [1] } }),
  },
  'approval-race': {
    bug: 'a deposit is decided without its row being locked, and its step in the ledger may come twice',
    parts: () => specs({ deposit: { isLockless: true }, transfer: { notEnforced: [0] } }),
  },
  'withdrawal-race': {
    bug: 'the balance is read without a lock when a withdrawal is asked for, and nothing keeps it above zero',
    parts: () => specs({ balance: { isLockless: true, check: () => true } }),
  },
  'one-person-suffices': {
    bug: 'nobody counts as an approver, so one person decides large payments',
    parts: () => specs({ staff: { onInsert: (row) => ({ ...row, approver_ms: null }) } }),
  },
  'audit-line-lost': {
    bug: 'a payment is decided and nobody writes it down',
    parts: () => specs({ admin_action: { onInsert: () => null } }),
  },
  'late-tick-admitted': {
    bug: 'a price that comes after a newer one is taken into the log',
    parts: () => ({
      patch: () => {
        // oxlint-disable-next-line typescript/unbound-method -- the returned function restores it
        const { admitTick } = TickOrderGuard.prototype
        TickOrderGuard.prototype.admitTick = ({ time }, now) => time < now + 5_000 && time > now - 60_000
        return () => {
          TickOrderGuard.prototype.admitTick = admitTick
        }
      },
    }),
  },
  'log-not-read-back': {
    bug: 'a batch of prices whose write failed is believed to be in the log',
    parts: () => ({
      patch: () => {
        // oxlint-disable-next-line typescript/unbound-method -- called with the right `this` below
        const { append } = LogEnd.prototype
        LogEnd.prototype.append = async function believing(...batch) {
          const outcome = await append.apply(this, batch)
          return outcome === 'failed' ? 'written' : outcome
        }
        return () => {
          LogEnd.prototype.append = append
        }
      },
    }),
  },
  ...RULE_2_MUTANTS,
  ...SALE_MUTANTS,
  ...CAP_MUTANTS,
  'recovery-forgotten': {
    bug: 'open orders are not read back after a crash',
    parts: () => ({
      engineStore: (store) => ({
        ...store,
        openExpiries: () => Promise.resolve([]),
        overdueExpiries: () => Promise.resolve([]),
      }),
    }),
  },
}

/** Returns the parts of a server, with this bug planted in them. */
export function plant({ parts }: Mutant): Parts {
  return { ...UNMODIFIED, ...parts() }
}

function specs(changes: Partial<Record<TableName, Partial<TableSpec>>>): Pick<Parts, 'specs'> {
  const changed = Object.entries(SPECS).map(([name, spec]) => [name, { ...spec, ...changes[name as TableName] }])
  return { specs: Object.fromEntries(changed) as typeof SPECS }
}

/** Settles each row as changed by `change`. */
function settling(change: (row: SettledRow, facts: SettledFacts) => SettledRow): Parts['engineStore'] {
  return (store) => {
    const due = new Map<string, SettledFacts>()
    return {
      ...store,
      async loadDueOrders(keys, limit) {
        const orders = await store.loadDueOrders(keys, limit)
        for (const { orderId, facts } of orders) due.set(orderId, facts)
        return orders
      },
      settleBatch: (rows, now, lane) =>
        store.settleBatch(
          rows.map((row) => {
            const known = due.get(row.orderId)
            return known ? change(row, known) : row
          }),
          now,
          lane,
        ),
    }
  }
}

function withoutRefund(row: SettledRow, result: OrderResult): SettledRow {
  return row.settled.result === result ? { ...row, settled: { ...row.settled, credit: money(0) } } : row
}

function refusesWhatItLost(store: EngineStore): EngineStore {
  return {
    ...store,
    acceptWholeUsers: (orders) => Promise.resolve(orders.map(() => null)),
    async acceptBatch(orders, ...how) {
      try {
        return await store.acceptBatch(orders, ...how)
      } catch {
        return orders.map(() => refusedRow('insufficient_balance'))
      }
    },
  }
}

function paysAgain(store: EngineStore, database: MemoryDatabase): EngineStore {
  return {
    ...store,
    async settleBatch(rows, now, lane) {
      const settled = await store.settleBatch(rows, now, lane)
      const missed = rows.filter(({ orderId }) => !settled.some((order) => order.orderId === orderId))
      await database.transaction(async (tx) => {
        const table = tx.table('balance')
        for (const { userId, settled: own } of missed) {
          for (const stored of table.having(`${userId}|USDT|`)) {
            await tx.lock(table, stored)
            tx.update(table, stored, { cash: ((tx.see(stored)?.['cash'] ?? 0n) as bigint) + own.credit })
          }
        }
      })
      return settled
    },
  }
}

function lastPriceWins(
  store: EngineStore,
  database: MemoryDatabase,
  prices: 'settlement_price' | 'decided_price',
): EngineStore {
  return {
    ...store,
    async writeSettlementPrices(rows, now) {
      const written = await store.writeSettlementPrices(rows, now)
      await database.transaction(async (tx) => {
        const table = tx.table(prices)
        for (const { symbolId, expiresAt, group } of rows) {
          const { source, maxTickAgeMs, rule, evidence } = group ?? {}
          const key = group === undefined ? '' : `${source}|${maxTickAgeMs}|${rule}|${evidence}|`
          for (const stored of table.having(`${symbolId}|${expiresAt}|${key}`)) {
            if (Number(stored.committed?.['decided_ms']) === now) continue
            await tx.lock(table, stored)
            tx.update(table, stored, { decided_ms: now })
          }
        }
      })
      return written
    },
  }
}
