import { z } from 'zod'
import type { Candle } from '#core/markets/candle.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { priceText, VOLUME_DECIMALS } from '#core/money/price.ts'
import { CHART_INTERVALS } from '#core/time/chart-interval.ts'
import { DAY_MS, later, toIso } from '#core/time/instant.ts'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { DayText, Name, RowLimit } from '#server/operator-cli/inputs.ts'
import { table } from '#server/operator-cli/table.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'
import { type RebuildReport, rebuildCandles } from '#server/market-data/candles/rebuild-candles.ts'

export const candlesCommands: readonly Command[] = [
  defineCommand({
    name: 'candles rebuild',
    summary:
      'Recalculates stored candles from the tick log, corrects those that differ and lists them. Days are UTC; --until is included.',
    takes: [],
    options: { symbol: 'words', from: 'words', until: 'words', limit: 'words', 'dry-run': 'flag' },
    input: z.object({
      symbol: Name.optional(),
      from: DayText.optional(),
      until: DayText.optional(),
      limit: RowLimit,
      'dry-run': z.boolean().default(false),
    }),
    effect: 'changes',
    run: async ({ ctx, catalogue }, { symbol: name, from, until, limit, 'dry-run': isDryRun }, actor) => {
      const symbol = name === undefined ? null : catalogue.find(name)
      if (name !== undefined && symbol === null) return refused(`There is no symbol ${name}.`)
      if (from !== undefined && until !== undefined && until < from) return refused('--until is before --from.')
      const symbols = symbol === null ? catalogue.known : [symbol]
      const report = await rebuildCandles(ctx, actor, {
        symbolIds: symbols.map(({ id }) => id),
        from: from ?? null,
        until: until === undefined ? null : later(until, DAY_MS),
        isDryRun,
        target: symbol?.code ?? 'all symbols',
      })
      return said(...describe(report, symbols, { limit, isDryRun }))
    },
  }),
]

function describe(
  { counts, rebuilt, retainedSince, unknown }: RebuildReport,
  symbols: readonly ListedSymbol[],
  { limit, isDryRun }: { readonly limit: number; readonly isDryRun: boolean },
): string[] {
  const rows = symbols.flatMap(({ id, code }) =>
    CHART_INTERVALS.flatMap((interval) => {
      const count = counts.get(`${id}/${interval}`)
      if (count === undefined) return []
      const { looked, changed, added, removed, marked } = count
      return [[code, interval, ...[looked, changed, added, removed, marked].map(String)]]
    }),
  )
  const byId = new Map(symbols.map((symbol) => [symbol.id, symbol]))
  const lines = rebuilt.slice(0, limit).flatMap(({ symbolId, interval, was, is }) => {
    const symbol = byId.get(symbolId)
    const openTime = (is ?? was)?.openTime
    if (symbol === undefined || openTime === undefined) return []
    return [`${symbol.code} ${interval} ${toIso(openTime)}: ${text(was, symbol)} -> ${text(is, symbol)}`]
  })
  return [
    ...(rows.length === 0
      ? ['No closed candles in this period.']
      : table(['symbol', 'interval', 'checked', 'changed', 'added', 'removed', 'marked partial'], rows)),
    ...lines,
    ...(rebuilt.length > limit ? [`${rebuilt.length - limit} more candles. Raise --limit to list them.`] : []),
    ...(retainedSince === null || unknown === 0
      ? []
      : [`${unknown} candles before ${toIso(retainedSince)} were not changed: the log no longer has all their ticks.`]),
    isDryRun ? 'Nothing was changed: a dry run.' : `${rebuilt.length} candles were corrected.`,
  ]
}

/** Formats a candle as open, high, low, close and volume. Returns `none` for null. */
function text(candle: Candle | null, { decimals }: ListedSymbol): string {
  if (candle === null) return 'none'
  const { open, high, low, close, volume } = candle
  const prices = [open, high, low, close].map((price) => priceText(price, decimals))
  return `[${[...prices, formatDecimal(BigInt(volume), VOLUME_DECIMALS)].join(', ')}]`
}
