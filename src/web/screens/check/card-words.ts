import { BUY, SELL } from '#core/orders/order.ts'
import { type ResultFacts, type TickFacts, isResult } from '#core/proof/receipt-facts.ts'
import { isolated } from '#messages/find-text.ts'
import { formatRate, MINUS } from '#ui/format.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/t.ts'
import type { OrderCheck } from '#web/receipts/check-order.ts'
import { directionText, lengthText } from '#web/receipts/order-text.ts'
import { priceOf } from '#web/receipts/price-of.ts'
import { headlineText, isShareable } from '#web/screens/check/verdict-text.ts'
import { titleOf } from '#web/symbols/symbol-text.ts'

/** The texts of the picture of a checked result. They do not contain user, stake, balance or profit. */
export interface CardWords {
  readonly site: string
  readonly checked: string
  readonly headline: string
  readonly sentence: string
  /** The order in words: "Buy BTC/USDT · 5 min". */
  readonly order: string
  /** The result in percent of the stake; null if the user does not show it. */
  readonly percent: string | null
  readonly rows: readonly { readonly label: string; readonly value: string }[]
  readonly address: string
  /** The note of a demo; null on a site with real money. */
  readonly demo: string | null
}

interface CardOptions {
  readonly site: string
  readonly isDemo: boolean
  readonly showsPercent: boolean
  /** Address of the check page of this order. */
  readonly address: string
}

/** Returns the texts of the picture; null for a check of which no picture may be made. */
export function cardWords(order: OrderCheck, { site, isDemo, showsPercent, address }: CardOptions): CardWords | null {
  const { facts, sale } = order.check
  if (!isShareable(order) || facts === null) return null
  const { trx, symbol, market, decimals, direction, rule, opened_ms, expires_ms, entry } = facts
  const result = isResult(facts) ? facts : null
  const language = currentLanguage()
  const timed = (tick: TickFacts | null) =>
    tick === null ? '–' : `${priceOf(tick.price, decimals)} · ${utcText(tick.time_ms)}`
  const title = isolated(titleOf(symbol, market), language)
  const length = lengthText(Math.round((expires_ms - opened_ms) / 1_000))
  return {
    site,
    checked: t('check.card_checked'),
    headline: headlineText(order.check),
    sentence: t('check.matches'),
    order: `${directionText(direction === 'buy' ? BUY : SELL)} ${title} · ${length}`,
    percent: showsPercent && result !== null ? percentOf(result) : null,
    rows: [
      { label: t('trade.entry'), value: timed(entry) },
      sale === null
        ? { label: t('check.exit'), value: timed(result?.exit ?? null) }
        : { label: t('trade.sold'), value: timed(sale.tick) },
      { label: t('check.reference'), value: trx },
      { label: t('check.card_rule'), value: String(rule) },
    ],
    address,
    demo: isDemo ? t('shell.demo') : null,
  }
}

/** Returns the same content as one text, for people who do not see the picture. */
export function cardText(words: CardWords): string {
  const { site, checked, headline, sentence, order, percent, rows, address, demo } = words
  const result = percent === null ? [] : [percent]
  const facts = rows.map(({ label, value }) => `${label}: ${isolated(value, currentLanguage())}`)
  const lines = [`${site}, ${checked}`, headline, sentence, order, ...result, ...facts, address, demo ?? '']
  return lines
    .filter((line) => line !== '')
    .map((line) => line.replace(/[.。]$/, ''))
    .join('. ')
}

/** A draw and a void return the stake, so they are 0 %. */
function percentOf({ result, payout_bp }: ResultFacts): string {
  if (result === 'draw') return '0%'
  return result === 'win' ? `+${formatRate(payout_bp / 100)}` : `${MINUS}100%`
}

function utcText(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('T', ' ').replace('Z', ' UTC')
}
