import { formatDecimal } from '#core/money/decimal.ts'
import { money } from '#core/money/money.ts'
import { BUY, type Direction, SELL } from '#core/orders/order.ts'
import { instant } from '#core/time/instant.ts'
import { BTC, createFundedUser, ONE_MINUTE } from '#test/support/market-fixtures.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { Kernel } from '../kernel/kernel.ts'
import { Random } from '../kernel/random.ts'
import { SOURCES } from '../simulation/source-words.ts'
import type { Parts } from '../simulation/injection-points.ts'
import { createStrategyNode } from './strategy-node.ts'

export interface InformedOptions {
  readonly seed: number
  readonly orders: number
  /** How much later our sources report the market than these users see it. */
  readonly lateMs: number
  /** A server with a planted bug, instead of the unchanged product. */
  readonly parts?: Partial<Parts>
}

/** The bug that lets informed users profit: the server does not know that its prices are delayed. */
export const LATENESS_IGNORED: Partial<Parts> = { ticks: (ticks) => ({ ...ticks, feedDelayMs: () => 0 }) }

export interface Gain {
  readonly orders: number
  /** The mean gain of a stake of 1, and its standard error. */
  readonly mean: number
  readonly error: number
}

const STEP_MS = 100
/** Users with faster prices act on moves of at least two standard deviations: about one move in twenty. */
const WORTH_IT = 2
const STEP_SIZE = 9
/** Two steps: a single step of at most 9 units never reaches two standard deviations of a step, which are 11 units. */
const MIN_STEPS = 2
/** An order begins after the previous one has ended, so that their results are independent. */
const ORDER_GAP_STEPS = 700
/** The steps around a large move are reported one by one. Of all other steps, only one in twenty is reported. */
const AROUND_STEPS = 5
const REPORT_EVERY = 20
const START_MS = 1_000
const NETWORK_MS = 20
const STAKE = money(1_000n)
const USERS = 4

/**
 * The gain of users who see the market itself, and so know our next prices. These users wait for a large move, and
 * place an order before our sources report the move. The market has no memory. Orders last a minute at the payout of a
 * new installation.
 */
export async function playInformed({ seed, orders, lateMs, parts: planted = {} }: InformedOptions): Promise<Gain> {
  const kernel = new Kernel()
  const random = new Random(seed, 'informed')
  const gains: number[] = []
  const node = await createStrategyNode(kernel, {
    seed,
    planted,
    onSettled: ({ resultAmount }) => void gains.push(Number(resultAmount) / Number(STAKE)),
  })
  void node.start()
  const funded = Promise.all(Array.from({ length: USERS }, () => createFundedUser(node.ctx, money(10_000_000n))))
  await kernel.runUntil(START_MS)
  const users = await funded

  // Users without a time advantage can only follow moves that everyone has already seen.
  const back = Math.max(MIN_STEPS, Math.round((lateMs || 1_000) / STEP_MS))
  const { market, acts } = drawMarket(random, back, orders)
  let next = 0
  for (const [step, units] of market.entries()) {
    const act = acts[next]
    const isNear = act !== undefined && step >= act.step - back - AROUND_STEPS
    const isAfter = step - (acts[next - 1]?.step ?? 0) <= AROUND_STEPS
    if (!isNear && !isAfter && step % REPORT_EVERY !== 0) continue
    await kernel.runUntil(START_MS + step * STEP_MS)
    tell(units)
    if (act?.step !== step) continue
    order(act.direction, next)
    next += 1
  }
  node.state.end()
  return gainOf(gains)

  function tell(units: number): void {
    const time = instant(TEST_START + kernel.now)
    const quote = { symbol: BTC.code, price: formatDecimal(BigInt(units), BTC.decimals), volume: '1', time }
    kernel.after(lateMs, () => {
      for (const source of SOURCES) node.hear(source, { kind: 'quote', quote, units })
    })
  }

  function order(direction: Direction, number: number): void {
    const request = {
      userId: users[number % users.length] ?? '',
      clientOrderId: `informed-${number}`,
      direction,
      tradeSettingId: ONE_MINUTE.id,
      stake: STAKE,
      symbol: BTC.code,
      marketType: null,
      slippageGuard: null,
    }
    kernel.after(NETWORK_MS, () => void node.engines[0]?.place(request))
  }
}

/** Draws a market of single steps, and the points where a user who sees the market acts on a large move. */
function drawMarket(random: Random, back: number, orders: number) {
  const market = [6_000_000]
  const acts: { readonly step: number; readonly direction: Direction }[] = []
  const step = () => market.length - 1
  const walk = () => market.push((market.at(-1) ?? 0) + random.integer(-STEP_SIZE, STEP_SIZE))
  while (acts.length < orders) {
    for (let rest = 0; rest < ORDER_GAP_STEPS; rest += 1) walk()
    const move = () => (market.at(-1) ?? 0) - (market.at(-1 - back) ?? 0)
    while (Math.abs(move()) < WORTH_IT * deviation(back)) walk()
    acts.push({ step: step(), direction: move() > 0 ? BUY : SELL })
  }
  for (let rest = 0; rest < ORDER_GAP_STEPS; rest += 1) walk()
  return { market, acts }
}

/** The standard deviation of a move over this many steps of uniform size. */
function deviation(steps: number): number {
  return Math.sqrt((steps * STEP_SIZE * (STEP_SIZE + 1)) / 3)
}

/** The mean of some gains, and its standard error. */
export function gainOf(gains: readonly number[]): Gain {
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / (gains.length - 1)
  return { orders: gains.length, mean, error: Math.sqrt(variance / gains.length) }
}
