import { calls } from '#contract/calls.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { priceNumber } from '#core/money/price.ts'
import { DISPLAY_CURRENCIES, displayRates, pairsOf } from '#core/wallet/display-rates.ts'
import { answer } from '#server/http/answer.ts'
import type { Register } from '#server/http/register-call.ts'
import { createLastClose } from '#server/markets/last-close.ts'
import type { MarketCatalogue } from '#server/markets/market-catalogue.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import type { Ticks } from '#server/ticks/ticks.ts'

interface DisplayRatesParts {
  readonly settings: Settings
  readonly catalogue: MarketCatalogue
  readonly ticks: Pick<Ticks, 'latest' | 'candles'>
}

export function displayRatesRoutes(register: Register, { settings, catalogue, ticks }: DisplayRatesParts): void {
  const lastClose = createLastClose(ticks)
  const pairs = DISPLAY_CURRENCIES.flatMap(pairsOf)

  register(calls.displayRates, async () => {
    const prices = new Map(await Promise.all(pairs.map(async (pair) => [pair, await lastPrice(pair)] as const)))
    return answer({
      base: BASE_CURRENCY,
      rates: displayRates((pair) => prices.get(pair) ?? null, settings.current.displayRates),
      indicative_as_of: settings.current.displayRatesAsOf,
    })
  })

  /** The newest price of a pair, however old: a weekend's rate is Friday's. */
  async function lastPrice(pair: string): Promise<number | null> {
    const symbol = catalogue.find(pair)
    if (symbol === null) return null
    const price = ticks.latest(symbol.id)?.price ?? (await lastClose(symbol.id))
    return price === null ? null : priceNumber(price, symbol.decimals)
  }
}
