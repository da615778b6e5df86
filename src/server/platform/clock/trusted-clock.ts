import { instant, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { MachineClock, ServerClock } from '#server/platform/runtime/ports.ts'

/** 0.5 s: what a time service corrects at once. A larger step between two looks, one second apart, is a jump. */
const JUMP_MS = SECOND_MS / 2
/** 1 s: from here on the distance between the clocks of the server and the database is named in the log. */
export const NAMED_APART_MS = SECOND_MS
/** 5 s: from here on it stops the trade. The log can then be at most this far ahead of a clock that is put right. */
const MAX_APART_MS = 5 * SECOND_MS
/** A sample of the database's clock that took longer says too little, unless there is nothing better to go by. */
const MAX_UNCERTAIN_MS = SECOND_MS / 4
const MAX_UNCERTAIN_AT_NEED_MS = SECOND_MS
const SAMPLE_LASTS_MS = 10 * SECOND_MS
/** A jump that no second clock speaks for or against is believed after as long as an error would cost, within these bounds. */
const MIN_HOLD_MS = 5 * SECOND_MS
const MAX_HOLD_MS = 10 * MINUTE_MS
/** A machine that slept for less is not told apart from the rounding of its uptime. */
const MIN_SLEEP_MS = SECOND_MS
const MAX_EARLIER_LINES = 8

/** Why the time cannot be relied on. `ms` is positive when this server's clock is ahead. */
export interface ClockTrouble {
  /** `jumped`: the wall clock against the monotonic one. `apart`: the server against the database. */
  readonly kind: 'jumped' | 'apart'
  readonly ms: number
}

interface Jump {
  /** On the monotonic clock. */
  since: number
  wallLine: number
  /** Where the database's clock was before. Null when it was not known. */
  readonly databaseLine: number | null
}

interface Sample {
  readonly line: number
  readonly uncertainMs: number
  readonly at: number
}

/**
 * The time of the server: the wall clock as it was trusted last, carried on by the monotonic clock. So a jump of the wall
 * clock changes nothing before it is noticed. `look` is called once a second.
 *
 * A "line" is what a clock shows less what the monotonic clock shows: it stays the same while the clock runs as time does.
 *
 * After a jump the time is not trusted until the wall clock is back, or the database's clock, which did not move, agrees
 * with it. When the database's clock moved along (it is on the same machine) nothing can be known: the new time is then
 * believed after as long as the jump was, ten minutes at most, because that is what believing wrongly would cost.
 */
export class TrustedClock implements ServerClock {
  readonly #machine: MachineClock
  #line: number
  #sleptMs: number
  readonly #earlier: number[] = []
  #last = Number.NEGATIVE_INFINITY
  #jump: Jump | null = null
  #database: Sample | null = null
  /** The database's line at the last look at which our own clock was as it should be. */
  #databaseBefore: number | null = null
  #isApart = false

  constructor(machine: MachineClock) {
    this.#machine = machine
    this.#line = machine.now() - machine.steady()
    this.#sleptMs = machine.sleptMs()
  }

  now(): Instant {
    const now = Math.max(this.#last, Math.floor(this.#machine.steady() + this.#line))
    this.#last = now
    return instant(now)
  }

  steady(): number {
    return this.#machine.steady()
  }

  after(ms: number, run: () => void): () => void {
    return this.#machine.after(ms, run)
  }

  isTrusted(): boolean {
    return this.trouble() === null
  }

  /** Why no tick is written and no order taken at this moment; null when the time can be relied on. */
  trouble(): ClockTrouble | null {
    if (this.#jump !== null) return { kind: 'jumped', ms: this.#jump.wallLine - this.#line }
    return this.#isApart ? { kind: 'apart', ms: this.apartMs() ?? 0 } : null
  }

  /** How far the trusted time is ahead of the database's clock, less what the question took; null before the first sample. */
  apartMs(): number | null {
    if (this.#database === null) return null
    const { line, uncertainMs } = this.#database
    const apart = this.#line - line
    return Math.sign(apart) * Math.max(0, Math.abs(apart) - uncertainMs)
  }

  /** Takes a sample of the database's clock. `askedAt` and `answeredAt` are of the monotonic clock. */
  hearDatabase(databaseNow: number, { askedAt, answeredAt }: { askedAt: number; answeredAt: number }): void {
    const uncertainMs = (answeredAt - askedAt) / 2
    const needsOne = this.#jump !== null || this.#database === null || askedAt - this.#database.at > SAMPLE_LASTS_MS
    if (uncertainMs > (needsOne ? MAX_UNCERTAIN_AT_NEED_MS : MAX_UNCERTAIN_MS)) return
    this.#database = { line: databaseNow - (askedAt + answeredAt) / 2, uncertainMs, at: askedAt }
  }

  /** Compares the clocks. */
  look(): void {
    this.#awake()
    const at = this.#machine.steady()
    const wallLine = this.#machine.now() - at
    if (this.#jump === null && Math.abs(wallLine - this.#line) > JUMP_MS) {
      this.#jump = { since: at, wallLine, databaseLine: this.#databaseBefore }
    }
    if (this.#jump === null) this.#line = wallLine
    else this.#judge(this.#jump, wallLine, at)
    if (this.#jump === null) this.#databaseBefore = this.#database?.line ?? null
    const apart = Math.abs(this.apartMs() ?? 0)
    // A little less than what began it, so that it does not begin and end with each sample.
    this.#isApart = this.#jump === null && apart > (this.#isApart ? MAX_APART_MS - NAMED_APART_MS : MAX_APART_MS)
  }

  /** Time that the machine slept passed on the wall clock and not on the monotonic one: that is no jump. */
  #awake(): void {
    const slept = this.#machine.sleptMs()
    if (slept - this.#sleptMs < MIN_SLEEP_MS) return
    const more = slept - this.#sleptMs
    this.#sleptMs = slept
    this.#line += more
    // From before or after: nothing says which.
    this.#database = null
    this.#databaseBefore = null
  }

  #judge(jump: Jump, wallLine: number, at: number): void {
    if (Math.abs(wallLine - this.#line) <= JUMP_MS) {
      this.#jump = null
      return
    }
    if (Math.abs(wallLine - jump.wallLine) > JUMP_MS) {
      jump.wallLine = wallLine
      jump.since = at
    }
    if (this.#isBelieved(jump, at)) this.#adopt(jump.wallLine)
  }

  #isBelieved({ wallLine, since, databaseLine }: Jump, at: number): boolean {
    if (this.#earlier.some((line) => Math.abs(line - wallLine) <= JUMP_MS)) return true
    const sample = this.#database
    if (sample === null) return false
    const tolerance = JUMP_MS + sample.uncertainMs
    if (Math.abs(sample.line - wallLine) > tolerance) return false
    // It has shown the new time all along, and our clock was put right.
    if (databaseLine !== null && Math.abs(sample.line - databaseLine) <= tolerance) return true
    if (sample.at < since) return false
    return at - since >= Math.min(MAX_HOLD_MS, Math.max(MIN_HOLD_MS, Math.abs(wallLine - this.#line)))
  }

  #adopt(wallLine: number): void {
    this.#earlier.push(this.#line)
    if (this.#earlier.length > MAX_EARLIER_LINES) this.#earlier.shift()
    this.#line = wallLine
    this.#last = Number.NEGATIVE_INFINITY
    // A sample from before the jump, of a clock that moved along, is of no use any more.
    const sample = this.#database
    const isOld = sample !== null && this.#jump !== null && sample.at < this.#jump.since
    if (isOld && Math.abs(sample.line - wallLine) > JUMP_MS + sample.uncertainMs) this.#database = null
    this.#jump = null
  }
}
