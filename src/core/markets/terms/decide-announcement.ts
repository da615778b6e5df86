import { NO_CAP, readCapSubject } from '#core/markets/terms/cap-subject.ts'
import { type MarketType, readMarketType } from '#core/markets/market.ts'
import { stakeCeiling } from '#core/markets/terms/offered-terms.ts'
import { ALL, type TermsChange, type TermsPart } from '#core/markets/terms/terms-entry.ts'
import type { TermsHistory } from '#core/markets/terms/terms-history.ts'
import {
  CAP_LIMITS,
  durationLimits,
  type Limits,
  MAX_NOTICE_MS,
  MIN_DELAY_MS,
  MIN_NOTICE_MS,
  MIN_RULE_NOTICE_MS,
  type Mode,
  noticeLimits,
  PAYOUT_LIMITS,
  REGISTER_MARGIN_MS,
  RULE_LIMITS,
  SALE_PAUSE_LIMITS,
  SALE_PAUSE_NOTICE_MS,
  STAKE_LIMITS,
  tickAgeLimits,
} from '#core/markets/terms/terms-limits.ts'
import { basisPoints, money, moneyText, percentNumber } from '#core/money/money.ts'
import { readSaleTerms, SALE_FEES, SALE_OFF } from '#core/orders/sale/sale-terms.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { DAY_MS, type Instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'

/** A change of the trade terms that staff ask for. */
export interface Announcement {
  readonly what: TermsPart
  readonly of: string
  readonly value: string
  /** When the change is to apply. Null: as soon as the notice allows. */
  readonly appliesAt: Instant | null
}

export interface AnnouncementFacts {
  readonly history: TermsHistory
  readonly mode: Mode
  readonly now: Instant
  /** The market of a symbol that this installation knows. Null for an unknown symbol. */
  readonly marketTypeOf: (code: string) => MarketType | null
}

export type AnnouncementRefusal =
  | 'not_found'
  | 'terms_bounds'
  | 'above_ceiling'
  | 'stakes_crossed'
  | 'duration_known'
  | 'notice_too_short'
  | 'terms_too_late'

type Stamped = Pick<TermsChange, 'announcedAt' | 'appliesAt'>

/** Decides whether a change may be announced, and from when it applies. */
export function decideAnnouncement(
  facts: AnnouncementFacts,
  announcement: Announcement,
): Result<Stamped, AnnouncementRefusal> {
  const { history, mode, now } = facts
  const valid = checkValue(facts, announcement)
  if (!valid.ok) return valid
  const known = checkSubject(facts, announcement)
  if (!known.ok) return known
  // A clock that was set back must not make an entry look older than the previous entry.
  const announcedAt = later(now, Math.max(0, (history.newest?.announcedAt ?? now) - now))
  const noticeMs = requiredNoticeMs(history, announcement, { at: announcedAt, mode })
  const soonestMs = Math.max(noticeMs, MIN_DELAY_MS + REGISTER_MARGIN_MS)
  const appliesAt = announcement.appliesAt ?? later(announcedAt, soonestMs)
  if (appliesAt < announcedAt + noticeMs) {
    return refuse('notice_too_short', { params: { seconds: noticeMs / SECOND_MS } })
  }
  if (appliesAt > announcedAt + MAX_NOTICE_MS)
    return refuse('terms_too_late', { params: { days: MAX_NOTICE_MS / DAY_MS } })
  const stakes = checkStakes(history, announcement, appliesAt)
  return stakes.ok ? ok({ announcedAt, appliesAt }) : stakes
}

/**
 * How long before its start a change must be announced. Withdrawing a duration and lengthening the notice take nothing
 * from any user, so these changes only wait for the register. Closing a symbol and turning off sales also wait only for
 * the register. A shorter notice needs the notice in force. A notice counts as shorter even when the longer notice has
 * only been announced. A pause of sales has a notice of its own. A cap refuses orders of all users alike, as a closed
 * market does, so a cap needs no notice.
 */
export function requiredNoticeMs(
  history: TermsHistory,
  { what, value }: Pick<Announcement, 'what' | 'value'>,
  { at, mode }: { readonly at: Instant; readonly mode: Mode },
): number {
  const noticeMs = history.noticeMs(at, MIN_NOTICE_MS[mode])
  if (value === 'withdrawn' || value === 'closing' || value === SALE_OFF) return MIN_DELAY_MS
  if (what === 'cap') return MIN_DELAY_MS
  if (what === 'sale_pause') return SALE_PAUSE_NOTICE_MS
  if (what === 'rule' || what === 'sale') return Math.max(noticeMs, MIN_RULE_NOTICE_MS[mode])
  if (what !== 'notice') return noticeMs
  const announced = history.coming('notice', ALL, at).map((entry) => Number(entry.value))
  return Number(value) < Math.max(noticeMs, ...announced) ? noticeMs : MIN_DELAY_MS
}

function found(isKnown: boolean): Result<undefined, 'not_found'> {
  return isKnown ? ok() : refuse('not_found', { field: 'of' })
}

