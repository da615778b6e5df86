import type { SourceClass } from '#core/markets/source-class.ts'
import { Random } from '../kernel/random.ts'

/** The faults of a run. Zero means never. Probabilities are per statement, message or request. */
export interface Faults {
  /** A statement that fails without any effect. */
  readonly refused: number
  /** A statement that is executed, but whose reply is lost. */
  readonly lostAck: number
  readonly slow: number
  readonly slowMs: number
  /** The store is unreachable for a time. */
  readonly outageEveryMs: number
  readonly outageMs: number
  readonly crashEveryMs: number
  readonly downMs: number
  /** A process that is suspended without noticing it. */
  readonly pauseEveryMs: number
  readonly pauseMs: number
  readonly clockJumpEveryMs: number
  readonly clockJumpMs: number
  /** A request sent twice concurrently, a request repeated with other content, and a reply that its user never gets. */
  readonly sentTwice: number
  readonly sentChanged: number
  readonly lostAnswer: number
  /** A source that is silent, frozen, wrong or late for a time. */
  readonly badSourceEveryMs: number
  readonly badSourceMs: number
  readonly spike: number
  readonly wrongTime: number
  readonly garbage: number
  readonly saidTwice: number
  /** A numbered trade that the stream does not deliver, that is unreadable, or that arrives after later trades. */
  readonly tradeLost: number
  /** A numbered trade without a valid price. */
  readonly tradeUnpriced: number
  readonly tradeUnread: number
  readonly tradeLate: number
  /** A call of a source's record that fails, or whose page lacks a row. */
  readonly recordFails: number
  readonly recordDamaged: number
  readonly recordSlowMs: number
  /** The record is unreachable for a time. */
  readonly recordAwayEveryMs: number
  readonly recordAwayMs: number
}

/** The permanent properties of the sources of a run. */
export interface SourcePlan {
  /** Whether each source numbers its trades and keeps a record of them. */
  readonly classes: readonly [SourceClass, SourceClass]
  /** How long a trade takes to appear in the record. */
  readonly recordDelayMs: number
  /**
   * Probability that the source leaves out numbers, and probability that the record has another price than the stream.
   */
  readonly absent: number
  readonly contradicted: number
  /** Whether the record never answers. */
  readonly isRecordGone: boolean
}

/** One run, drawn from its seed. The kinds of faults are drawn first, so that runs differ in kind. */
export interface Plan {
  readonly seed: number
  /** The version of the rules by which orders are accepted. */
  readonly rule: 1 | 2
  readonly sources: SourcePlan
  readonly users: number
  readonly placeEveryMs: number
  readonly payEveryMs: number
  /** The number of engines that settle the same orders in one store. */
  readonly engines: 1 | 2
  /**
   * The maximum number of orders in one statement. When so many orders wait, the engine sends them before the reply to
   * the previous statement.
   */
  readonly maxBatchSize: number
  readonly safetyMs: number
  /** The time without faults at the end of the run, in which the server must finish everything that is due. */
  readonly livenessMs: number
  readonly faults: Faults
  /**
   * The caps on the sum of the profits of all open orders in one direction, per symbol and for the whole site, in
   * cents. Null: none.
   */
  readonly caps: { readonly symbol: number; readonly site: number } | null
}

export const NO_FAULTS: Faults = {
  refused: 0,
  lostAck: 0,
  slow: 0,
  slowMs: 0,
  outageEveryMs: 0,
  outageMs: 0,
  crashEveryMs: 0,
  downMs: 0,
  pauseEveryMs: 0,
  pauseMs: 0,
  clockJumpEveryMs: 0,
  clockJumpMs: 0,
  sentTwice: 0,
  sentChanged: 0,
  lostAnswer: 0,
  badSourceEveryMs: 0,
  badSourceMs: 0,
  spike: 0,
  wrongTime: 0,
  garbage: 0,
  saidTwice: 0,
  tradeLost: 0,
  tradeUnpriced: 0,
  tradeUnread: 0,
  tradeLate: 0,
  recordFails: 0,
  recordDamaged: 0,
  recordSlowMs: 0,
  recordAwayEveryMs: 0,
  recordAwayMs: 0,
}

/**
 * The time without faults, for the whole run and for each of its minutes. Users repeat unanswered requests only a few
 * at a time, and a longer run has more of them.
 */
const CALM_MS = 88_000
const CALM_MS_A_MINUTE = 12_000
const MINUTE = 60_000

