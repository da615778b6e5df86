import { headerLine, type LogNote, noteLine } from '#core/markets/log-text.ts'
import type { Tick } from '#core/markets/tick.ts'
import type { BufferedTick } from '#server/market-data/tick-log/tick-buffer.ts'
import { tickLine } from '#server/market-data/tick-log/tick-text.ts'

interface Range {
  readonly from: number
  readonly to: number
}

/** The source in use of one symbol, and how far the log accounts for its trades. */
interface SourceLine {
  source: string
  /** The provider's number of the newest tick from this source. Null when that tick had no number. */
  ref: number | null
  /** Numbers above `ref` that are left out, ascending. */
  leftOut: readonly Range[]
}

/** A batch as text, not written yet. */
export interface BatchDraft {
  readonly payload: string
  readonly ticks: readonly Tick[]
  /** Call when the batch is in the log. */
  readonly commit: () => void
}

/**
 * Writes the text of batches. For each symbol, it knows the trade number of the source up to which the log accounts for
 * every trade. Numbers that are missing before a tick become a line `lost`.
 */
export class BatchWriter {
  readonly #lines = new Map<number, SourceLine>()

  /** Formats ticks as a batch that begins at `firstSeq`. All ticks have the same source configuration. */
  draft(buffered: readonly BufferedTick[], firstSeq: number): BatchDraft {
    const changed = new Map<number, SourceLine>()
    const ticks: Tick[] = []
    let payload = `${headerLine(buffered[0]?.sources ?? '')}\n`
    for (const { symbolId, price, volume, time, receivedAt, source, ref, notes } of buffered) {
      const seq = firstSeq + ticks.length
      const tick: Tick = { seq, symbolId, price, volume, time, receivedAt, source, ref }
      for (const note of notes) payload += `${noteLine(note)}\n`
      for (const note of this.#before(tick, notes, changed)) payload += `${noteLine(note)}\n`
      payload += `${tickLine(tick)}\n`
      ticks.push(tick)
    }
    const commit = (): void => {
      for (const [symbolId, line] of changed) this.#lines.set(symbolId, line)
    }
    return { payload, ticks, commit }
  }

  /** Notes ticks that another server wrote. */
  take(ticks: readonly Tick[]): void {
    for (const { symbolId, source, ref } of ticks)
      this.#lines.set(symbolId, { source, ref: ref ?? null, leftOut: NONE })
  }

  /** Returns the lines that the log needs before a tick, and updates the state of the symbol. */
  #before(tick: Tick, notes: readonly LogNote[], changed: Map<number, SourceLine>): readonly LogNote[] {
    const { symbolId, source, ref } = tick
    for (const note of notes) if (note.kind === 'x') leaveOut(note, this.#lineOf(note.symbolId, changed))
    const line = this.#lineOf(symbolId, changed)
    if (line === null) {
      changed.set(symbolId, { source, ref: ref ?? null, leftOut: NONE })
      const isUseKnown = notes.some((note) => note.kind === 'u' && note.symbolId === symbolId)
      return isUseKnown ? NO_NOTES : [{ kind: 'u', symbolId, source, why: 'start' }]
    }
    const before = line.source === source ? line.ref : null
    if (line.source !== source) Object.assign(line, { source, ref: null, leftOut: NONE })
    if (ref === undefined) return NO_NOTES
    const missing = before === null ? NONE : missingBetween(before, ref, line.leftOut)
    line.ref = ref
    if (line.leftOut.length > 0) line.leftOut = line.leftOut.filter(({ to }) => to > ref)
    return missing.map((range) => ({ kind: 'x', symbolId, source, ...range, why: 'lost' }))
  }

  /** Copies the state of a symbol. The copy counts once the batch is in the log. */
  #lineOf(symbolId: number, changed: Map<number, SourceLine>): SourceLine | null {
    const known = changed.get(symbolId)
    if (known !== undefined) return known
    const written = this.#lines.get(symbolId)
    if (written === undefined) return null
    const copy = { ...written }
    changed.set(symbolId, copy)
    return copy
  }
}

const NO_NOTES: readonly LogNote[] = []
const NONE: readonly Range[] = []

/** The numbers between two ticks that no line accounts for. */
function missingBetween(last: number, next: number, leftOut: readonly Range[]): readonly Range[] {
  if (next <= last + 1) return NONE
  const missing: Range[] = []
  let from = last + 1
  for (const range of leftOut) {
    if (range.from >= next) break
    if (range.from > from) missing.push({ from, to: range.from - 1 })
    from = Math.max(from, range.to + 1)
  }
  if (from < next) missing.push({ from, to: next - 1 })
  return missing
}

/** Adds the numbers of a line. Touching ranges are joined, so that a long time without prices stays one range. */
function leaveOut({ source, from, to }: LogNote & { kind: 'x' }, line: SourceLine | null): void {
  if (line?.source !== source) return
  const ranges = [...line.leftOut, { from, to }].toSorted((a, b) => a.from - b.from)
  const joined: Range[] = []
  for (const range of ranges) {
    const last = joined.at(-1)
    if (last === undefined || range.from > last.to + 1) joined.push(range)
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
  }
  line.leftOut = joined
}
