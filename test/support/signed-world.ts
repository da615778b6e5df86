import { createHash } from 'node:crypto'
import { formatDecimal } from '#core/money/decimal.ts'
import { VOLUME_DECIMALS } from '#core/money/price.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { ownerHash } from '#core/proof/receipt.ts'
import { factsText, ownerText, type ResultFacts, type TickFacts } from '#core/proof/receipt-facts.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { makeSigner, signReceipt } from '#test/support/signed-order.ts'

/** The instant from which all times are counted. */
export const WORLD_BEGINS = Date.UTC(2026, 2, 18, 13)
const SYMBOL = { symbol: 'BTC', symbol_id: 1, market: 'crypto', decimals: 2 } as const
const OWNER = ownerText({ order: '0195a000-0000-7000-8000-000000000001', stake: '1000', currency: 'USDT' })
const HEADER = `2 live ${'c'.repeat(64)}`
const signer = makeSigner()

/** A tick of an invented log. Times are in ms since `WORLD_BEGINS`. */
export interface WorldTick {
  readonly price: number
  readonly at: number
  /** The time at which the server received the tick. Default: 50 ms after its time. */
  readonly received?: number
  readonly symbolId?: number
  readonly volume?: string
  readonly source?: string
  /** Whether the line is late evidence, which has a position in the log but is not a current price. */
  readonly isLate?: boolean
}

/** The facts that an operator with the key signs about one order. Positions count from 0, times from `WORLD_BEGINS`. */
export interface SignedTale {
  readonly ticks: readonly WorldTick[]
  /**
   * The last position in the log when the order was accepted (`head`), and when its price was decided (`decidedHead`).
   */
  readonly head: number
  readonly decidedHead: number
  readonly entry?: number
  readonly exit: number | null
  readonly next: number | null
  readonly isVoid?: ResultFacts['void']
  readonly opened?: number
  readonly expires?: number
  readonly decided?: number
  readonly watermark?: number
  readonly acceptedSignedMs?: number
  readonly resultSignedMs?: number
  readonly facts?: Partial<ResultFacts>
  /** The first position of the two parts of the log in the check file: for the entry and for the exit. */
  readonly entryFrom?: number
  readonly exitFrom?: number
}

/** The parts of a check file, and the log of its day. */
export interface SignedWorld {
  readonly file: {
    readonly format: 'fairwick-check'
    readonly version: 1
    readonly accepted: object
    readonly result: object
    readonly evidence: { readonly entry_log: readonly LogBatch[]; readonly exit_log: readonly LogBatch[] }
    readonly keys: readonly object[]
  }
  readonly day: { readonly name: string; readonly text: string }
}

/**
 * Builds a log with one batch per tick, and signed receipts of a one-minute order on this log, true or false. Every
 * second batch is in version 2 of the log's text format.
 */
