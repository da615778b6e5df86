/**
 * Why a trade of the source made no price. Trades left out for `doubt` or `lost` may be corrected from the provider's
 * history; the other reasons are final.
 */
export const LEFT_OUT_REASONS = ['number', 'back', 'session', 'spike', 'absent', 'doubt', 'lost'] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

/** Why the prices of a symbol come from another source after this line of the log. */
export const USE_REASONS = ['start', 'silent', 'late', 'back', 'refused'] as const
export type UseReason = (typeof USE_REASONS)[number]

/** Trades of a source that made no price, by their provider's numbers. */
export interface LeftOut {
  readonly kind: 'x'
  readonly symbolId: number
  readonly source: string
  readonly from: number
  /** The last trade number of the range, inclusive. */
  readonly to: number
  readonly why: LeftOutReason
}

/** A line that names the source of a symbol's prices for all following lines. */
export interface SourceUse {
  readonly kind: 'u'
  readonly symbolId: number
  readonly source: string
  readonly why: UseReason
}

export type LogNote = LeftOut | SourceUse

/** A price in the tick log. */
export interface LogTick {
  readonly q: number
  readonly symbolId: number
  readonly price: number
  readonly volume: number
  readonly timeMs: number
  readonly receivedMs: number
  readonly source: string
  /** The provider's number of the trade. Null when the trade has no number, and in batches of text format 1. */
  readonly ref: number | null
}

/** `t` is a price. `e` is late evidence: it has a sequence number in the log but is not a price. */
export type PlacedLine = { readonly kind: 't' | 'e' } & LogTick

export type LogLine = PlacedLine | LogNote

/** The first line of a batch in text format 2. */
export interface LogHeader {
  /** The hash of the source configuration that was in use for this batch. */
  readonly sources: string
  /** The incident whose missing trades a late batch contains. Null for a batch of current prices. */
  readonly incident: string | null
}

/** The content of a batch. Batches in text format 1 have no header. */
export interface BatchText {
  readonly header: LogHeader | null
  readonly lines: readonly LogLine[]
}

// Each value has exactly one form, because a number with leading zeros would give the text a different hash.
const NUMBER = '(0|[1-9]\\d{0,15})'
const NUMBERS = Array.from({ length: 6 }, () => NUMBER).join(' ')
const HEADER = /^2 (?:live ([0-9a-f]{64})|late ([0-9a-f]{64}) ([\x21-\x7e]{1,80}))$/
const TEXT_1 = new RegExp(`^${NUMBERS} ([\\x21-\\x7e]{1,40})$`)
const TEXT_2 = new RegExp(`^([te]) ${NUMBERS} ([\\x21-\\x7e]{1,80}) (-|0|[1-9]\\d{0,15})$`)
const LEFT_OUT = new RegExp(`^x ${NUMBER} ([\\x21-\\x7e]{1,80}) ${NUMBER} ${NUMBER} (${LEFT_OUT_REASONS.join('|')})$`)
const USE = new RegExp(`^u ${NUMBER} ([\\x21-\\x7e]{1,80}) (${USE_REASONS.join('|')})$`)

/** Formats the first line of a batch of current prices. */
export function headerLine(sources: string): string {
  return `2 live ${sources}`
}

/** Formats the header of a late batch. */
export function lateHeaderLine(sources: string, incident: string): string {
  return `2 late ${sources} ${incident}`
}

/** Formats a line without a price: about left-out trades, or about the source in use. */
export function noteLine(note: LogNote): string {
  const { kind, symbolId, source, why } = note
  return kind === 'x' ? `x ${symbolId} ${source} ${note.from} ${note.to} ${why}` : `u ${symbolId} ${source} ${why}`
}

/** Whether a batch is in text format 2. In text format 1, the second word is a number. */
export function hasHeader(payload: string): boolean {
  return payload.startsWith('2 l')
}