function checkSubject(
  { history, marketTypeOf }: AnnouncementFacts,
  { what, of, value }: Announcement,
): Result<undefined, 'not_found' | 'duration_known'> {
  if (what === 'ceiling' || what === 'notice' || what === 'rule') return found(of === ALL)
  if (what === 'symbol' || what === 'max_tick_age' || what === 'sale') return found(marketTypeOf(of) !== null)
  if (what === 'cap') return found(isKnownSubject(of, marketTypeOf))
  if (what === 'sale_pause') return found(marketTypeOf(of) !== null || readMarketType(of) === of)
  const newest = history.steps('duration', of).at(-1) ?? null
  if (what !== 'duration') return found(newest !== null)
  if (value === 'withdrawn') return found(newest !== null)
  return newest?.value === 'open' ? refuse('duration_known', { field: 'of' }) : ok()
}

function isKnownSubject(of: string, marketTypeOf: AnnouncementFacts['marketTypeOf']): boolean {
  const subject = readCapSubject(of)
  if (subject === null) return false
  return subject.scope === 'market' || subject.scope === 'site' || marketTypeOf(subject.key) !== null
}

const OPEN_OR_NOT: Readonly<Partial<Record<TermsPart, readonly string[]>>> = {
  duration: ['open', 'withdrawn'],
  symbol: ['open', 'closing'],
}

function checkValue(facts: AnnouncementFacts, { what, of, value }: Announcement): Result<undefined, 'terms_bounds'> {
  const outside = ({ min, max }: Limits, field: 'of' | 'value') => {
    const write = field === 'of' ? String : (limit: number) => typedValue(what, limit)
    return refuse('terms_bounds', { params: { least: write(min), most: write(max) }, field })
  }
  if (what === 'duration') {
    const limits = durationLimits(facts.mode)
    if (!isWithin(of, limits)) return outside(limits, 'of')
  }
  const values = OPEN_OR_NOT[what]
  if (values !== undefined) {
    if (values.includes(value)) return ok()
    return refuse('terms_bounds', { params: { least: values[0] ?? '', most: values[1] ?? '' }, field: 'value' })
  }
  if (what === 'sale') return checkSale(value)
  if (what === 'cap' && value === NO_CAP) return ok()
  const limits = valueLimits(facts, what, of)
  return isWithin(value, limits) ? ok() : outside(limits, 'value')
}

/** A sale that is offered needs a fair report of a calibration too, which the database checks. */
function checkSale(value: string): Result<undefined, 'terms_bounds'> {
  if (value === SALE_OFF || readSaleTerms(value) !== null) return ok()
  const [least, most] = [SALE_FEES.min, SALE_FEES.max].map((fee) => String(percentNumber(basisPoints(fee))))
  return refuse('terms_bounds', { params: { least: least ?? '', most: most ?? '' }, field: 'value' })
}

/** A value in the unit that operators type: percent, amounts, seconds and minutes. */
function typedValue(what: TermsPart, value: number): string {
  if (what === 'payout') return String(percentNumber(basisPoints(value)))
  if (what === 'max_tick_age' || what === 'notice') return String(value / SECOND_MS)
  if (what === 'sale_pause') return String(value / MINUTE_MS)
  if (what === 'rule') return String(value)
  return moneyText(money(value))
}

function valueLimits({ mode, marketTypeOf }: AnnouncementFacts, what: TermsPart, of: string): Limits {
  if (what === 'payout') return PAYOUT_LIMITS
  if (what === 'max_tick_age') return tickAgeLimits(mode, marketTypeOf(of) ?? 'crypto')
  if (what === 'notice') return noticeLimits(mode)
  if (what === 'rule') return RULE_LIMITS
  if (what === 'sale_pause') return SALE_PAUSE_LIMITS
  if (what === 'cap') return CAP_LIMITS
  return STAKE_LIMITS
}

function isWithin(text: string, { min, max }: Limits): boolean {
  return /^[1-9]\d{0,14}$/.test(text) && Number(text) >= min && Number(text) <= max
}

/** At no moment from `appliesAt` on may the smallest stake be above the largest, or the largest above the ceiling. */
function checkStakes(
  history: TermsHistory,
  { what, of, value }: Announcement,
  appliesAt: Instant,
): Result<undefined, 'stakes_crossed' | 'above_ceiling'> {
  const isStake = what === 'min_stake' || what === 'max_stake'
  if (!isStake && what !== 'ceiling') return ok()
  const durations = isStake ? [of] : history.subjects('max_stake')
  for (const duration of durations) {
    for (const at of momentsFrom(history, duration, appliesAt)) {
      const valueOf = (part: TermsPart, subject: string) =>
        part === what ? Number(value) : Number(history.inForce(part, subject, at)?.value ?? Number.NaN)
      const ceiling = what === 'ceiling' ? Number(value) : stakeCeiling(history, at)
      const [min, max] = [valueOf('min_stake', duration), valueOf('max_stake', duration)]
      // A limit without a value is NaN here. Comparisons with NaN are false, so nothing is refused because of such a
      // limit.
      if (min > max) return refuse('stakes_crossed', { field: 'value' })
      if (max > ceiling)
        return refuse('above_ceiling', { params: { value: typedValue('ceiling', ceiling) }, field: 'value' })
    }
  }
  return ok()
}

function momentsFrom(history: TermsHistory, of: string, from: Instant): readonly Instant[] {
  const steps = [history.steps('min_stake', of), history.steps('max_stake', of), history.steps('ceiling', ALL)].flat()
  return [from, ...steps.map(({ appliesAt }) => appliesAt).filter((at) => at > from)]
}
