import { z } from 'zod'
import { type BasisPoints, money, moneyText, parseMoney } from '#core/money/money.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { isWithinJump } from '#core/wallet/rate-jump.ts'
import type { ChangeFields } from '#server/audit/changes/changes.queries.ts'
import type { GatewayContent } from '#server/payments/gateways/gateways.queries.ts'
import { readForm } from '#server/payments/gateways/list-gateways.ts'

/** The fields that decide where users pay to and how much arrives. A change of such a field needs a second approver. */
const GUARDED = [
  'currency',
  'fixed_charge',
  'percent_charge',
  'rate_millionths',
  'wallet_address',
  'description',
  'form',
  'is_automatic',
  'quote_seconds',
] as const

/** Formats the content for the audit log and for waiting changes, with the field names of the API. */
export function recorded(content: GatewayContent) {
  return {
    name: content.name,
    image: content.image,
    currency: content.currency,
    min_amount: moneyText(content.minimum),
    max_amount: moneyText(content.maximum),
    fixed_charge: moneyText(content.fixedCharge),
    percent_charge: content.percentCharge / 100,
    rate_millionths: content.rate.toString(),
    wallet_address: content.walletAddress,
    description: content.description,
    form: content.form,
    is_automatic: content.isAutomatic,
    quote_seconds: content.quoteSeconds,
    is_offered: content.isOffered,
    sort: content.sort,
  }
}

const Amount = z.string().transform((text) => parseMoney(text) ?? money(0n))
const Recorded = z.object({
  name: z.string(),
  image: z.string(),
  currency: z.string(),
  min_amount: Amount,
  max_amount: Amount,
  fixed_charge: Amount,
  percent_charge: z.number(),
  rate_millionths: z.string().transform(BigInt),
  wallet_address: z.string(),
  description: z.string(),
  form: z.unknown().transform(readForm),
  is_automatic: z.boolean(),
  // Absent in changes from before quotes ended.
  quote_seconds: z.number().default(DAY_MS / 1_000),
  is_offered: z.boolean(),
  sort: z.number(),
})

/** Converts the fields that `recorded` wrote back to the content of a gateway. */
export function readRecorded(fields: ChangeFields): GatewayContent {
  const read = Recorded.parse(fields)
  return {
    name: read.name,
    image: read.image,
    currency: read.currency,
    minimum: read.min_amount,
    maximum: read.max_amount,
    fixedCharge: read.fixed_charge,
    percentCharge: Math.round(read.percent_charge * 100) as BasisPoints,
    rate: read.rate_millionths,
    walletAddress: read.wallet_address,
    description: read.description,
    form: read.form,
    isAutomatic: read.is_automatic,
    quoteSeconds: read.quote_seconds,
    isOffered: read.is_offered,
    sort: read.sort,
  }
}

export interface RateFacts {
  /** The rate that was in effect 24 hours ago, or the first rate of a newer gateway, in millionths. */
  readonly rateBefore: bigint
  readonly jumpPercent: number
}

/**
 * Returns the fields of an edit that must wait for a second approver, with their new values. If any field waits, a
 * gateway that is off stays off until then, so that it is never offered with the values that the edit replaces.
 */
export function guardedFields(before: GatewayContent, after: GatewayContent, rates: RateFacts): ChangeFields {
  const changed = changedFields(GUARDED, before, after)
  if (!after.isAutomatic) delete changed['is_automatic']
  if (isSmallStep(before.rate, after.rate, rates)) delete changed['rate_millionths']
  if (Object.keys(changed).length === 0 || before.isOffered || !after.isOffered) return changed
  return { ...changed, is_offered: true }
}

/** Returns the new limits and the new rate of an edit, if it changes them. */
export function changedTerms(before: GatewayContent, after: GatewayContent): ChangeFields {
  return changedFields(['min_amount', 'max_amount', 'rate_millionths'], before, after)
}

/** Returns the content of an edited gateway until the waiting fields apply. */
export function contentUntil(
  waiting: ChangeFields,
  { before, after }: { readonly before: GatewayContent; readonly after: GatewayContent },
): GatewayContent {
  const was: ChangeFields = recorded(before)
  const earlier = Object.fromEntries(Object.keys(waiting).map((field) => [field, was[field]]))
  return readRecorded({ ...recorded(after), ...earlier })
}

function changedFields(
  fields: readonly (keyof ReturnType<typeof recorded>)[],
  before: GatewayContent,
  after: GatewayContent,
): Record<string, unknown> {
  const [was, is] = [recorded(before), recorded(after)]
  const changed = fields.filter((field) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))
  return Object.fromEntries(changed.map((field) => [field, is[field]]))
}

/**
 * Whether a new rate is within `jumpPercent` of the last rate and of the rate 24 hours ago. A newer gateway is compared
 * with its first rate, so that small steps never add up. Such a rate only follows the market, so one staff member may
 * set it alone.
 */
function isSmallStep(last: bigint, rate: bigint, { rateBefore, jumpPercent }: RateFacts): boolean {
  return isWithinJump(rate, last, jumpPercent) && isWithinJump(rate, rateBefore, jumpPercent)
}
