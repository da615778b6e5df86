import { NO_CAP, readCapSubject } from '#core/markets/terms/cap-subject.ts'
import { type MarketType, readMarketType } from '#core/markets/market.ts'
import type { TermsPart } from '#core/markets/terms/terms-entry.ts'
import { money, percentNumber } from '#core/money/money.ts'
import { readSaleTerms } from '#core/orders/sale/sale-terms.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import { formatMoney } from '#ui/format.ts'

/** A change of the trade terms: its part, its subject and its new value. */
export interface ShownChange {
  readonly what: TermsPart
  readonly of: string
  readonly value: string
}

type ChangeKey =
  | 'payout'
  | 'min_stake'
  | 'max_stake'
  | 'ceiling'
  | 'max_tick_age'
  | 'notice'
  | 'rule'
  | 'duration_open'
  | 'duration_withdrawn'
  | 'symbol_open'
  | 'symbol_closing'
  | 'sale_on'
  | 'sale_off'
  | 'sale_pause'
  | 'cap'
  | 'cap_none'
  | 'cap_minute'
  | 'cap_site'

type NoticeKey =
  | 'payout_changes'
  | 'min_stake_changes'
  | 'max_stake_changes'
  | 'not_offered_from'
  | 'offered_again_from'

/** The texts of an app, in the language of the reader. */
export interface TermsWords {
  readonly t: (
    key: `changes.${ChangeKey}` | `trade.${NoticeKey}` | `market.type_${MarketType}`,
    params: Record<string, string | number>,
  ) => string
  /** Formats seconds as a duration. */
  readonly length: (seconds: number) => string
}

/** Returns the sentence of a change: "Payout for 1 min: 80%". */
export function termsChangeText({ what, of, value }: ShownChange, { t, length }: TermsWords): string {
  const amount = () => formatMoney(money(BigInt(value)))
  switch (what) {
    case 'payout':
      return t('changes.payout', { duration: length(Number(of)), payout: Number(value) / 100 })
    case 'min_stake':
      return t('changes.min_stake', { duration: length(Number(of)), amount: amount() })
    case 'max_stake':
      return t('changes.max_stake', { duration: length(Number(of)), amount: amount() })
    case 'ceiling':
      return t('changes.ceiling', { amount: amount() })
    case 'max_tick_age':
      return t('changes.max_tick_age', { symbol: of, seconds: Number(value) / SECOND_MS })
    case 'notice':
      return t('changes.notice', { duration: length(Math.ceil(Number(value) / SECOND_MS)) })
    case 'rule':
      return t('changes.rule', { version: value })
    case 'duration': {
      const duration = length(Number(of))
      return t(value === 'open' ? 'changes.duration_open' : 'changes.duration_withdrawn', { duration })
    }
    case 'sale': {
      const terms = readSaleTerms(value)
      if (terms === null) return t('changes.sale_off', { symbol: of })
      return t('changes.sale_on', { symbol: of, fee: percentNumber(terms.fee) })
    }
    case 'sale_pause': {
      // The subject of a pause is one symbol or a whole market type.
      const market = readMarketType(of)
      const symbol = market === null ? of : t(`market.type_${market}`, {})
      return t('changes.sale_pause', { symbol, duration: length(Number(value) / SECOND_MS) })
    }
    case 'cap': {
      const subject = capSubjectName(of, t)
      return value === NO_CAP ? t('changes.cap_none', { subject }) : t('changes.cap', { subject, amount: amount() })
    }
    case 'symbol':
      return t(value === 'open' ? 'changes.symbol_open' : 'changes.symbol_closing', { symbol: of })
  }
}

/** Returns the name of what a cap applies to. */
export function capSubjectName(of: string, t: TermsWords['t']): string {
  const subject = readCapSubject(of)
  const market = subject?.scope === 'market' ? readMarketType(subject.key) : null
  if (subject === null) return of
  if (market !== null) return t(`market.type_${market}`, {})
  if (subject.scope === 'site') return t('changes.cap_site', {})
  return subject.scope === 'expiry' ? t('changes.cap_minute', { symbol: subject.key }) : subject.key
}

/**
 * Returns the notice on the order form: "Payout changes to 80% at Mon 14:00 UTC". Null for parts that it does not show.
 */
export function termsNoticeText(
  { what, value }: Pick<ShownChange, 'what' | 'value'>,
  time: string,
  t: TermsWords['t'],
): string | null {
  if (what === 'payout') return t('trade.payout_changes', { payout: Number(value) / 100, time })
  if (what === 'duration') return t(value === 'open' ? 'trade.offered_again_from' : 'trade.not_offered_from', { time })
  if (what !== 'min_stake' && what !== 'max_stake') return null
  return t(`trade.${what}_changes`, { amount: formatMoney(money(BigInt(value))), time })
}