export function signedWorld(tale: SignedTale): SignedWorld {
  const { ticks, isVoid = null, opened = 0, expires = 60_000, decided = 60_200, facts = {} } = tale
  const log = logOf(ticks)
  const placed = (at: number): TickFacts => {
    const { price = 0, at: time = 0 } = ticks[at] ?? {}
    return { q: at + 1, price, time_ms: WORLD_BEGINS + time }
  }
  const headAt = (at: number) => ({ q: at + 1, hash: log[at]?.hash ?? '' })
  const entry = placed(tale.entry ?? tale.head)
  const exit = tale.exit === null ? null : placed(tale.exit)
  const change = exit === null ? 0 : exit.price - entry.price
  const resultFacts: ResultFacts = {
    v: 1,
    kind: 'result',
    trx: 'ABCD1234',
    ...SYMBOL,
    direction: 'buy',
    payout_bp: 8_000,
    rule: 1,
    opened_ms: WORLD_BEGINS + opened,
    expires_ms: WORLD_BEGINS + expires,
    entry,
    head: headAt(tale.head),
    owner: ownerHash(sha256, OWNER),
    result: change === 0 ? 'draw' : change > 0 ? 'win' : 'lose',
    void: isVoid,
    max_tick_age_ms: 5_000,
    exit,
    next: tale.next === null ? null : placed(tale.next),
    watermark_ms: WORLD_BEGINS + (tale.watermark ?? 60_100),
    decided_ms: WORLD_BEGINS + decided,
    decided_head: headAt(tale.decidedHead),
    ...facts,
  }
  const signing = (ms: number) => ({ content: { made_ms: WORLD_BEGINS + ms }, owner: OWNER })
  const { acceptedSignedMs = opened + 100, resultSignedMs = decided + 100 } = tale
  return {
    file: {
      format: 'fairwick-check',
      version: 1,
      accepted: signReceipt(
        factsText({ ...resultFacts, kind: 'accepted' }),
        'accepted',
        signer,
        signing(acceptedSignedMs),
      ),
      result: signReceipt(factsText(resultFacts), 'result', signer, signing(resultSignedMs)),
      evidence: {
        entry_log: log.slice(tale.entryFrom ?? 0, tale.head + 1),
        exit_log: log.slice(tale.exitFrom ?? Math.min(tale.head, tale.exit ?? 0), tale.decidedHead + 1),
      },
      keys: [signer.published],
    },
    day: { name: `ticks-${toIso(instant(WORLD_BEGINS)).slice(0, 10)}.csv`, text: dayOf(ticks, log) },
  }
}

function logOf(ticks: readonly WorldTick[]): LogBatch[] {
  let previous = '0'.repeat(64)
  return ticks.map((tick, at) => {
    const {
      price,
      at: time,
      received = time + 50,
      symbolId = SYMBOL.symbol_id,
      volume = '1000000',
      source = 'test',
    } = tick
    const line = `${at + 1} ${symbolId} ${price} ${volume} ${WORLD_BEGINS + time} ${WORLD_BEGINS + received} ${source}`
    const leftOut = `x ${symbolId} ${source} ${2 * at} ${2 * at} spike`
    const late = `2 late ${'c'.repeat(64)} some-incident\n${leftOut}\ne ${line} ${2 * at + 1}\n`
    const payload =
      tick.isLate === true ? late : at % 2 === 0 ? `${line}\n` : `${HEADER}\n${leftOut}\nt ${line} ${2 * at + 1}\n`
    const hash = createHash('sha256').update(Buffer.from(previous, 'hex')).update(payload).digest('hex')
    const batch = { first_seq: at + 1, last_seq: at + 1, previous_hash: previous, hash, payload }
    previous = hash
    return batch
  })
}

/** Formats the day like `GET /api/ticks/{day}.csv`. */
function dayOf(ticks: readonly WorldTick[], log: readonly LogBatch[]): string {
  const lines = log.flatMap(({ payload, hash }, at) => {
    const name = (symbolId = '') => (ticks[at]?.symbolId === undefined ? SYMBOL.symbol : `S${symbolId}`)
    return payload
      .trimEnd()
      .split('\n')
      .map((line) => {
        const words = line.split(' ')
        const [kind = '', second, third, ...rest] = words
        if (line.startsWith('2 l')) return `2,,,,,,,,${second},,${[third, ...rest].join(' ')},`
        if (kind === 'x') return `x,,,,${second},${name(second)},,,${third},,${rest.join(' ')},`
        const isNamed = kind === 't' || kind === 'e'
        const [place, symbolId, price = '', volume = '', time, received, source, ref = ''] = isNamed
          ? words.slice(1)
          : words
        const clock = toIso(instant(Number(time)))
        return `${isNamed ? kind : ''},${place},${time},${clock},${symbolId},${name(symbolId)},${formatDecimal(BigInt(price), SYMBOL.decimals)},${formatDecimal(BigInt(volume), VOLUME_DECIMALS)},${source},${received},${ref},${hash}`
      })
  })
  const last = log.at(-1)
  return [
    '# format,2',
    'line,seq,time_ms,time,symbol_id,symbol,price,volume,source,received_ms,ref,batch_hash',
    ...lines,
    `# previous,0,${'0'.repeat(64)}`,
    `# head,${last?.last_seq},${last?.hash}`,
    '',
  ].join('\r\n')
}
