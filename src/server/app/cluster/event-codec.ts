import { z } from 'zod'
import { type Money, money } from '#core/money/money.ts'
import { type Price, price } from '#core/money/price.ts'
import { readDirection, readResult } from '#core/orders/order.ts'
import { CHART_INTERVALS } from '#core/time/chart-interval.ts'
import { instant } from '#core/time/instant.ts'
import type { DomainEvent, SettledOrder } from '#server/platform/runtime/events.ts'

const Amount = z
  .string()
  .regex(/^-?\d+$/)
  .transform((text): Money => money(BigInt(text)))
const Units = z.number().transform((units): Price => price(units))
const Hash = z.string().transform((text) => new Uint8Array(Buffer.from(text, 'base64')))
const userId = z.string()

const Settled: z.ZodType<SettledOrder> = z.object({
  userId,
  orderId: z.string(),
  trx: z.string(),
  clientOrderId: z.string(),
  symbolId: z.number(),
  direction: z.number().transform(readDirection),
  stake: Amount,
  entryPrice: Units,
  exitPrice: Units.nullable(),
  result: z.number().transform(readResult),
  resultAmount: Amount,
  balanceAfter: Amount,
  voidReason: z.string().nullable(),
  // Servers of the previous version do not send a result number.
  resultNumber: z.number().nullable().default(null),
})

const ofUser = <const K extends string>(kind: K) => z.object({ kind: z.literal(kind), userId })
const ofPayment = <const K extends string>(kind: K) => z.object({ kind: z.literal(kind), userId, trx: z.string() })

const PublishedEvent: z.ZodType<DomainEvent> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('order-accepted'),
    userId,
    orderId: z.string(),
    symbolId: z.number(),
    expiresAt: z.number().transform(instant),
    // Orders under settlement rule 1 have no group. Events from servers of the previous version have none either.
    group: z
      .object({
        rule: z.number(),
        source: z.string(),
        maxTickAgeMs: z.number(),
        evidence: z.enum(['ids', 'computed', 'none']),
      })
      .optional(),
  }),
  z.object({ kind: z.literal('order-settled'), order: Settled }),
  z.object({ kind: z.literal('session-ended'), userId, tokenHash: Hash.nullable() }),
  ofUser('balance-changed'),
  ofUser('limits-changed'),
  z.object({ kind: z.literal('new-device'), userId, device: z.string() }),
  ofUser('notice'),
  z.object({
    kind: z.literal('alert-fired'),
    userId,
    alert: z.object({
      id: z.string(),
      symbolId: z.number(),
      seq: z.number(),
      price: Units,
      time: z.number().transform(instant),
    }),
  }),
  ofUser('account-changed'),
  ofUser('trade-status-changed'),
  ofPayment('deposit-asked'),
  ofPayment('deposit-decided'),
  ofPayment('withdrawal-changed'),
  z.object({ kind: z.literal('markets-changed') }),
  z.object({ kind: z.literal('settings-changed') }),
  z.object({
    kind: z.literal('candles-rebuilt'),
    symbolIds: z.array(z.number()),
    from: z.number().transform(instant),
    until: z.number().transform(instant),
  }),
  z.object({
    kind: z.literal('history-fetched'),
    symbolId: z.number(),
    interval: z.enum(CHART_INTERVALS),
    from: z.number().transform(instant),
    until: z.number().transform(instant),
  }),
  z.object({ kind: z.literal('staff-changed'), staffId: z.string() }),
  z.object({ kind: z.literal('back-office-changed'), area: z.string() }),
])
const Batch = z.array(z.unknown())

/** Converts events to JSON values: money becomes text, hashes become base64. */
export function writeEvents(announcements: readonly DomainEvent[]): unknown {
  return announcements.map((announcement) => {
    if (announcement.kind === 'session-ended') {
      const { tokenHash } = announcement
      return { ...announcement, tokenHash: tokenHash && Buffer.from(tokenHash).toString('base64') }
    }
    if (announcement.kind !== 'order-settled') return announcement
    const { order } = announcement
    return {
      ...announcement,
      order: {
        ...order,
        stake: String(order.stake),
        resultAmount: String(order.resultAmount),
        balanceAfter: String(order.balanceAfter),
      },
    }
  })
}

/** Parses events and skips kinds that only a newer version knows. */
export function readEvents(body: unknown): DomainEvent[] {
  const batch = Batch.safeParse(body)
  if (!batch.success) return []
  return batch.data.flatMap((one) => {
    const read = PublishedEvent.safeParse(one)
    return read.success ? [read.data] : []
  })
}
