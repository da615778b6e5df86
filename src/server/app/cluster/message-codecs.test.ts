import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { CHART_INTERVALS } from '#core/time/chart-interval.ts'
import { instant } from '#core/time/instant.ts'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import { readEvents, writeEvents } from '#server/app/cluster/event-codec.ts'
import { signMessage, verifyMessage } from '#server/platform/cluster/signed-message.ts'
import { readTickMessage, writeTickMessage } from '#server/market-data/replication/tick-message-codec.ts'
import type { TickMessage } from '#server/market-data/replication/shared-ticks.ts'

const secret = new Uint8Array(32).fill(7)
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
const amount = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }).map(money)
const units = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(price)
const time = fc.integer({ min: 0, max: 4_000_000_000_000 }).map(instant)
const text = fc.string()

const orderSettled: fc.Arbitrary<Extract<DomainEvent, { kind: 'order-settled' }>> = fc.record({
  kind: fc.constant('order-settled'),
  order: fc.record({
    userId: text,
    orderId: text,
    trx: text,
    clientOrderId: text,
    symbolId: fc.nat(),
    direction: fc.constantFrom(1, 2),
    stake: amount,
    entryPrice: units,
    exitPrice: fc.option(units),
    result: fc.constantFrom(1, 2, 3, 4),
    resultAmount: amount,
    balanceAfter: amount,
    voidReason: fc.option(text),
    resultNumber: fc.option(fc.nat()),
  }),
})

const announcement: fc.Arbitrary<DomainEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('order-accepted'),
    userId: text,
    orderId: text,
    symbolId: fc.nat(),
    expiresAt: time,
  }),
  orderSettled,
  fc.record({ kind: fc.constant('session-ended'), userId: text, tokenHash: fc.option(bytes) }),
  fc.record({ kind: fc.constantFrom('balance-changed', 'account-changed', 'trade-status-changed'), userId: text }),
  fc.record({
    kind: fc.constantFrom('deposit-asked', 'deposit-decided', 'withdrawal-changed'),
    userId: text,
    trx: text,
  }),
  fc.record({ kind: fc.constantFrom('markets-changed', 'settings-changed') }),
  fc.record({ kind: fc.constant('candles-rebuilt'), symbolIds: fc.array(fc.nat()), from: time, until: time }),
  fc.record({
    kind: fc.constant('history-fetched'),
    symbolId: fc.nat(),
    interval: fc.constantFrom(...CHART_INTERVALS),
    from: time,
    until: time,
  }),
  fc.record({ kind: fc.constant('staff-changed'), staffId: text }),
  fc.record({ kind: fc.constant('back-office-changed'), area: text }),
)

const word: fc.Arbitrary<TickMessage> = fc.record({
  token: fc.bigInt({ min: 0n, max: 2n ** 62n }),
  from: fc.nat(),
  previousHash: bytes,
  headSeq: fc.nat(),
  hash: bytes,
  payload: text,
  heard: fc.array(fc.tuple(fc.nat(), time)),
  floor: fc.option(time),
  doubts: fc.array(fc.tuple(fc.nat(), fc.constantFrom('spike', 'divergence'))),
  holes: fc.array(fc.record({ symbolId: fc.nat(), from: time, until: time })),
})

/** Encodes and decodes a message as the bus does. */
const overTheLine = (topic: string, body: unknown) =>
  verifyMessage(secret, topic, signMessage(secret, topic, { from: 'a', nth: 1, body }))?.body

describe('the encoding of messages between servers', () => {
  it('returns the same message after decoding', () => {
    fc.assert(
      fc.property(fc.array(announcement, { maxLength: 5 }), word, (said, tickMessage) => {
        expect(readEvents(overTheLine('news', writeEvents(said)))).toEqual(said)
        expect(readTickMessage(overTheLine('ticks', writeTickMessage(tickMessage)))).toEqual(tickMessage)
      }),
    )
  })

  it('rejects a message that was changed, sent under another topic, or signed with another key', () => {
    const sealed = signMessage(secret, 'ticks', { from: 'a', nth: 1, body: { payload: '1 1 100 0 0 0 test\n' } })
    expect(verifyMessage(secret, 'ticks', sealed)).not.toBeNull()
    fc.assert(
      fc.property(fc.nat({ max: sealed.length - 1 }), fc.nat({ max: 7 }), (at, bit) => {
        const forged = Uint8Array.from(sealed)
        forged[at] = (forged[at] ?? 0) ^ (1 << bit)
        expect(verifyMessage(secret, 'ticks', forged)).toBeNull()
      }),
    )
    expect(verifyMessage(secret, 'news', sealed)).toBeNull()
    expect(verifyMessage(new Uint8Array(32), 'ticks', sealed)).toBeNull()
    for (const short of [new Uint8Array(0), new Uint8Array(32)])
      expect(verifyMessage(secret, 'ticks', short)).toBeNull()
  })

  it('keeps the counts of unused trades, drops counts with an unknown reason, and reads messages without counts', () => {
    const source = { symbolId: 1, provider: 'one', providerSymbol: 'B', state: 'well', isUsed: true } as const
    const health = { ...source, newestAt: null, heardAt: null, unused: { condition: 3 } }
    const [said] = fc.sample(word, { numRuns: 1 })
    const tickMessage = {
      ...said,
      sources: [health],
      unplaced: [{ provider: 'one', unused: { spike: 1 } }],
      keptOut: { late: 2 },
    }
    const line = JSON.stringify(writeTickMessage(tickMessage as TickMessage))
    expect(readTickMessage(JSON.parse(line))).toEqual(tickMessage)
    expect(readTickMessage(JSON.parse(line.replace('"condition":3', '"a_new_one":3')))?.sources?.[0]?.unused).toEqual(
      {},
    )
    const before = JSON.parse(line.replace(',"unused":{"condition":3}', ''))
    expect(readTickMessage({ ...before, unplaced: undefined, keptOut: undefined })?.sources).toEqual([
      { ...health, unused: {} },
    ])
  })

  it('reads results of the previous version without a result number', () => {
    fc.assert(
      fc.property(orderSettled, (event) => {
        const [said] = JSON.parse(JSON.stringify(writeEvents([event])))
        delete said.order.resultNumber
        expect(readEvents([said])).toEqual([{ ...event, order: { ...event.order, resultNumber: null } }])
      }),
    )
  })

  it('skips events and rejects tick messages in a form that only a newer version knows', () => {
    const known: DomainEvent = { kind: 'balance-changed', userId: 'u' }
    const said = [{ kind: 'something-new', of: 1 }, known, { kind: 'order-settled', order: 7 }]
    expect(readEvents(said)).toEqual([known])
    expect(readEvents('not a list')).toEqual([])
    expect(readTickMessage({ token: 'x' })).toBeNull()
  })
})
