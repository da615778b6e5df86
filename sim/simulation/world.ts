import type { DomainEvent, SettledOrder } from '#server/platform/runtime/events.ts'
import type { Auditor } from '../auditor/auditor.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { Random } from '../kernel/random.ts'
import { textOf } from '../memory-store/cells.ts'
import type { Change } from '../memory-store/memory-transaction.ts'
import { Market } from './market.ts'
import type { SourceName, Word } from './source-words.ts'
import { type Faults, NO_FAULTS, type Plan } from './plan.ts'
import { SimNode, type Surroundings } from './sim-node.ts'
import type { Trace } from './trace.ts'

const MAX_PAUSE_MS = 60_000

export type Answer<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** The server reported a failure. */
  | { readonly kind: 'failed' }
  /** No reply arrived in time, or at all. */
  | { readonly kind: 'lost' }

/** A user's connection. While the connection is whole, no message on it is lost. */
interface Line {
  readonly hear: (order: SettledOrder) => void
  readonly since: number
  isWhole: boolean
}

const PATIENCE_MS = 15_000
const NETWORK_MS = 40

export interface WorldParts {
  readonly plan: Plan
  readonly kernel: Kernel
  readonly trace: Trace
  readonly auditor: Auditor
  readonly startAt: number
  readonly surroundings: Pick<Surroundings, 'parts' | 'shared' | 'engineStore' | 'newId'>
}

/** The server, its sources and users, and all faults between them. */
export class World {
  readonly kernel: Kernel
  readonly plan: Plan
  readonly trace: Trace
  readonly auditor: Auditor
  readonly startAt: number
  readonly #parts: WorldParts
  readonly #random: Random
  readonly #lines = new Map<string, Line>()
  readonly #market: Market
  #node: SimNode | null = null
  #isUp = false
  #startCount = 0
  #outUntil = 0
  #recordAwayUntil = 0
  #offset = 0
  #isHealed = false
  #cancelRestart: () => void = () => {}

