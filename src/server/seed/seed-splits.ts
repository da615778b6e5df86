import { readFileSync } from 'node:fs'
import { type CivilDay, readCivilDay } from '#core/markets/calendar/civil-day.ts'
import { MAX_SPLIT_SHARES, splitTakesEffectAt } from '#core/markets/splits/splits.ts'
import { assert } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { projectFile } from '#server/platform/runtime/project-files.ts'

export interface ShippedSplit {
  readonly code: string
  readonly day: CivilDay
  readonly effectiveAt: Instant
  readonly newShares: number
  readonly oldShares: number
}

const FILE = 'data/splits/us-stocks.csv'
const HEAD = 'symbol,trading_day,new_shares,old_shares'
const LINE = /^([A-Z0-9]{1,20}),(\d{4}-\d{2}-\d{2}),([1-9]\d{0,4}),([1-9]\d{0,4})$/

/** Reads the stock splits that ship with the program. */
export function readShippedSplits(): ShippedSplit[] {
  return parseSplits(readFileSync(projectFile(FILE), 'utf8'))
}

/** Parses the text of the file. Throws on any line that is not a split on a trading day. */
export function parseSplits(text: string): ShippedSplit[] {
  const [head, ...lines] = text.trimEnd().split('\n')
  assert(head === HEAD, `${FILE} begins with ${HEAD}`)
  return lines.map((line) => {
    const [, code = '', date = '', ...shares] = LINE.exec(line) ?? []
    const [newShares = 0, oldShares = 0] = shares.map(Number)
    const day = readCivilDay(date)
    const isRatio = newShares !== oldShares && Math.max(newShares, oldShares) <= MAX_SPLIT_SHARES
    const effectiveAt = day === null ? null : splitTakesEffectAt(day)
    assert(isRatio && day !== null && effectiveAt !== null, `${FILE}: not a split on a trading day: ${line}`)
    return { code, day, effectiveAt, newShares, oldShares }
  })
}

/** Inserts the shipped splits of stocks in the database as version 0, so that a provider's version overrides them. */
export async function seedSplits(db: Db): Promise<void> {
  const stocks = await db
    .selectFrom('market_symbol')
    .select(['id', 'code'])
    .where('market_type', '=', 'us_stocks')
    .execute()
  const rows = readShippedSplits().flatMap(({ code, day, effectiveAt, newShares, oldShares }) => {
    const symbol = stocks.find((stock) => stock.code === code)
    if (symbol === undefined) return []
    return [
      {
        symbol_id: symbol.id,
        trading_day: day,
        version: 0,
        new_shares: newShares,
        old_shares: oldShares,
        effective_ms: effectiveAt,
        announced_ms: 0,
        source: FILE,
        who: '',
      },
    ]
  })
  if (rows.length === 0) return
  await db
    .insertInto('stock_split')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
