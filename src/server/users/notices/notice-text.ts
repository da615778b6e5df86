import { z } from 'zod'
import { KEY_ENDS } from '#core/accounts/api-keys.ts'
import { deviceName } from '#core/accounts/device-name.ts'
import { MEASURE_KINDS } from '#core/accounts/measures.ts'
import { type NoticeKind, SECURITY_CHANGES } from '#core/accounts/notices.ts'
import { OWN_RULE_KEYS, type OwnRuleKey } from '#core/accounts/self-limits.ts'
import { arrivedText } from '#core/wallet/arrival-credit.ts'
import { groupThousands } from '#core/money/decimal.ts'
import { basisPoints, money, moneyNumber, percentNumber } from '#core/money/money.ts'
import { price, priceText } from '#core/money/price.ts'
import { type Instant, instant, MINUTE_MS, minuteText } from '#core/time/instant.ts'
import { isolated } from '#messages/find-text.ts'
import { LANGUAGES } from '#messages/languages.ts'
import { type Language, message } from '#server/platform/i18n/messages.ts'
import type { Notice } from '#server/users/notices/notices.queries.ts'

/** The facts that the database stores with a notice. Each kind of notice has only some of these fields. */
const Facts = z.object({
  trx: z.string().optional(),
  /** An amount in minor units of the base currency: negative when money was taken, absent for "no limit". */
  amount: z.number().int().optional(),
  method: z.string().default(''),
  /** The reason that the operator gives the user. */
  words: z.string().default(''),
  symbol: z.string().default(''),
  until_ms: z.number().int().optional(),
  limit: z.enum(OWN_RULE_KEYS).optional(),
  /** The number of orders that ended unseen by the user. */
  orders: z.number().int().optional(),
  break: z.enum(['time_out', 'exclusion', 'returned']).optional(),
  measure: z.enum(MEASURE_KINDS).optional(),
  what: z.enum(SECURITY_CHANGES).optional(),
  /**
   * Addresses that get the notice as well: the phone numbers before and after a change, or all contacts before a
   * recovery.
   */
  numbers: z.array(z.string()).default([]),
  /** The one of `numbers` that the user had proven before the change. Absent if none was proven. */
  proven: z.string().optional(),
  /** Whether new terms of use need the user's consent. */
  agree: z.boolean().default(false),
  /** The price that a price alert fired at, in price units of the symbol. */
  price: z.number().optional(),
  level: z.number().optional(),
  decimals: z.number().int().default(0),
  /** The price change that a price alert watches for, in hundredths of a percent. */
  move: z.number().optional(),
  tick: z.number().optional(),
  note: z.string().default(''),
  /** The time of the last price before the price that an alert fired at. */
  since_ms: z.number().int().optional(),
  /** The fee for selling an order back, in basis points of the stake. Absent when selling back ends. */
  fee: z.number().int().optional(),
  /** The id of the account recovery that the notice reports. */
  recovery: z.string().default(''),
  agent: z.string().default(''),
  /** The name of an API key. `key_end` says why the key ended. */
  name: z.string().default(''),
  key_end: z.enum(KEY_ENDS).optional(),
  address: z.string().default(''),
  /** The arrived amount and the amount to pay of a deposit, in hundred-millionths of its currency. */
  arrived: z.string().optional(),
  asked: z.string().optional(),
  currency: z.string().default(''),
})
type NoticeFacts = z.output<typeof Facts>

/** Parses the facts of a notice. Throws if the database holds other facts than these. */
export function factsOf({ data }: Pick<Notice, 'data'>): NoticeFacts {
  return Facts.parse(data)
}

/** Returns the title and the text of a notice in a language. */
export function noticeText(
  notice: Pick<Notice, 'kind' | 'data' | 'at'>,
  { language, site }: { readonly language: Language; readonly site: string },
): { readonly title: string; readonly text: string } {
  const { kind, at } = notice
  const facts = factsOf(notice)
  const time = minuteText(at)
  if (kind === 'sign_in') {
    const params = { site, device: deviceName(facts.agent) || '?', address: facts.address, time }
    return {
      title: message('mail.new_device_subject', language, params),
      text: message('mail.new_device_text', language, params),
    }
  }
  if (kind === 'security_changed') {
    const what = message(`notice.${facts.what ?? 'password'}`, language)
    const params = { site, what, time }
    return {
      title: message('mail.security_subject', language, params),
      text: message('mail.security_text', language, params),
    }
  }
  if (kind === 'price_alert') return alertText(facts, at, language)
  const title = message(`notice.${kind}`, language)
  const reason = kind === 'terms_announced' ? facts.words : reasonLine(facts, language)
  const lines = [factLine(facts, language), arrivedLine(facts, language), reason, hint(kind, facts, language)]
  return { title, text: lines.filter((line) => line !== '').join('\n') }
}

/** 10 minutes: if the symbol had no price for longer than this before an alert fired, the text mentions the gap. */
const SILENCE_MS = 10 * MINUTE_MS

/** The text of a price alert: what the price crossed, at which tick, and the user's own note. */
function alertText(facts: NoticeFacts, at: Instant, language: Language): { title: string; text: string } {
  const { symbol, decimals, level, move, price: fired, tick, note, since_ms: since } = facts
  const written = (units: number) => isolated(groupThousands(priceText(price(units), decimals)), LANGUAGES[language])
  const time = minuteText(at)
  const title =
    level === undefined
      ? message('notice.price_alert_move', language, { symbol, percent: (move ?? 0) / 100 })
      : message('notice.price_alert', language, { symbol, level: written(level) })
  const lines = [
    message('notice.price_alert_tick', language, { price: written(fired ?? 0), time, tick: tick ?? 0 }),
    since !== undefined && at - since > SILENCE_MS
      ? message('notice.price_alert_gap', language, { from: minuteText(instant(since)), until: time })
      : '',
    note,
  ]
  return { title, text: lines.filter((line) => line !== '').join('\n') }
}

