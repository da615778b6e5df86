import { calls } from '#contract/calls.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { priceNumber } from '#core/money/price.ts'
import { displayRates } from '#core/wallet/display-rates.ts'
import { answer } from '#server/http/answer.ts'
import type { Register } from '#server/http/register-call.ts'
import type { MarketCatalogue } from '#server/markets/market-catalogue.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import type { Ticks } from '#server/ticks/ticks.ts'

interface DisplayRatesParts {
  readonly settings: Settings
  readonly catalogue: MarketCatalogue
  readonly ticks: Pick<Ticks, 'latest'>
}

export function displayRatesRoutes(register: Register, { settings, catalogue, ticks }: DisplayRatesParts): void {
  register(calls.displayRates, async () =>
    answer({
      base: BASE_CURRENCY,
      rates: displayRates((pair) => lastPrice(pair), settings.current.displayRates),
      indicative_as_of: settings.current.displayRatesAsOf,
    }),
  )

  /** The newest price of a pair, however old: a weekend's rate is Friday's. */
  function lastPrice(pair: string): number | null {
    const symbol = catalogue.find(pair)
    const tick = symbol && ticks.latest(symbol.id)
    return symbol && tick ? priceNumber(tick.price, symbol.decimals) : null
  }
}