/** Parses the canonical text of a batch. Returns null when any line has another form. */
export function readBatchText(payload: string): BatchText | null {
  if (!payload.endsWith('\n')) return null
  const texts = payload.slice(0, -1).split('\n')
  if (!hasHeader(payload)) {
    const lines = texts.map(readTickLine)
    return lines.every((line) => line !== null) ? { header: null, lines } : null
  }
  const header = readHeader(texts[0] ?? '')
  if (header === null) return null
  const lines = texts.slice(1).map(readLine)
  if (!lines.every((line) => line !== null)) return null
  const isLate = header.incident !== null
  const place = isLate ? 'e' : 't'
  const isOfIt = lines.every(({ kind }) => kind === place || kind === 'x' || (kind === 'u' && !isLate))
  // Lines without a sequence number come before a line with one, so the last line of every batch must have a sequence
  // number.
  return isOfIt && lines.at(-1)?.kind === place ? { header, lines } : null
}

/** The lines of a batch that have a sequence number in the log. */
export function placedLines({ lines }: BatchText): PlacedLine[] {
  return lines.filter((line): line is PlacedLine => line.kind === 't' || line.kind === 'e')
}

/**
 * Parses the lines of a batch that name a symbol. For a batch in text format 1 the result is empty, because that format
 * has no provider's numbers.
 */
export function linesOfSymbol(payload: string, symbolId: number): LogLine[] {
  if (!hasHeader(payload)) return []
  const id = `${symbolId} `
  return payload.split('\n').flatMap((text) => {
    // Most lines are of other symbols, so for speed the symbol is compared before the line is parsed.
    const isNote = text[0] === 'x' || text[0] === 'u'
    if (!text.startsWith(id, isNote ? 2 : text.indexOf(' ', 2) + 1)) return []
    return readLine(text) ?? []
  })
}

function readHeader(line: string): LogHeader | null {
  const [, live, late, incident = null] = HEADER.exec(line) ?? []
  const sources = live ?? late
  return sources === undefined ? null : { sources, incident }
}

function readLine(line: string): LogLine | null {
  switch (line[0]) {
    case 't':
    case 'e': {
      const [, kind, ...fields] = TEXT_2.exec(line) ?? []
      const tick = tickOf(fields)
      return tick === null || (tick.ref !== null && !Number.isSafeInteger(tick.ref))
        ? null
        : { kind: kind === 'e' ? 'e' : 't', ...tick }
    }
    case 'x': {
      const [, symbolId, source, from, to, why] = LEFT_OUT.exec(line) ?? []
      const reason = LEFT_OUT_REASONS.find((one) => one === why)
      const isRange =
        Number(from) <= Number(to) && [symbolId, from, to].every((text) => Number.isSafeInteger(Number(text)))
      if (source === undefined || reason === undefined || !isRange) return null
      return { kind: 'x', symbolId: Number(symbolId), source, from: Number(from), to: Number(to), why: reason }
    }
    default: {
      const [, symbolId, source, why] = USE.exec(line) ?? []
      const reason = USE_REASONS.find((one) => one === why)
      if (source === undefined || reason === undefined || !Number.isSafeInteger(Number(symbolId))) return null
      return { kind: 'u', symbolId: Number(symbolId), source, why: reason }
    }
  }
}

/** Parses a line of text format 1. */
function readTickLine(line: string): PlacedLine | null {
  const [, ...fields] = TEXT_1.exec(line) ?? []
  const tick = tickOf(fields)
  return tick === null ? null : { kind: 't', ...tick }
}

function tickOf([q, symbolId, price, volume, timeMs, receivedMs, source, ref]: readonly string[]): LogTick | null {
  const numbers = [q, symbolId, price, volume, timeMs, receivedMs].map(Number)
  if (source === undefined || !numbers.every(Number.isSafeInteger) || price === '0' || timeMs === '0') return null
  return {
    q: Number(q),
    symbolId: Number(symbolId),
    price: Number(price),
    volume: Number(volume),
    timeMs: Number(timeMs),
    receivedMs: Number(receivedMs),
    source,
    ref: ref === undefined || ref === '-' ? null : Number(ref),
  }
}