/** One run in four uses rule 1, unless a rule is given. */
export function drawPlan(seed: number, minutes = 10, rule?: 1 | 2): Plan {
  const random = new Random(seed, 'plan')
  const sometimes = (chance: number, value: () => number): number => (random.chance(chance) ? value() : 0)
  const share = (max: number) => () => max * random.next() ** 2
  const between = (low: number, high: number) => () => random.integer(low, high)
  const faults: Faults = {
    refused: sometimes(0.4, share(0.1)),
    lostAck: sometimes(0.4, share(0.1)),
    slow: sometimes(0.4, share(0.1)),
    slowMs: random.pick([50, 400, 3_000]),
    outageEveryMs: sometimes(0.25, between(60_000, 300_000)),
    outageMs: random.pick([1_000, 8_000, 70_000]),
    crashEveryMs: sometimes(0.4, between(20_000, 200_000)),
    downMs: random.pick([300, 5_000, 40_000]),
    pauseEveryMs: sometimes(0.25, between(30_000, 200_000)),
    pauseMs: random.pick([2_000, 15_000]),
    clockJumpEveryMs: sometimes(0.2, between(60_000, 300_000)),
    clockJumpMs: random.pick([80, 900, 4_000, 65_000]),
    sentTwice: sometimes(0.5, share(0.4)),
    sentChanged: sometimes(0.3, share(0.1)),
    lostAnswer: sometimes(0.4, share(0.3)),
    badSourceEveryMs: sometimes(0.5, between(15_000, 120_000)),
    badSourceMs: random.pick([2_000, 12_000, 80_000]),
    spike: sometimes(0.3, share(0.05)),
    wrongTime: sometimes(0.3, share(0.1)),
    garbage: sometimes(0.3, share(0.1)),
    saidTwice: sometimes(0.3, share(0.2)),
    ...drawRecordFaults(new Random(seed, 'faults of the record')),
  }
  return {
    seed,
    rule: rule ?? (new Random(seed, 'rule').chance(0.25) ? 1 : 2),
    sources: drawSources(new Random(seed, 'sources')),
    users: random.integer(2, 5),
    placeEveryMs: random.pick([1_000, 3_000, 8_000]),
    payEveryMs: random.pick([15_000, 40_000]),
    engines: random.chance(0.3) ? 2 : 1,
    // This value follows from the seed without a random draw, so that the draw does not change the runs of recorded
    // seeds.
    maxBatchSize: seed % 4 === 0 ? 1 : 500,
    safetyMs: minutes * MINUTE,
    livenessMs: CALM_MS + minutes * CALM_MS_A_MINUTE,
    faults,
    caps: null,
  }
}

/**
 * Returns a plan in which a few open orders fill the caps. The plan has only one engine, because caps require that only
 * one server accepts orders.
 */
export function drawCappedPlan(seed: number, minutes = 10): Plan {
  const random = new Random(seed, 'caps')
  const symbol = random.integer(8_000, 40_000)
  return {
    ...drawPlan(seed, minutes, 1),
    users: 5,
    engines: 1,
    placeEveryMs: 1_000,
    caps: { symbol, site: random.integer(symbol, 2 * symbol) },
  }
}

type RecordFaults = Pick<
  Faults,
  | 'tradeLost'
  | 'tradeUnpriced'
  | 'tradeUnread'
  | 'tradeLate'
  | 'recordFails'
  | 'recordDamaged'
  | 'recordSlowMs'
  | 'recordAwayEveryMs'
  | 'recordAwayMs'
>

function drawRecordFaults(random: Random): RecordFaults {
  const sometimes = (chance: number, max: number): number => (random.chance(chance) ? max * random.next() ** 2 : 0)
  return {
    tradeLost: sometimes(0.5, 0.3),
    tradeUnpriced: sometimes(0.2, 0.03),
    tradeUnread: sometimes(0.2, 0.03),
    tradeLate: sometimes(0.2, 0.03),
    recordFails: sometimes(0.4, 0.6),
    recordDamaged: sometimes(0.3, 0.4),
    recordSlowMs: random.pick([30, 300, 4_000]),
    recordAwayEveryMs: random.chance(0.3) ? random.integer(20_000, 120_000) : 0,
    recordAwayMs: random.pick([5_000, 40_000, 200_000]),
  }
}

function drawSources(random: Random): SourcePlan {
  const sometimes = (chance: number, max: number): number => (random.chance(chance) ? max * random.next() ** 2 : 0)
  return {
    classes: random.pick([
      ['ids', 'ids'],
      ['ids', 'ids'],
      ['ids', 'none'],
      ['none', 'ids'],
      ['none', 'none'],
    ] as const),
    recordDelayMs: random.pick([0, 300, 4_000]),
    absent: sometimes(0.15, 0.03),
    contradicted: sometimes(0.25, 0.5),
    isRecordGone: random.chance(0.1),
  }
}
