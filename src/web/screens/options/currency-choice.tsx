import { DISPLAY_CURRENCIES, readDisplayCurrency } from '#core/wallet/display-rates.ts'
import { Select } from '#ui/select.tsx'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/t.ts'
import { type DisplayRates, rateOf, useDisplayRates } from '#web/display-rates/display-rates.ts'
import { displayCurrency } from '#web/options/options.ts'

/** The choice of the display currency, with the source of its rate. */
export function CurrencyChoice() {
  const currency = displayCurrency.use()
  const rates = useDisplayRates({ wanted: true })
  const names = new Intl.DisplayNames([currentLanguage().tag, 'en'], { type: 'currency' })
  return (
    <Select
      label={t('options.currency')}
      name="display_currency"
      value={currency}
      onChange={(code) => displayCurrency.choose(readDisplayCurrency(code) ?? 'USD')}
      options={DISPLAY_CURRENCIES.map((code) => ({
        value: code,
        label: t('options.currency_name', { code, name: names.of(code) ?? code }),
        disabled: rates !== null && rateOf(rates, code) === null,
      }))}
      hint={hintOf(rates, currency)}
    />
  )
}

function hintOf(rates: DisplayRates | null, currency: (typeof DISPLAY_CURRENCIES)[number]): string {
  if (currency === 'USD') return t('options.currency_usd_hint')
  const rate = rateOf(rates, currency)
  if (rates === null || rate === null) return t('options.currency_hint')
  const shown = { base: rates.base, rate: rate.rate.toLocaleString('en-US', { maximumSignificantDigits: 6 }), currency }
  if (rate.source === 'market') return t('options.rate_market_hint', shown)
  return rates.indicative_as_of === ''
    ? t('options.rate_indicative_hint', shown)
    : t('options.rate_indicative_dated', { ...shown, date: rates.indicative_as_of })
}
