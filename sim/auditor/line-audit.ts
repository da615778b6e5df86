import { textOf } from '../memory-store/cells.ts'
import type { Row } from '../memory-store/specs.ts'
import { judgeTrades, type Trade, tradesAround } from './trade-line.ts'
import { ageOf } from './site-terms.ts'

/** A reply of a source's record about some consecutive trades of the source. */
export interface RecordAnswer {
  readonly source: string
  readonly symbolId: number
  /** The time of the request. */
  readonly requestedAt: number
  readonly from: number
  readonly through: number
  /** Null when the record did not reply. */
  readonly stretch: {
    readonly trades: readonly { readonly ref: number; readonly price: string; readonly time: number }[]
    readonly isNewest: boolean
  } | null
}

interface Answer {
  readonly at: number
  readonly requestedAt: number
  readonly from: number
  readonly through: number
  readonly trades: readonly { readonly ref: number; readonly time: number }[]
  readonly isNewest: boolean
  /** Whether the reply fits or contradicts the part of the tick log that the auditor has seen. */
  readonly kind: () => 'none' | 'fits' | 'contradicts'
}

interface LoggedTrade {
  readonly seq: number
  readonly units: number
  readonly time: number
  readonly isLate: boolean
  /** When the auditor saw this line of the tick log. */
  readonly seenAt: number
}

/** The auditor's knowledge about one symbol of one source. */
interface Line {
  readonly source: string
  readonly symbolId: number
  readonly trades: Trade[]
  readonly byRef: Map<number, Trade>
  /** The price that the source's record states for each trade number. */
  readonly recorded: Map<number, number>
  /**
   * The lines of the tick log for each trade number. A number may have two lines, because the stream may deliver a
   * trade that is already in the log as late evidence.
   */
  readonly logged: Map<number, LoggedTrade[]>
  readonly leftOut: { readonly from: number; readonly to: number; readonly why: string; readonly seenAt: number }[]
  readonly answers: Answer[]
  judged: ReturnType<typeof judgeTrades> | null
}

export interface LineAuditParts {
  readonly complain: (what: string) => void
  readonly now: () => number
  /** Whether the auditor sees commits late, because it polls the store. */
  readonly isPolled: boolean
}

/** The trades that decide an expiry, as computed by the auditor. */
interface Ending {
  readonly exit: Trade | null
  readonly next: Trade | null
}

const FINAL = ['number', 'back', 'spike', 'absent']
/**
 * A server queries the record for at least a minute before it gives up. Its clock may be off by 5 s, and queries take
 * time.
 */
const GIVES_UP_AFTER_MS = 50_000
const GIVEN_UP_MS = 70_000
/** The pauses after each query without a result, and the maximum time for a query and the write of its result. */
const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000]
/** The pause around the end of the first minute, after which a server gives up. */
const GIVEN_UP_PAUSE_MS = 60_000
const LAST_PAUSE_MS = 300_000
const FIRST_QUESTION_MS = 12_000
const SLACK_MS = 15_000
/**
 * 10 s: a server may have read the tick log up to this long before it queries the record, because its statements may be
 * slow.
 */
const LOOKED_BEFORE_MS = 10_000

/**
 * Decides by the full list of a source's trades how each order must end, whatever the server received. Checks the lines
 * of the tick log about these trades. Also checks that an order is void only after the source's record was queried
 * without success.
 */
export class LineAudit {
  readonly #parts: LineAuditParts
  readonly #lines = new Map<string, Line>()
  #startedAt = 0

  constructor(parts: LineAuditParts) {
    this.#parts = parts
  }

  serverStarts(): void {
    this.#startedAt = this.#parts.now()
  }

  listed(source: string, symbolId: number, trade: Trade, recordedUnits: number): void {
    const line = this.#of(source, symbolId)
    line.trades.push(trade)
    line.byRef.set(trade.ref, trade)
    line.recorded.set(trade.ref, recordedUnits)
    line.judged = null
  }

  answered({ source, symbolId, requestedAt, from, through, stretch }: RecordAnswer): void {
    const line = this.#of(source, symbolId)
    const trades = stretch?.trades ?? []
    const compare = () => (stretch === null ? 'none' : isContradicted(line, trades) ? 'contradicts' : 'fits')
    const kind = this.#parts.isPolled ? null : compare()
    const isNewest = stretch?.isNewest ?? false
    const at = this.#parts.now()
    line.answers.push({ at, requestedAt, from, through, trades, isNewest, kind: () => kind ?? compare() })
  }

