import { MAX_TICK_DELAY_MS } from '#core/markets/tick.ts'
import { DAY_MS, type Instant, later } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { SuspectReason } from '#server/market-data/feeds/base/feed.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import type { SharedTicks, TickMessage } from '#server/market-data/replication/shared-ticks.ts'
import { batchesAfter, type LogHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { holesAfter } from '#server/market-data/tick-log/tick-hole.queries.ts'
import type { Committed } from '#server/market-data/tick-log/tick-log.ts'
import { readStream } from '#server/market-data/replication/tick-stream.queries.ts'
import { batchHash, sameHash, textToTicks } from '#server/market-data/tick-log/tick-text.ts'

export interface Followed extends Committed {
  /** All symbols with a suspect price. Null when the message did not contain them. */
  readonly doubts: readonly (readonly [symbolId: number, why: SuspectReason])[] | null
}

export interface TickFollowerOptions {
  readonly ctx: Ctx
  readonly shared: Pick<SharedTicks, 'onMessage' | 'isConnected'>
  readonly onFollowed: (followed: Followed) => void
}

const LOOK_MS = 150
/** The writer sends a message at least once a second. After 1.5 s of silence the log is read. */
const SILENT_MS = 1_500
const BATCHES_AT_ONCE = 1_000
/** Earlier holes overlap no bar that may still be open. */
const HOLES_BACK_MS = 2 * DAY_MS
const NOTHING: ReadonlyMap<number, Instant> = new Map()

/**
 * Follows the log that another server writes. A message is applied when it continues exactly at the current end and its hash is right. In
 * any other case the log is read. A watermark counts only once everything before it is known.
 */
export class TickFollower {
  readonly #ctx: Ctx
  readonly #options: TickFollowerOptions
  #head: LogHead
  #token = 0n
  #messages: TickMessage[] = []
  #working: Promise<void> | null = null
  #isPaused = true
  #lastMessageAt = Number.NEGATIVE_INFINITY
  #through: Instant | null = null
  #stopHearing: () => void = () => {}
  #stopLooking: () => Promise<void> = () => Promise.resolve()

  constructor(options: TickFollowerOptions, head: LogHead) {
    this.#ctx = options.ctx
    this.#options = options
    this.#head = head
  }

  /** The fencing token of the newest messages. */
  get token(): bigint {
    return this.#token
  }

  /** The time, by the writer's clock, up to which this server knows all prices the writer received; null while no messages arrive. */
  get through(): Instant | null {
    return this.#through
  }

  start(): void {
    this.#isPaused = false
    this.#stopHearing = this.#options.shared.onMessage((word) => this.#hear(word))
    this.#stopLooking = runPeriodically(this.#ctx, {
      pauseMs: () => LOOK_MS,
      failure: 'the tick log could not be followed',
      run: async () => {
        if (!this.#options.shared.isConnected() || !this.#isHearing()) await this.catchUp()
      },
    })
  }

  async stop(): Promise<void> {
    this.#isPaused = true
    this.#messages = []
    this.#stopHearing()
    await this.#stopLooking()
    await this.#working
  }

  /** Reads the log. When this resolves, everything that was in it is known. Returns the new end. */
  async catchUp(): Promise<LogHead> {
    while (this.#working !== null) await this.#working
    this.#working = this.#readLog().finally(() => {
      this.#working = null
    })
    await this.#working
    this.#work()
    return this.#head
  }

  /**
   * Continues from this end of the log. Call it when this server becomes the writer, and when it stops being the
   * writer.
   */
  moveTo(head: LogHead, token: bigint): void {
    this.#head = head
    if (token > this.#token) this.#token = token
  }

  /** Whether the writer sent a message a short time ago. */
  #isHearing(): boolean {
    return this.#ctx.clock.steady() - this.#lastMessageAt < SILENT_MS
  }

  #hear(word: TickMessage): void {
    if (this.#isPaused || word.token < this.#token) return
    this.#lastMessageAt = this.#ctx.clock.steady()
    this.#messages.push(word)
    this.#work()
  }

  #work(): void {
    while (this.#working === null) {
      const word = this.#messages.shift()
      if (word === undefined) return
      if (this.#goesOn(word)) this.#take(word, true)
      else if (word.headSeq <= this.#head.lastSeq) this.#take(word, false)
      else {
        // An earlier message was lost. The log has the content of that message and of this message.
        this.#working = this.#readLog()
          .then(() => this.#take(word, false))
          .catch((error: unknown) => this.#ctx.log.warn({ err: error }, 'the tick log could not be followed'))
          .finally(() => {
            this.#working = null
            this.#work()
          })
      }
    }
  }

  #goesOn({ payload, from, previousHash, hash }: TickMessage): boolean {
    return (
      payload !== '' &&
      from === this.#head.lastSeq &&
      sameHash(previousHash, this.#head.hash) &&
      sameHash(hash, batchHash(previousHash, payload))
    )
  }

  #take(word: TickMessage, hasTicks: boolean): void {
    if (word.token < this.#token) return
    this.#token = word.token
    if (hasTicks) this.#head = { lastSeq: word.headSeq, hash: word.hash }
    const isWhole = this.#head.lastSeq >= word.headSeq
    // The writer sends a floor only when no tick waits. The floor is then `MAX_TICK_DELAY_MS` before the writer's
    // current time.
    if (isWhole && word.floor !== null) this.#through = later(word.floor, MAX_TICK_DELAY_MS)
    this.#tell({
      ticks: hasTicks ? textToTicks(word.payload) : [],
      payload: hasTicks ? word.payload : '',
      heartbeats: isWhole ? new Map(word.heard) : NOTHING,
      floor: isWhole ? word.floor : null,
      holes: word.holes,
      doubts: word.doubts,
    })
  }

  async #readLog(): Promise<void> {
    const stream = await readStream(this.#ctx.db)
    for (;;) {
      const rows = await batchesAfter(this.#ctx.db, this.#head.lastSeq, BATCHES_AT_ONCE)
      // When the writer's messages do not arrive, this server does not know which prices still wait at the writer.
      if (rows.length > 0 || !this.#options.shared.isConnected()) this.#through = null
      if (rows.length > 0 || (stream !== null && stream.token !== this.#token)) {
        // Holes are stored before the ticks after them, so a reader of the ticks can read them too.
        const holes = await holesAfter(this.#ctx.db, later(this.#ctx.now(), -HOLES_BACK_MS))
        this.#tell({ holes, ticks: [], payload: '', heartbeats: NOTHING, floor: null, doubts: null })
      }
      for (const row of rows) {
        this.#head = { lastSeq: row.lastSeq, hash: row.hash }
        const payload = row.payload ?? ''
        this.#tell({ holes: [], ticks: textToTicks(payload), payload, heartbeats: NOTHING, floor: null, doubts: null })
      }
      if (rows.length < BATCHES_AT_ONCE) break
    }
    if (stream === null || stream.token < this.#token || stream.headSeq > this.#head.lastSeq) return
    // The state is stored less often than messages are sent. So the suspect flags of a message may be newer.
    const doubts = stream.token === this.#token && this.#isHearing() ? null : stream.doubts
    this.#token = stream.token
    const heartbeats = new Map(stream.watermarks)
    this.#tell({ holes: [], ticks: [], payload: '', heartbeats, floor: null, doubts })
  }

  #tell(followed: Omit<Followed, 'head'>): void {
    try {
      this.#options.onFollowed({ ...followed, head: this.#head })
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'accepted ticks could not be delivered')
    }
  }
}