/** Formats amounts as on the screens: $2,480.50. */
const AMOUNTS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Returns the facts of a notice on one line: amounts, names and references, which need no translation. */
function factLine(facts: NoticeFacts, language: Language): string {
  const { trx, amount, method, symbol, limit, measure, name, address } = facts
  const value = amount === undefined ? undefined : ruleValue(amount, limit, language)
  const parts = [
    measure && message(`measures.${measure}`, language, { value: value ?? '' }),
    limit && limitName(limit, language),
    symbol,
    measure === undefined ? value : undefined,
    limit !== undefined && value === undefined ? noRule(limit, language) : undefined,
    method,
    trx,
    name,
    address,
  ]
  return parts.flatMap((part) => (part ? [isolated(part, LANGUAGES[language])] : [])).join(' · ')
}

/** Returns a line that names both amounts when more or less arrived than the amount to pay. */
function arrivedLine({ arrived, asked, currency }: NoticeFacts, language: Language): string {
  if (arrived === undefined || asked === undefined || BigInt(arrived) === BigInt(asked)) return ''
  const written = (units: bigint) => isolated(groupThousands(arrivedText(units, currency)), LANGUAGES[language])
  const [all, wanted] = [BigInt(arrived), BigInt(asked)]
  const more = all - wanted
  if (more > 0n) {
    return message('notice.deposit_more', language, { arrived: written(all), more: written(more), currency })
  }
  return message('notice.deposit_part', language, { arrived: written(all), asked: written(wanted), currency })
}

/**
 * Returns the value of a user's own rule: an amount, the minutes of the reality check, or "on" for the withdrawal lock.
 */
function ruleValue(amount: number, limit: OwnRuleKey | undefined, language: Language): string {
  if (limit === 'reality_check') return message('limits.minutes', language, { minutes: amount })
  if (limit === 'withdrawal_lock') return message('limits.on', language)
  return AMOUNTS.format(moneyNumber(money(amount)))
}

function noRule(limit: OwnRuleKey, language: Language): string {
  return message(limit === 'withdrawal_lock' ? 'limits.off' : 'limits.none', language)
}

function reasonLine({ words }: NoticeFacts, language: Language): string {
  return words === '' ? '' : message('notice.reason', language, { words })
}

/** Returns the consequence for the user, or an empty text if the title already states it. */
function hint(kind: NoticeKind, facts: NoticeFacts, language: Language): string {
  const time = facts.until_ms === undefined ? '' : minuteText(instant(facts.until_ms))
  switch (kind) {
    case 'withdrawal_rejected':
    case 'withdrawal_cancelled':
    case 'withdrawal_failed':
    case 'withdrawal_returned':
    case 'order_void':
      return message('notice.hint_money_back', language)
    case 'made_good':
      return message('notice.hint_made_good', language)
    case 'withdrawal_late':
      return message('notice.hint_late', language)
    case 'orders_ended':
      return message('notice.hint_ended', language, { orders: facts.orders ?? 0 })
    case 'limit_reached':
      return time === '' ? '' : message('notice.hint_reached', language, { time })
    case 'review_due':
      return message('notice.hint_review', language)
    case 'limit_waits':
      return message('notice.hint_confirm', language, { time })
    case 'break_begun':
      return message('notice.hint_break', language, { time })
    case 'break_over':
      return message(facts.break === 'exclusion' ? 'notice.hint_closed' : 'notice.hint_open', language)
    case 'closing_begun':
      return message('notice.hint_closing', language, { time })
    case 'leave_closed':
      return message('notice.hint_left', language)
    case 'data_ready':
      return message('notice.hint_data', language, { time })
    case 'recovery_begun':
      return message('notice.hint_recovery', language, { time })
    case 'recovery_done':
      return message('notice.hint_recovered', language)
    case 'terms_announced':
      return message(facts.agree ? 'notice.hint_terms_agree' : 'notice.hint_terms', language, { time })
    case 'payout_change':
      return saleTermsText(facts.fee, time, language)
    case 'key_made':
    case 'key_used':
      return message('notice.hint_key', language)
    case 'key_ends':
      return message('notice.hint_key_ends', language, { time })
    case 'key_ended':
      return message(
        `notice.hint_key_${facts.key_end === 'foreign' || facts.key_end === 'shown' ? facts.key_end : 'new'}`,
        language,
      )
    case 'ticket_closed':
      return message('notice.hint_ticket_closed', language, { time })
    case 'correction_announced':
      return message('notice.hint_dispute', language, { time })
    default:
      return ''
  }
}

function saleTermsText(fee: number | undefined, time: string, language: Language): string {
  if (fee === undefined) return message('notice.hint_sale_off', language, { time })
  return message('notice.hint_sale_on', language, { time, fee: percentNumber(basisPoints(fee)) })
}

function limitName(key: OwnRuleKey, language: Language): string {
  if (key === 'reality_check') return message('limits.reality', language)
  if (key === 'withdrawal_lock') return message('limits.lock', language)
  if (key === 'stake_max') return message('limits.stake_max', language)
  const [what, window] = key.split('_') as ['deposit' | 'loss' | 'staked', 'day' | 'week' | 'month']
  return `${message(`limits.${what}`, language)} (${message(`limits.${window}`, language)})`
}