  constructor(parts: WorldParts) {
    this.#parts = parts
    this.kernel = parts.kernel
    this.plan = parts.plan
    this.trace = parts.trace
    this.auditor = parts.auditor
    this.startAt = parts.startAt
    this.#random = new Random(parts.plan.seed, 'world')
    this.#market = new Market({
      kernel: this.kernel,
      plan: this.plan,
      startAt: this.startAt,
      faults: this.faults,
      say: (source, symbol, word) => this.#hear(source, symbol.id, word),
      onListed: (source, symbol, trade, recordedUnits) => {
        this.auditor.log.said(source, symbol.id, trade.units, trade.time)
        this.auditor.lines.listed(source, symbol.id, trade, recordedUnits)
      },
    })
  }

  /** The faults that are active now. */
  readonly faults = (): Faults => (this.#isHealed ? NO_FAULTS : this.plan.faults)

  get now(): number {
    return this.startAt + this.kernel.now
  }

  get isHealed(): boolean {
    return this.#isHealed
  }

  begin(): void {
    this.#market.open()
    void this.#start()
    const { crashEveryMs, pauseEveryMs, pauseMs, outageEveryMs, outageMs, clockJumpEveryMs, clockJumpMs } =
      this.plan.faults
    const { recordAwayEveryMs, recordAwayMs } = this.plan.faults
    void this.#now(crashEveryMs, () => this.#crash('is killed'))
    void this.#now(pauseEveryMs, () => {
      // A suspension lasts at most a minute, because the server must finish its work within a minute and a half after
      // the last fault.
      const ms = Math.min(this.#random.wait(pauseMs), MAX_PAUSE_MS)
      this.trace.say(`the server stands still for ${ms} ms`)
      this.#node?.state.pause(ms)
    })
    void this.#now(outageEveryMs, () => {
      const ms = this.#random.wait(outageMs)
      this.trace.say(`the store is gone for ${ms} ms`)
      this.#outUntil = this.kernel.now + ms
    })
    void this.#now(recordAwayEveryMs, () => {
      const ms = this.#random.wait(recordAwayMs)
      this.trace.say(`the records of the sources are unreachable for ${ms} ms`)
      this.#recordAwayUntil = this.kernel.now + ms
    })
    void this.#now(clockJumpEveryMs, () => {
      this.#offset = Math.round(clockJumpMs * (this.#random.next() * 2 - 1))
      this.trace.say(`the clock of the server is off by ${this.#offset} ms`)
    })
  }

  /** Ends all faults. */
  heal(): void {
    this.trace.say('no more faults from now on')
    this.#isHealed = true
    this.#outUntil = 0
    this.#recordAwayUntil = 0
    this.#offset = 0
    if (this.#node?.state.isAlive === false) this.#restart(1)
  }

  /** Stops the server as an operator would. */
  async end(): Promise<void> {
    const node = this.#node
    this.#isUp = false
    await node?.stop()
    this.trace.say('the server has stopped')
    node?.state.end()
  }

  /** Sends a request to the server. The request and its reply may be lost. */
  async ask<T>(work: (node: SimNode) => Promise<T>): Promise<Answer<T>> {
    await this.kernel.sleep(this.#random.integer(1, NETWORK_MS))
    const node = this.#isUp ? this.#node : null
    if (node === null || !node.state.isAlive) return { kind: 'lost' }
    const answer = await this.#hearFrom(node, work)
    await this.kernel.sleep(this.#random.integer(1, NETWORK_MS))
    return this.#random.chance(this.faults().lostAnswer) ? { kind: 'lost' } : answer
  }

  /** Waits for a server's reply until the server dies or the patience of a user ends. */
  #hearFrom<T>(node: SimNode, work: (node: SimNode) => Promise<T>): Promise<Answer<T>> {
    return new Promise((resolve) => {
      const settle = (answer: Answer<T>) => {
        cancel()
        forget()
        resolve(answer)
      }
      const cancel = this.kernel.after(PATIENCE_MS, () => settle({ kind: 'lost' }))
      const forget = node.state.onExit(() => settle({ kind: 'lost' }))
      node.state.run(() => {
        work(node).then(
          (value) => settle({ kind: 'answered', value }),
          () => settle({ kind: 'failed' }),
        )
      })
    })
  }

  /** Connects a user, who gets results as they are settled. */
  connect(userId: string, hear: (order: SettledOrder) => void): void {
    const isWhole = this.#isUp && this.#node?.state.isAlive === true
    this.#lines.set(userId, { hear, since: this.now, isWhole })
  }

  disconnect(userId: string): void {
    this.#lines.delete(userId)
  }

  /** The time from which a user's connection has had no fault. Null during a fault. */
  wholeSince(userId: string): number | null {
    const line = this.#lines.get(userId)
    return line?.isWhole === true && this.#node?.state.isPaused === false ? line.since : null
  }

  /** Handles one commit of the store. */
  observe(changes: readonly Change[]): void {
    for (const { table, before, after } of changes) {
      const row = after ?? before
      const id = textOf(row, 'id') || textOf(row, 'expires_ms') || textOf(row, 'last_seq')
      if (table !== 'transfer' && table !== 'candle')
        this.trace.say(`  ${before ? (after ? 'changed' : 'gone') : 'new'} ${table} ${id}`)
    }
    this.auditor.observe(changes)
  }

  #hear(source: SourceName, symbolId: number, word: Word): void {
    if (word.kind === 'quote') this.auditor.log.said(source, symbolId, word.units, word.quote.time)
    else if ('time' in word) this.auditor.log.noteSourceTime(symbolId, word.time)
    this.#node?.hear(source, word)
  }

  async #start(): Promise<void> {
    this.#startCount += 1
    this.auditor.lines.serverStarts()
    const node = new SimNode(
      {
        ...this.#parts.surroundings,
        kernel: this.kernel,
        plan: this.plan,
        startAt: this.startAt,
        faults: this.faults,
        isOut: () => this.kernel.now < this.#outUntil,
        clockOffset: () => this.#offset,
        isRecordAway: () => this.plan.sources.isRecordGone || this.kernel.now < this.#recordAwayUntil,
        tradesOf: (source) => this.#market.tradesOf(source),
        onAnswer: (answer) => {
          this.trace.say(
            `  the record of ${answer.source} ${answer.symbolId}: ${answer.stretch?.trades.length ?? 'no answer'}`,
          )
          this.auditor.lines.answered(answer)
        },
        onEvent: (announcement, from) => this.#announced(announcement, from),
        logged: (level, facts, message) => this.#logged(level, facts, message),
      },
      `server ${this.#startCount}`,
    )
    this.#node = node
    this.trace.say(`server ${this.#startCount} starts`)
    const begun = await new Promise<string>((resolve) => {
      node.state.onExit(() => resolve('killed'))
      node.start().then(
        () => resolve('up'),
        (error: unknown) => resolve(String(error)),
      )
    })
    this.trace.say(`server ${this.#startCount}: ${begun}`)
    if (begun === 'up') this.#isUp = true
    else if (begun !== 'killed') this.#crash('cannot start')
  }

  #crash(how: string): void {
    if (this.#node?.state.isAlive !== true) return
    this.trace.say(`the server ${how}`)
    const { downMs } = this.plan.faults
    this.#node.state.end()
    this.#isUp = false
    for (const line of this.#lines.values()) line.isWhole = false
    this.#restart(200 + this.#random.wait(this.#isHealed ? 1_000 : downMs))
  }

  #restart(inMs: number): void {
    this.#cancelRestart()
    this.#cancelRestart = this.kernel.after(inMs, () => void this.#start())
  }

  async #now(everyMs: number, act: () => void): Promise<void> {
    if (everyMs === 0) return
    for (;;) {
      await this.kernel.sleep(this.#random.wait(everyMs))
      if (this.#isHealed) return
      act()
    }
  }

  #announced(announcement: DomainEvent, from: SimNode): void {
    if (announcement.kind !== 'order-settled' || !from.state.isAlive) return
    const { order } = announcement
    // If the socket of the user breaks at this moment, it loses the message.
    const line = this.#lines.get(order.userId)
    if (!this.#random.chance(this.faults().lostAnswer)) line?.hear(order)
    else if (line !== undefined) line.isWhole = false
  }

  #logged(level: string, facts: object, message: string): void {
    if (level === 'info') return
    this.trace.say(`  ${level}: ${message}`)
    if (message.includes('does not reconcile')) this.auditor.complain(`I2: ${message}: ${JSON.stringify(facts, text)}`)
  }
}

function text(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
