import { z } from 'zod'

/**
 * `GET /api/ticks/{day}.csv`. This address is not a call of the contract, because its reply is a file.
 * docs/reference/tick-log.md describes it.
 */
export const TICK_DAY_PATH = '/ticks/:file'
export const TickDayParams = z.object({
  file: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}\.csv$/)
    .meta({ description: 'A past day (UTC) followed by `.csv`, such as `2026-11-20.csv`.' }),
})
export const TickDayQuery = z.object({
  symbol: z.string().max(20).optional().meta({ description: 'Only the ticks of this symbol.' }),
})
