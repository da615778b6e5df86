import { evidenceFor, HISTORY_AFTER_MS, type Evidence, pauseAfterQuestions } from '#core/orders/rules/late-evidence.ts'
import { decideByLine, type HistoryAnswer } from '#core/orders/rules/rule-2.ts'
import type { SourceLine } from '#core/orders/rules/source-line.ts'
import type { JudgedRecord, RecordedLeftOut, RecordedPrice } from '#core/markets/sources/judge-record.ts'
import { type Instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { loadSourceLine } from '#server/market-data/tick-log/source-line.queries.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type RequestedExpiry, historyQuestions, noteAsked } from '#server/trading/evidence/history-question.queries.ts'
import { groupBySource, MAX_QUESTION_MS, splitQuestions } from '#server/trading/evidence/split-questions.ts'
import { undecidedExpiries, type UndecidedExpiry } from '#server/trading/evidence/undecided-expiries.queries.ts'

/** How long requests are repeated. A demo shortens these times. */
export interface EvidenceWaits {
  /**
   * In ms. Without a reply, requests end after this time from the expiry. If replies differ from the tick log, requests
   * end after this time from the first such reply.
   */
  readonly giveUpMs: number
  /**
   * In ms. Requests without a reply are repeated for at least this time, also after a start or a pause of this server.
   */
  readonly requestedForMs: number
}

export interface EvidenceParts {
  readonly ctx: Ctx
  readonly ticks: Pick<TickService, 'isLeader' | 'record' | 'appendLate'>
  readonly waits: EvidenceWaits
}

/** 2 s after an expiry, the live stream of prices has usually decided it. */
const FIRST_LOOK_MS = 2 * SECOND_MS
/** After ten minutes without a round or a request, this server counts as started again: its machine was paused. */
const PAUSED_AFTER_MS = 10 * MINUTE_MS
/** A record may lack trades of the last 10 s. */
const RECORD_DELAY_MS = 10 * SECOND_MS
/** When the record has no later trade for ten minutes after the expiry, the source counts as inactive. */
const RESTS_AFTER_MS = 10 * MINUTE_MS

/**
 * Computed prices have no trade numbers, so a reply about them has this number. It only says that the prices are in the
 * tick log.
 */
const COMPUTED_REF = 0

interface Attempts {
  readonly count: number
  readonly dueAt: Instant
}

type DueExpiry = UndecidedExpiry & {
  readonly differsSince: Instant | null
  readonly firstRequestedAt: Instant | null
}

/**
 * Requests the trades around expiries that the log cannot decide, and appends the replies of the sources to the log as
 * late evidence. It decides nothing: the settler reads the log. Runs on the server that writes the log.
 */
export class EvidenceCollector {
  readonly #parts: EvidenceParts
  #startedAt: Instant
  /** When a round began or a request ended, most recently. */
  #workedAt: Instant
  #attempts = new Map<string, Attempts>()
  /** The sources whose records are being requested. */
  readonly #running = new Map<string, Promise<void>>()
  #isStopped = false

  constructor(parts: EvidenceParts) {
    this.#parts = parts
    this.#startedAt = parts.ctx.now()
    this.#workedAt = this.#startedAt
  }

  /**
   * Begins to request the trades around every expiry that is due, without waiting for the replies. A source that does
   * not answer may take hours, and must not delay the others. A source whose requests still run is left to a later round.
   */
  async round(): Promise<void> {
    const { ctx, ticks } = this.#parts
    if (!ticks.isLeader() || !ctx.clock.isTrusted()) return
    this.#noteWork()
    const undecided = await undecidedExpiries(ctx.db, later(ctx.now(), -FIRST_LOOK_MS))
    const attempts = new Map<string, Attempts>()
    for (const key of undecided.map(keyOf)) {
      const known = this.#attempts.get(key)
      if (known !== undefined) attempts.set(key, known)
    }
    this.#attempts = attempts
    const due = undecided.filter((expiry) => (attempts.get(keyOf(expiry))?.dueAt ?? 0) <= ctx.now())
    const free = groupBySource(due.filter(({ source }) => !this.#running.has(source)))
    for (const source of new Set(free.flat().map(({ source }) => source)))
      this.#start(
        source,
        free.filter(([first]) => first?.source === source),
      )
  }

  /** Waits until no request runs. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  /** Makes no further requests, and waits for the running ones. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.idle()
  }

  #start(source: string, groups: readonly (readonly UndecidedExpiry[])[]): void {
    const { log } = this.#parts.ctx
    const collection = this.#collectAll(groups)
      .catch((error: unknown) => log.warn({ err: error, source }, 'late evidence could not be collected'))
      .finally(() => this.#running.delete(source))
    this.#running.set(source, collection)
  }

  async #collectAll(groups: readonly (readonly UndecidedExpiry[])[]): Promise<void> {
    for (const group of groups) await this.#collect(group)
  }

  async #collect(group: readonly UndecidedExpiry[]): Promise<void> {
    const { ctx } = this.#parts
    const [first] = group
    const last = group.at(-1)
    if (first === undefined || last === undefined) return
    const range = { from: first.expiresAt, to: last.expiresAt }
    const line = await loadSourceLine(ctx.db, { ...first, ...range })
    const questions = await historyQuestions(
      ctx.db,
      first,
      group.map(({ expiresAt }) => expiresAt),
    )
    const missing = group.flatMap((expiry): DueExpiry[] => {
      const known = questions.get(expiry.expiresAt)
      const isKnown =
        expiry.evidence === 'computed'
          ? (known?.answer.kind ?? 'none') !== 'none'
          : isDecided(line, expiry, known?.answer)
      if (isKnown || !this.#mayAsk(line, expiry)) return []
      const { differsSince = null, firstRequestedAt = null } = known ?? {}
      return [{ ...expiry, differsSince, firstRequestedAt }]
    })
    for (const question of splitQuestions(missing)) {
      if (this.#isStopped || !this.#parts.ticks.isLeader()) return
      await this.#ask(line, question)
    }
  }

  /**
   * Whether the server may request the record of an expiry. The live stream has 10 s to bring the missing trades,
   * unless it already brought trades after the expiry.
   */
  #mayAsk({ prices }: SourceLine, { expiresAt, evidence }: UndecidedExpiry): boolean {
    const isSourceBack = evidence === 'ids' && (prices.at(-1)?.time ?? 0) > expiresAt
    return isSourceBack || this.#parts.ctx.now() >= later(expiresAt, HISTORY_AFTER_MS)
  }

  /** Makes one request for expiries of one source, and stores its result. */
  async #ask(line: SourceLine, question: readonly DueExpiry[]): Promise<void> {
    const { ctx, ticks } = this.#parts
    const [first] = question
    const last = question.at(-1)
    if (first === undefined || last === undefined) return
    const { symbolId, source } = first
    let record: JudgedRecord | null = null
    try {
      record = await ticks.record({ symbolId, source, from: beginningOf(line, first), through: last.expiresAt })
    } catch (error) {
      ctx.log.warn({ err: error, symbolId, source }, 'the record of a price source could not be read')
    }
    const requestedAt = this.#noteWork()
    const found = question.map((expiry) => ({
      expiry,
      evidence: record === null ? null : toEvidence(line, record, expiry),
    }))
    const evidence = found.flatMap((one) => one.evidence ?? [])
    if (!(await this.#append(first, evidence))) return
    const requests = found.map(({ expiry, evidence }) => this.#outcomeOf(expiry, evidence, requestedAt))
    await noteAsked(ctx.db, requests, requestedAt)
    for (const { expiry } of found) this.#planNext(expiry, requestedAt)
  }

  /** Notes that this server runs, and returns the time. */
  #noteWork(): Instant {
    const now = this.#parts.ctx.now()
    if (now > later(this.#workedAt, PAUSED_AFTER_MS)) this.#startedAt = now
    this.#workedAt = now
    return now
  }

  /** Appends the prices that the log lacks. Returns false when this server no longer writes the log. */
  async #append({ symbolId, source }: DueExpiry, found: readonly Evidence[]): Promise<boolean> {
    const { ctx, ticks } = this.#parts
    const prices = new Map<string, RecordedPrice>()
    const leftOut = new Map<number, RecordedLeftOut>()
    for (const evidence of found) {
      if (evidence.kind !== 'found') continue
      for (const price of evidence.prices) prices.set(`${price.ref} ${price.time}`, price)
      for (const range of evidence.leftOut) leftOut.set(range.from, range)
    }
    if (prices.size === 0) return true
    const batch = {
      incident: ctx.newId(),
      symbolId,
      source,
      prices: [...prices.values()].toSorted((a, b) => (a.ref ?? a.time) - (b.ref ?? b.time)),
      leftOut: [...leftOut.values()].toSorted((a, b) => a.from - b.from),
    }
    const isInLog = await ticks.appendLate(batch)
    if (isInLog) ctx.log.info({ symbolId, source, prices: prices.size }, 'late evidence is in the tick log')
    return isInLog
  }

  #outcomeOf(expiry: DueExpiry, evidence: Evidence | null, now: Instant): RequestedExpiry {
    const { waits } = this.#parts
    const { symbolId, source, expiresAt } = expiry
    const key = { symbolId, source, expiresAt }
    const requestedSince = Math.max(this.#startedAt, expiry.firstRequestedAt ?? now)
    const isRequestedLongEnough = now >= requestedSince + waits.requestedForMs
    const nothing = { ...key, differsSince: null, coveredUntil: null, answer: { kind: 'none' } } as const
    if (evidence === null || evidence.kind === 'short') {
      // A request without a usable reply does not take back that earlier replies differed from the log.
      const { differsSince } = expiry
      const isOver = isRequestedLongEnough && now >= later(differsSince ?? expiresAt, waits.giveUpMs)
      const kind = differsSince === null ? 'unavailable' : 'contradicts'
      return { ...nothing, differsSince, answer: { kind: isOver ? kind : 'none' } }
    }
    if (evidence.kind === 'differs') {
      const differsSince = expiry.differsSince ?? now
      const isFinal = now >= later(differsSince, waits.giveUpMs)
      return { ...nothing, differsSince, answer: { kind: isFinal ? 'contradicts' : 'none' } }
    }
    const coveredUntil = expiry.evidence === 'computed' ? now : later(now, -RECORD_DELAY_MS)
    const { newestRef } = evidence
    if (newestRef === null || coveredUntil <= expiresAt) return nothing
    const kind = coveredUntil >= later(expiresAt, RESTS_AFTER_MS) ? 'rests' : 'quiet'
    return {
      ...nothing,
      coveredUntil,
      answer: kind === 'rests' ? { kind, newestRef } : { kind, newestRef, coveredUntil },
    }
  }

  #planNext(expiry: UndecidedExpiry, requestedAt: Instant): void {
    const count = (this.#attempts.get(keyOf(expiry))?.count ?? 0) + 1
    this.#attempts.set(keyOf(expiry), { count, dueAt: later(requestedAt, pauseAfterQuestions(count)) })
  }
}

function isDecided(line: SourceLine, { expiresAt, maxTickAgeMs }: UndecidedExpiry, history?: HistoryAnswer): boolean {
  return decideByLine(line, { expiresAt, maxTickAgeMs, history: history ?? { kind: 'none' } }).kind !== 'wait'
}

/**
 * Returns where a request begins. This is the last trade that the tick log has before the expiry, if that trade is at
 * most a minute older. Else it is 10 s before the oldest price that may decide.
 */
function beginningOf({ prices }: SourceLine, { expiresAt, maxTickAgeMs }: DueExpiry) {
  const last = prices.findLast(({ time }) => time <= expiresAt)
  const isNear = last !== undefined && last.time >= later(expiresAt, -MAX_QUESTION_MS)
  return isNear ? { ref: last.ref, time: last.time } : { time: later(expiresAt, -maxTickAgeMs - HISTORY_AFTER_MS) }
}

function toEvidence(line: SourceLine, record: JudgedRecord, { expiresAt, evidence }: DueExpiry): Evidence {
  if (evidence === 'ids') return evidenceFor(line, record, expiresAt)
  const nextAt = record.prices.findIndex(({ time }) => time > expiresAt)
  const prices = record.prices.slice(Math.max(0, nextAt - 1), nextAt + 1)
  if (nextAt === -1 && !record.isNewest) return { kind: 'short' }
  const last = record.prices.slice(-1)
  return { kind: 'found', prices: nextAt === -1 ? last : prices, leftOut: [], newestRef: COMPUTED_REF }
}

function keyOf({ symbolId, source, expiresAt }: UndecidedExpiry): string {
  return `${symbolId} ${source} ${expiresAt}`
}
