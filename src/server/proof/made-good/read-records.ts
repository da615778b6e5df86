import {
  agrees,
  compareReadings,
  nextQuestionAt,
  priceByRecord,
  type RecordReading,
  type RecordWaits,
} from '#core/orders/rules/made-good.ts'
import { DAY_MS, HOUR_MS, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { unreadSince } from '#server/market-data/catalogue/pauses.queries.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { chooseForAudit, listOpenAudits, storeAudit } from '#server/proof/audit/record-audit.queries.ts'
import { type DecisionKey, findDecision } from '#server/proof/records/decisions.queries.ts'
import {
  listUnread,
  noteDifference,
  noteVoids,
  readingText,
  storeAnswer,
} from '#server/proof/records/record-checks.queries.ts'
import { readTrades } from '#server/proof/made-good/read-trades.ts'
import { groupBySource, splitQuestions } from '#server/trading/evidence/split-questions.ts'

export interface ReadRecordsParts {
  readonly ctx: Ctx
  readonly ticks: Pick<TickService, 'isLeader' | 'record'>
  readonly catalogue: Pick<MarketCatalogue, 'reload'>
  readonly waits: RecordWaits & { readonly auditEveryMs: number }
}

/**
 * In live mode, the second reading of a record follows a day after the first. Without a reply, the server requests the
 * record daily for 30 days, then weekly.
 */
export const RECORD_WAITS: Readonly<Record<'demo' | 'live', ReadRecordsParts['waits']>> = {
  live: { betweenReadingsMs: DAY_MS, oftenForMs: 30 * DAY_MS, laterMs: 7 * DAY_MS, auditEveryMs: HOUR_MS },
  demo: { betweenReadingsMs: MINUTE_MS, oftenForMs: MINUTE_MS, laterMs: MINUTE_MS, auditEveryMs: MINUTE_MS },
}

/**
 * The maximum number of requests in one round. The provider's rate limits are shared with requests for late evidence.
 */
const MAX_QUESTIONS = 50

/**
 * Requests the records of sources again for decided prices. Works only on the server that writes the tick log. Returns
 * a function that stops the requests.
 */
export function readRecords(parts: ReadRecordsParts): () => Promise<void> {
  const run = createRecordReader(parts)
  return runPeriodically(parts.ctx, {
    pauseMs: () => 10 * SECOND_MS,
    run,
    failure: 'records of price sources could not be read again',
  })
}

/**
 * Returns a function that runs one round. A round covers expiries that are void for lack of a record, decisions that a
 * record contradicted once, and the audit.
 */
export function createRecordReader(parts: ReadRecordsParts): () => Promise<void> {
  const { ctx, ticks, catalogue, waits } = parts
  let known = ''
  return async () => {
    if (!ticks.isLeader() || !ctx.clock.isTrusted()) return
    await noteVoids(ctx.db, ctx.now())
    await readChecks(parts)
    await chooseForAudit(ctx.db, ctx.now(), waits.auditEveryMs)
    await readAudits(parts)
    // Every server must know which symbols will accept no orders.
    const unread = JSON.stringify(await unreadSince(ctx.db))
    if (unread === known) return
    await catalogue.reload()
    ctx.publish({ kind: 'markets-changed' })
    known = unread
  }
}

async function readChecks({ ctx, ticks, waits }: ReadRecordsParts): Promise<void> {
  const unread = await listUnread(ctx.db)
  const due = unread.filter((check) => nextQuestionAt(check, waits) <= ctx.now())
  for (const question of groupBySource(due).flatMap(splitQuestions).slice(0, MAX_QUESTIONS)) {
    const readings = await readTrades({ ctx, ticks }, question)
    const now = ctx.now()
    for (const check of question) {
      const reading = readings.get(check) ?? null
      const found = compareReadings(check.first, reading && readingText(reading), { now, ...waits })
      await storeAnswer(ctx.db, check, { now, ...found })
    }
  }
}

async function readAudits({ ctx, ticks, waits }: ReadRecordsParts): Promise<void> {
  const open = await listOpenAudits(ctx.db, later(ctx.now(), -waits.betweenReadingsMs), MAX_QUESTIONS)
  for (const key of open) {
    const reading = (await readTrades({ ctx, ticks }, [key])).get(key) ?? null
    const isEqual = reading === null ? null : await isAsDecided(ctx, key, reading)
    await storeAudit(ctx.db, key, ctx.now(), isEqual)
    if (reading === null || isEqual !== false) continue
    await noteDifference(ctx.db, key, reading, ctx.now())
    ctx.log.warn({ ...key }, 'the record of a source contradicts a decided price')
  }
}

async function isAsDecided({ db }: Ctx, key: DecisionKey, reading: RecordReading): Promise<boolean> {
  const { settledBy } = await findDecision(db, key)
  return reading.entries.length === 0 && agrees(settledBy, priceByRecord(reading, key.expiresAt, key.maxTickAgeMs))
}
