import { formatDecimal } from '#core/money/decimal.ts'
import { money, shareHalfEven } from '#core/money/money.ts'
import { BUY, type Direction, SELL } from '#core/orders/order.ts'
import { instant, MINUTE_MS } from '#core/time/instant.ts'
import { termsWithCaps } from '#test/support/caps.ts'
import { BTC, createFundedUser, ONE_MINUTE } from '#test/support/market-fixtures.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { Kernel } from '../kernel/kernel.ts'
import { Random } from '../kernel/random.ts'
import { SOURCES } from '../simulation/source-words.ts'
import { type Gain, gainOf } from './latency-arbitrage.ts'
import { createStrategyNode } from './strategy-node.ts'

export interface WatcherOptions {
  readonly seed: number
  readonly orders: number
  /** Whether the watcher bets in the direction whose cap is full, or in the opposite direction. */
  readonly follows: boolean
}

const STAKE = money(1_000n)
const CROWD = 4
/** The crowd places 8 orders between two orders of the watcher. The cap has room for 3 orders in one direction. */
const CROWD_ORDERS = 8
const FITTING = 3
const STEP_SIZE = 9
const START_MS = 1_000
const STEP_MS = 1_000
const ROUND_STEPS = 75

/**
 * Returns the gain of a user who sends an order in each direction, to learn from a refusal which cap is full, and then
 * bets on this. The crowd follows the last price move.
 */
export async function playWatcher({
  seed,
  orders,
  follows,
}: WatcherOptions): Promise<Gain & { readonly full: number }> {
  const kernel = new Kernel()
  const random = new Random(seed, 'watcher')
  const cap = Number(shareHalfEven(STAKE, ONE_MINUTE.payout)) * FITTING
  const gains: number[] = []
  let watched = ''
  const node = await createStrategyNode(kernel, {
    seed,
    terms: { terms: termsWithCaps({ symbol_BTC: cap }) },
    onSettled: ({ clientOrderId, resultAmount }) => {
      if (clientOrderId.startsWith(`bet ${watched}`)) gains.push(Number(resultAmount) / Number(STAKE))
    },
  })
  void node.start()
  const funded = Promise.all(Array.from({ length: CROWD + 1 }, () => createFundedUser(node.ctx, money(1_000_000_000n))))
  await kernel.runUntil(START_MS)
  const [watcher = '', ...crowd] = await funded
  watched = watcher

  let units = 6_000_000
  let full = 0
  let count = 0
  let waiting: Direction | null = null
  for (let round = 0; round < orders; round += 1) {
    const before = units
    for (let step = 0; step < ROUND_STEPS; step += 1) {
      units += random.integer(-STEP_SIZE, STEP_SIZE)
      const time = instant(TEST_START + kernel.now)
      const quote = { symbol: BTC.code, price: formatDecimal(BigInt(units), BTC.decimals), volume: '1', time }
      for (const source of SOURCES) node.hear(source, { kind: 'quote', quote, units })
      await kernel.runUntil(kernel.now + STEP_MS)
    }
    // The bet in the direction that was full in the last round waits until now, because its cap has room again.
    if (waiting !== null) place(watcher, waiting, `bet ${watched} ${(count += 1)}`)
    waiting = null
    // The crowd follows the last price move, so the full side depends on past prices.
    const trend = units > before ? BUY : SELL
    for (let at = 0; at < CROWD_ORDERS; at += 1) {
      place(crowd[at % crowd.length] ?? '', random.chance(0.7) ? trend : other(trend), `crowd ${(count += 1)}`)
    }
    const refused: Direction[] = []
    for (const side of [BUY, SELL]) {
      place(watcher, side, `probe ${(count += 1)}`, (refusal) => refusal === 'exposure_full' && refused.push(side))
    }
    await kernel.runUntil(kernel.now + STEP_MS)
    const [side] = refused
    if (side === undefined) continue
    full += 1
    if (follows) waiting = side
    else place(watcher, other(side), `bet ${watched} ${(count += 1)}`)
  }
  await kernel.runUntil(kernel.now + 2 * MINUTE_MS)
  node.state.end()
  return { ...gainOf(gains), full }

  function place(userId: string, direction: Direction, id: string, onRefused?: (refusal: string) => void): void {
    const request = {
      userId,
      clientOrderId: id,
      direction,
      tradeSettingId: ONE_MINUTE.id,
      stake: STAKE,
      symbol: BTC.code,
      marketType: null,
      slippageGuard: null,
    }
    const watch = async (): Promise<void> => {
      const answer = await node.engines[0]?.place(request)
      if (answer?.ok === false) onRefused?.(answer.refusal)
    }
    void watch()
  }
}

function other(side: Direction): Direction {
  return side === BUY ? SELL : BUY
}
