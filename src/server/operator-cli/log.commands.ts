import { createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { z } from 'zod'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { DayText, Name } from '#server/operator-cli/inputs.ts'
import { findTickDay, type TickDayRefusal } from '#server/market-data/tick-archive/tick-day.ts'
import { tickDayCsv } from '#server/market-data/tick-archive/tick-day-csv.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'

const WHY_NOT: Readonly<Record<TickDayRefusal, string>> = {
  tick_day_open: 'That day is not over yet. Export it when it is over.',
  tick_day_empty: 'No ticks were written on that day.',
  tick_day_dropped: 'The ticks of that day were deleted. FAIRWICK_TICKS_KEPT_DAYS sets how long they are kept.',
}

export const logCommands: readonly Command[] = [
  defineCommand({
    name: 'log export',
    summary: 'Writes a past day (UTC) of the tick log, or one symbol of it, as CSV to the folder exports.',
    takes: ['day'],
    options: { symbol: 'words' },
    input: z.object({ day: DayText, symbol: Name.optional() }),
    effect: 'looks',
    run: async ({ ctx, catalogue, dataDir }, { day: start, symbol: name }) => {
      const symbol = name === undefined ? null : catalogue.find(name)
      if (name !== undefined && symbol === null) return refused(`There is no symbol ${name}.`)
      const found = await findTickDay(ctx.db, start, ctx.now())
      if (!found.ok) return refused(WHY_NOT[found.refusal])
      const day = found.value
      const folder = join(dataDir, 'exports')
      mkdirSync(folder, { recursive: true })
      const file = join(folder, `${['ticks', day.day, ...(symbol ? [symbol.code] : [])].join('-')}.csv.gz`)
      await writeWhole(file, Readable.from(tickDayCsv({ db: ctx.db, catalogue, day, symbol })))
      return said(file, `Ticks ${day.firstSeq} to ${day.lastSeq}.`, `Head: ${Buffer.from(day.hash).toString('hex')}`)
    },
  }),
  defineCommand({
    name: 'log verify',
    summary: 'Checks the whole tick log: no tick was changed or left out, and no tick that an order needs was deleted.',
    takes: [],
    options: {},
    input: z.object({}),
    effect: 'looks',
    run: async ({ ctx }) => {
      const report = await verifyTickChain(ctx.db)
      if (!report.ok) return refused(`The tick log was changed from tick ${report.firstSeq} on: ${report.why}.`)
      return said(
        `${report.lastSeq} ticks in ${report.batches} batches. Of ${report.dropped} batches only the hash is kept.`,
        `Head: ${Buffer.from(report.hash).toString('hex')}`,
      )
    },
  }),
]

/** Writes to a temporary file and renames it when it is complete. */
async function writeWhole(file: string, lines: Readable): Promise<void> {
  const draft = `${file}.part`
  try {
    await pipeline(lines, createGzip(), createWriteStream(draft, { mode: 0o600 }))
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
