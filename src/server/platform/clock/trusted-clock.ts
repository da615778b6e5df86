import { instant, MINUTE_MS, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { MachineClock, ServerClock } from '#server/platform/runtime/ports.ts'

/**
 * 0.5 s: a time service may correct smaller errors in one step. A larger step between two checks, one second apart, is
 * a jump.
 */
const JUMP_MS = SECOND_MS / 2
/** 1 s: a larger difference between the clocks of server and database is logged. */
export const LOGGED_SKEW_MS = SECOND_MS
/** 5 s: a larger difference stops trading. So the tick log can be at most 5 s ahead of the clock after a correction. */
const MAX_DATABASE_SKEW_MS = 5 * SECOND_MS
/**
 * The uncertainty of a sample of the database's clock is half the duration of its query. A sample with more than 0.25 s
 * is used only when no better sample exists, and a sample with more than 1 s never.
 */
const MAX_UNCERTAIN_MS = SECOND_MS / 4
const MAX_UNCERTAIN_AT_NEED_MS = SECOND_MS
const SAMPLE_LASTS_MS = 10 * SECOND_MS
/**
 * Without a second clock to compare, a jump is accepted after a wait as long as the jump itself. The wait stays within
 * these bounds.
 */
const MIN_HOLD_MS = 5 * SECOND_MS
const MAX_HOLD_MS = 10 * MINUTE_MS
/** A shorter sleep cannot be distinguished from the rounding of the uptime. */
const MIN_SLEEP_MS = SECOND_MS
const MAX_EARLIER_LINES = 8

/** Why the time cannot be trusted. `ms` is positive when this server's clock is ahead. */
export interface ClockTrouble {
  /** `jumped`: the wall clock disagrees with the monotonic one. `apart`: the server disagrees with the database. */
  readonly kind: 'jumped' | 'apart'
  readonly ms: number
}

interface Jump {
  /** Monotonic time at which the jump was noticed, or at which the wall clock jumped again. */
  since: number
  wallLine: number
  /** The database's clock relative to the monotonic clock before the jump. Null when it was unknown. */
  readonly databaseLine: number | null
}

interface Sample {
  readonly line: number
  readonly uncertainMs: number
  readonly at: number
}

/**
 * The server's time: the last trusted wall clock, continued by the monotonic clock. So a jump of the wall clock changes
 * nothing before the jump is noticed. `look` is called once a second.
 *
 * A "line" is the difference between a clock and the monotonic clock, and is constant while that clock runs correctly.
 *
 * After a jump the time is not trusted until the wall clock is back, or until the database's clock, which did not move,
 * agrees with it. When the database's clock moved too (it is on the same machine), no clock shows which time is right.
 * The new time is then accepted after a wait as long as the jump itself, ten minutes at most. So the wait is about as
 * long as the error that a wrong decision would cause.
 */
export class TrustedClock implements ServerClock {
  readonly #machine: MachineClock
  #line: number
  #sleptMs: number
  readonly #earlier: number[] = []
  #last = Number.NEGATIVE_INFINITY
  #jump: Jump | null = null
  #database: Sample | null = null
  /** The database's line at the last check at which this server's clock was right. */
  #databaseBefore: number | null = null
  #isSkewed = false

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

  /** Returns why no tick is written and no order is accepted now; null when the time is trusted. */
  trouble(): ClockTrouble | null {
    if (this.#jump !== null) return { kind: 'jumped', ms: this.#jump.wallLine - this.#line }
    return this.#isSkewed ? { kind: 'apart', ms: this.skewMs() ?? 0 } : null
  }

  /**
   * How far the trusted time is ahead of the database's clock, minus the query's duration; null before the first
   * sample.
   */
  skewMs(): number | null {
    if (this.#database === null) return null
    const { line, uncertainMs } = this.#database
    const differenceMs = this.#line - line
    return Math.sign(differenceMs) * Math.max(0, Math.abs(differenceMs) - uncertainMs)
  }

  /** Adds a sample of the database's clock. `requestedAt` and `answeredAt` are monotonic times. */
  addDatabaseSample(
    databaseNow: number,
    { requestedAt, answeredAt }: { requestedAt: number; answeredAt: number },
  ): void {
    const uncertainMs = (answeredAt - requestedAt) / 2
    const needsOne = this.#jump !== null || this.#database === null || requestedAt - this.#database.at > SAMPLE_LASTS_MS
    if (uncertainMs > (needsOne ? MAX_UNCERTAIN_AT_NEED_MS : MAX_UNCERTAIN_MS)) return
    this.#database = { line: databaseNow - (requestedAt + answeredAt) / 2, uncertainMs, at: requestedAt }
  }

  /** Compares the clocks. Must be called once a second. */
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
    const skewMs = Math.abs(this.skewMs() ?? 0)
    // The state begins above 5 s and ends at 4 s or less, so that it does not flip with each sample.
    this.#isSkewed =
      this.#jump === null && skewMs > (this.#isSkewed ? MAX_DATABASE_SKEW_MS - LOGGED_SKEW_MS : MAX_DATABASE_SKEW_MS)
  }

  /** While the machine slept, only the wall clock advanced. That is not a jump. */
  #awake(): void {
    const slept = this.#machine.sleptMs()
    if (slept - this.#sleptMs < MIN_SLEEP_MS) return
    const more = slept - this.#sleptMs
    this.#sleptMs = slept
    this.#line += more
    // These samples are dropped, because they may be from before or after the sleep.
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
    // The database's clock did not jump and agrees with the new time, so this server's wall clock was corrected.
    if (databaseLine !== null && Math.abs(sample.line - databaseLine) <= tolerance) return true
    if (sample.at < since) return false
    return at - since >= Math.min(MAX_HOLD_MS, Math.max(MIN_HOLD_MS, Math.abs(wallLine - this.#line)))
  }

  #adopt(wallLine: number): void {
    this.#earlier.push(this.#line)
    if (this.#earlier.length > MAX_EARLIER_LINES) this.#earlier.shift()
    this.#line = wallLine
    this.#last = Number.NEGATIVE_INFINITY
    // A sample from before the jump is useless if the database's clock moved too.
    const sample = this.#database
    const isOld = sample !== null && this.#jump !== null && sample.at < this.#jump.since
    if (isOld && Math.abs(sample.line - wallLine) > JUMP_MS + sample.uncertainMs) this.#database = null
    this.#jump = null
  }
}
