import type { LogNote } from '#core/markets/log-text.ts'
import type { BufferedTick } from '#server/market-data/tick-log/tick-buffer.ts'

/**
 * At most 1,000 lines wait for the next tick, and further lines are dropped. The numbers in dropped lines are missing
 * from the log, so the next tick of the source shows the loss.
 */
const MAX_NOTES = 1_000
const NONE: readonly LogNote[] = []

/** 64 zeros stand for the hash when a feed names no configuration. */
const NO_SOURCES = '0'.repeat(64)

/** Everything that the log records in addition to prices. Lines wait for the next tick, because a batch ends with a tick. */
export class LogNotes {
  #notes: LogNote[] = []
  #sources = NO_SOURCES

  /** Sets the hash of the configuration of the sources. It applies to the ticks that follow. */
  useSources(hash: string): void {
    this.#sources = hash
  }

  /** The hash of the configuration of the sources. */
  get sources(): string {
    return this.#sources
  }

  add(note: LogNote): void {
    const last = this.#notes.at(-1)
    const joined = last === undefined ? null : join(last, note)
    if (joined !== null) this.#notes[this.#notes.length - 1] = joined
    else if (this.#notes.length < MAX_NOTES) this.#notes.push(note)
  }

  /** Returns the configuration and the lines that belong to the next tick. Each line is returned once. */
  take(): Pick<BufferedTick, 'sources' | 'notes'> {
    return { sources: this.#sources, notes: this.#notes.length === 0 ? NONE : this.#notes.splice(0) }
  }
}

/** Joins a line with the previous line when its numbers continue those of the previous line. Returns null otherwise. */
function join(last: LogNote, note: LogNote): LogNote | null {
  if (note.kind !== 'x' || last.kind !== 'x' || note.from !== last.to + 1) return null
  const isOfSame = note.symbolId === last.symbolId && note.source === last.source && note.why === last.why
  return isOfSame ? { ...last, to: note.to } : null
}
