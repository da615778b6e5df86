import type { TermsPart } from '#core/markets/terms/terms-entry.ts'
import type { MarketType } from '#core/markets/market.ts'
import { basisPoints } from '#core/money/money.ts'
import { DEFAULT_SCALES, SALE_OFF, saleTermsValue } from '#core/orders/sale/sale-terms.ts'
import { SALE_PAUSE_NOTICE_MS } from '#core/markets/terms/terms-limits.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { readStaffDecimal } from '#core/money/staff-number.ts'
import { readAmount } from '#core/money/typed-amount.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { t } from '#back-office/i18n/t.ts'

/**
 * A change that the form can announce. A change with a fixed `value`, such as `open` or `withdrawn`, needs no typed
 * value.
 */
export interface TermsChoice {
  readonly id: string
  readonly what: Exclude<TermsPart, 'cap'>
  readonly value?: string
  /** For terms of early sales: the scale of price movements that is announced with the typed fee, in percent. */
  readonly scale?: number
  /** The notice period in ms, if the change does not follow the general notice period. */
  readonly noticeMs?: number
  readonly label: string
}

const PAUSE: TermsChoice = {
  id: 'sale_pause',
  what: 'sale_pause',
  noticeMs: SALE_PAUSE_NOTICE_MS,
  label: t('markets.sale_pause_field'),
}

/** Returns the changes that the form offers for a duration. */
export function durationChoices(isOpen: boolean): readonly TermsChoice[] {
  return [
    { id: 'payout', what: 'payout', label: t('markets.payout_field') },
    { id: 'min_stake', what: 'min_stake', label: t('markets.least') },
    { id: 'max_stake', what: 'max_stake', label: t('markets.most') },
    isOpen
      ? { id: 'withdrawn', what: 'duration', value: 'withdrawn', label: t('markets.withdraw_duration') }
      : { id: 'open', what: 'duration', value: 'open', label: t('markets.open_duration') },
  ]
}

/** Returns the changes that the form offers for a symbol. */
export function symbolChoices(isListed: boolean, market: MarketType): readonly TermsChoice[] {
  return [
    { id: 'max_tick_age', what: 'max_tick_age', label: t('markets.max_age_field') },
    isListed
      ? { id: 'closing', what: 'symbol', value: 'closing', label: t('markets.unlist') }
      : { id: 'open', what: 'symbol', value: 'open', label: t('markets.list_symbol') },
    { id: 'sale', what: 'sale', scale: DEFAULT_SCALES[market], label: t('markets.sale_field') },
    { id: 'sale_off', what: 'sale', value: SALE_OFF, label: t('markets.sale_off') },
    PAUSE,
  ]
}

/** Returns the changes that the form offers for a market. */
export function marketChoices(): readonly TermsChoice[] {
  return [PAUSE]
}

/** Returns the changes that the form offers for all durations together. */
export function generalChoices(): readonly TermsChoice[] {
  return [
    { id: 'notice', what: 'notice', label: t('markets.notice_field') },
    { id: 'ceiling', what: 'ceiling', label: t('markets.ceiling') },
    { id: 'rule', what: 'rule', label: t('markets.rule_field') },
  ]
}

/**
 * Converts typed percent, amounts, seconds or minutes into the value of an entry. Null when the text is not a number of
 * the expected unit.
 */
export function termsValue({ what, scale }: Pick<TermsChoice, 'what' | 'scale'>, typed: string): string | null {
  if (what === 'min_stake' || what === 'max_stake' || what === 'ceiling') {
    const read = readAmount(typed, BASE_CURRENCY, '.')
    return read.ok ? String(read.amount) : null
  }
  if (what === 'sale_pause') {
    const minutes = readStaffDecimal(typed, 0)
    return minutes === null ? null : String(minutes * BigInt(MINUTE_MS))
  }
  const decimals = what === 'payout' || what === 'sale' ? 2 : what === 'rule' ? 0 : 3
  const value = readStaffDecimal(typed, decimals)
  if (value === null) return null
  return scale === undefined ? String(value) : saleTermsValue({ scale, fee: basisPoints(Number(value)) })
}