  /**
   * Notes a price of the tick log that has a trade number of its source, and compares it with the source's list of
   * trades.
   */
  price(source: string, symbolId: number, ref: number, tick: Omit<LoggedTrade, 'seenAt'>): void {
    const logged = { ...tick, seenAt: this.#parts.now() }
    const line = this.#of(source, symbolId)
    const where = `trade ${ref} of ${source} ${symbolId}`
    const trade = line.byRef.get(ref)
    if (trade === undefined) return this.#parts.complain(`I13: the log has ${where}, which the source never made`)
    const units = logged.isLate ? line.recorded.get(ref) : trade.units
    if (units !== logged.units || trade.time !== logged.time)
      this.#parts.complain(`I13: the log has ${where} with another price or time than the source`)
    if (logged.isLate) this.#checkEvidence(line, ref)
    line.logged.set(ref, [...(line.logged.get(ref) ?? []), logged])
  }

  /** Notes a range of trade numbers that, according to the tick log, are no prices. */
  leftOut(source: string, symbolId: number, range: { from: number; to: number; why: string }): void {
    const line = this.#of(source, symbolId)
    const { from, to, why } = range
    if (!FINAL.includes(why)) return
    line.leftOut.push({ ...range, seenAt: this.#parts.now() })
    const judged = this.#judge(line)
    for (const [at, trade] of line.trades.entries()) {
      if (trade.ref < from || trade.ref > to) continue
      const isRight = why === 'spike' ? judged.isNearJump[at] : !judged.isPrice[at]
      if (isRight !== true)
        this.#parts.complain(`I13: the log leaves out trade ${trade.ref} of ${source} ${symbolId} as ${why}`)
    }
  }

  /** Checks a stored decision about orders that began on a source with numbers. */
  decided(row: Row): void {
    const line = this.#of(String(row['source']), Number(row['symbol_id']))
    const expiresAt = Number(row['expires_ms'])
    const what = `the price of ${line.symbolId} ${expiresAt} on ${line.source}`
    const reason = row['void_reason']
    if (reason === 'history_unavailable' || reason === 'history_contradicts')
      return this.#checkVoid(line, row, what, reason)
    const { exit, next } = this.#ending(line, expiresAt)
    const exitRef = numOrNull(row, 'exit_ref')
    if (reason !== null && reason !== 'no_trade_before_expiry')
      this.#parts.complain(`I13: ${what} is void by ${textOf(row, 'void_reason')}`)
    if (reason === null ? exitRef !== exit?.ref : exit !== null)
      this.#parts.complain(`I13: ${what} is trade ${exitRef ?? 'none'}, the source's list says ${exit?.ref ?? 'none'}`)
    const exitLine = loggedAt(line, exitRef, numOrNull(row, 'exit_seq'))
    const isAsLogged = Number(row['exit_price']) === exitLine?.units && Number(row['exit_time_ms']) === exitLine.time
    if (exitRef !== null && !isAsLogged) this.#parts.complain(`I13: ${what} is not trade ${exitRef} as the log has it`)
    const nextRef = numOrNull(row, 'next_ref')
    const nextLine = loggedAt(line, nextRef, numOrNull(row, 'next_seq'))
    if (nextRef === null) this.#checkQuiet(line, expiresAt, what)
    else if (nextRef !== next?.ref || nextLine === undefined)
      this.#parts.complain(
        `I13: ${what} names ${nextRef} as the next trade, the source's list says ${next?.ref ?? 'none'}`,
      )
    const isLate = exitLine?.isLate === true || nextLine?.isLate === true
    if (row['is_late'] !== isLate) this.#parts.complain(`I13: ${what} is late: ${String(row['is_late'])}`)
  }

  /** Whether an order may still be open: its trades are missing, and the next query of the record is not overdue. */
  mayWait(source: string, symbolId: number, expiresAt: number): boolean {
    const line = this.#of(source, symbolId)
    if (this.#isInLog(line, expiresAt)) return false
    const now = this.#parts.now()
    const requests = this.#answersAbout(line, expiresAt).filter(({ at }) => at >= this.#startedAt)
    const last = requests.at(-1)
    if (last === undefined) return now < Math.max(expiresAt, this.#startedAt) + FIRST_QUESTION_MS + SLACK_MS
    // After a minute without a reply there is no further query.
    const isHopeless = last.kind() === 'none' && last.at > Math.max(expiresAt, this.#startedAt) + GIVEN_UP_MS
    // That reply may be about a later expiry, so the next query about this expiry may come a whole pause later.
    if (isHopeless) return now < last.at + GIVEN_UP_PAUSE_MS + SLACK_MS
    return now < last.at + (PAUSES_MS[requests.length - 1] ?? LAST_PAUSE_MS) + SLACK_MS
  }

  /** Late evidence must come from a reply of the source's record, fit the tick log, and be missing there. */
  #checkEvidence(line: Line, ref: number): void {
    const where = `late evidence of ${line.source} ${line.symbolId} has trade ${ref}`
    const answer = line.answers.findLast(({ trades }) => trades.some((trade) => trade.ref === ref))
    if (answer === undefined) return this.#parts.complain(`I13: ${where}, of which the record said nothing`)
    if (answer.kind() !== 'fits') this.#parts.complain(`I13: ${where}, though the record contradicts the log`)
    // The stream may deliver a trade while the record is being queried. A batch about numbers that are no prices
    // repeats a price.
    const seenAt = line.logged.get(ref)?.[0]?.seenAt ?? Number.POSITIVE_INFINITY
    const isNoted = line.leftOut.some(({ seenAt: notedAt }) => notedAt === this.#parts.now())
    if (seenAt < answer.requestedAt - LOOKED_BEFORE_MS && !isNoted && !this.#parts.isPolled)
      this.#parts.complain(`I13: ${where}, which the log has`)
  }

  /**
   * Checks a decision that names no trade after the expiry: a reply of the record, from after the expiry, must have
   * said that there is none.
   */
  #checkQuiet(line: Line, expiresAt: number, what: string): void {
    const isStated = this.#answersAbout(line, expiresAt).some(({ at, isNewest }) => isNewest && at > expiresAt)
    if (!isStated) this.#parts.complain(`I13: ${what} was decided before the source had passed the expiry`)
  }

  #checkVoid(line: Line, row: Row, what: string, reason: string): void {
    const expiresAt = Number(row['expires_ms'])
    const requests = this.#answersAbout(line, expiresAt)
    const last = requests.at(-1)
    if (this.#isInLog(line, expiresAt, Number(row['head_seq'])))
      this.#parts.complain(`I13: ${what} is void though the log has its trades`)
    if (last === undefined || last.at < expiresAt + GIVES_UP_AFTER_MS)
      return this.#parts.complain(`I13: ${what} is void by ${reason} before the record was asked for a minute`)
    const isInVain =
      reason === 'history_contradicts'
        ? requests.some(({ kind, at }) => kind() === 'contradicts' && at <= last.at - GIVES_UP_AFTER_MS)
        : !this.#isUseful(line, last, expiresAt)
    const isOtherwise = reason === 'history_contradicts' && last.kind() !== 'contradicts'
    if (!isInVain || isOtherwise)
      this.#parts.complain(`I13: ${what} is void by ${reason}, but the record said otherwise`)
  }

  /** Whether a reply covers prices before and after the expiry, and fits the tick log. */
  #isUseful(line: Line, { kind, trades, isNewest }: Answer, expiresAt: number): boolean {
    const judged = this.#judge(line)
    const prices = line.trades.filter((trade, at) => judged.isPrice[at] && trades.some(({ ref }) => ref === trade.ref))
    const hasLast = prices.some(({ time }) => time <= expiresAt)
    return kind() === 'fits' && hasLast && (isNewest || prices.some(({ time }) => time > expiresAt))
  }

  #answersAbout(line: Line, expiresAt: number): Answer[] {
    return line.answers.filter(({ from, through }) => from <= expiresAt && expiresAt <= through)
  }

  /**
   * Whether the tick log up to the sequence number `head` alone decides an expiry. For this, it must account for each
   * trade number from the last price before the expiry to the next price.
   */
  #isInLog(line: Line, expiresAt: number, head = Number.POSITIVE_INFINITY): boolean {
    const { last, next } = this.#around(line, expiresAt)
    if (last === null || next === null) return false
    for (let ref = last.ref; ref <= next.ref; ref += 1) {
      const isLeftOut = line.leftOut.some(({ from, to }) => from <= ref && ref <= to)
      const seq = line.logged.get(ref)?.[0]?.seq ?? null
      if (!isLeftOut && (seq === null || seq > head)) return false
    }
    return true
  }

  #ending(line: Line, expiresAt: number): Ending {
    const { last, next } = this.#around(line, expiresAt)
    const isInTime = last !== null && last.time >= expiresAt - ageOf(line.symbolId)
    return { exit: isInTime ? last : null, next }
  }

  #around(line: Line, expiresAt: number) {
    return tradesAround(line.trades, this.#judge(line), expiresAt, (ref) => {
      if (line.logged.has(ref)) return 'price'
      return line.leftOut.some(({ from, to }) => from <= ref && ref <= to) ? 'left out' : null
    })
  }

  #judge(line: Line): ReturnType<typeof judgeTrades> {
    line.judged ??= judgeTrades(line.trades, ageOf(line.symbolId))
    return line.judged
  }

  #of(source: string, symbolId: number): Line {
    const key = `${source} ${symbolId}`
    let line = this.#lines.get(key)
    if (line === undefined) {
      line = {
        source,
        symbolId,
        trades: [],
        byRef: new Map(),
        recorded: new Map(),
        logged: new Map(),
        leftOut: [],
        answers: [],
        judged: null,
      }
      this.#lines.set(key, line)
    }
    return line
  }
}

/** Whether a reply gives another price or time for a trade number than the tick log does. */
function isContradicted(line: Line, trades: Answer['trades']): boolean {
  return trades.some(({ ref, time }) => {
    const [logged] = line.logged.get(ref) ?? []
    return logged !== undefined && (logged.units !== line.recorded.get(ref) || logged.time !== time)
  })
}

function loggedAt(line: Line, ref: number | null, seq: number | null): LoggedTrade | undefined {
  return ref === null ? undefined : line.logged.get(ref)?.find((logged) => logged.seq === seq)
}

function numOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : Number(row[column])
}
