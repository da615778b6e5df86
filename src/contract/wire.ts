import { z } from 'zod'
import { type Money, parseMoney } from '#core/money/money.ts'
import { type OrderResult, VOID } from '#core/orders/order.ts'
import { asciiDigits } from '#core/text/digits.ts'

/**
 * An amount of the base currency in a request: a JSON number or plain decimal text, with at most two decimals. Signs,
 * exponents, spaces and further decimals are refused with `amount_invalid`.
 */
export const MoneyIn = z
  .union([z.number(), z.string().max(24)])
  .transform((value, ctx): Money => {
    const amount = parseMoney(asciiDigits(String(value)))
    if (amount !== null) return amount
    ctx.addIssue({ code: 'custom', params: { refusal: 'amount_invalid' } })
    return z.NEVER
  })
  .meta({ description: 'Amount in the base currency, at most two decimals; number or plain decimal string.' })

/** As `MoneyIn`, but above zero. Zero and negative amounts are refused with `amount_not_positive`. */
export const PositiveMoneyIn = z
  .union([z.number(), z.string().max(24)])
  .transform((value, ctx): Money => {
    const text = asciiDigits(String(value))
    const amount = parseMoney(text.replace(/^-/, ''))
    if (amount !== null && amount > 0n && !text.startsWith('-')) return amount
    ctx.addIssue({ code: 'custom', params: { refusal: amount === null ? 'amount_invalid' : 'amount_not_positive' } })
    return z.NEVER
  })
  .meta({
    description: 'Amount above zero in the base currency, at most two decimals; number or plain decimal string.',
  })

/**
 * The format of amounts and prices in the API documents. A client that calculates with them should not use floating
 * point.
 */
const DECIMAL = { format: 'decimal' }
/** An amount in a reply: a JSON number with at most two decimals. */
export const MoneyOut = z.number().meta(DECIMAL)
/** A price in a reply: a JSON number with at most the symbol's decimals. */
export const PriceOut = z.number().meta(DECIMAL)
/** A time in a reply: ISO 8601, UTC, with milliseconds. */
export const IsoTime = z.string().meta({ format: 'date-time' })
/** The direction of an order: 1 buy, 2 sell. */
export const DirectionOut = z.union([z.literal(1), z.literal(2)])
/** 1 win, 2 lose, 3 draw or void, 5 sold back before the expiry. */
export const SettledResultOut = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(5)])
/** 0 pending, 1 win, 2 lose, 3 draw or void, 5 sold back. */
export const ResultOut = z.union([z.literal(0), ...SettledResultOut.options])

/** The code of a result on the wire. A void shares the code of a draw and comes with its `void_reason`. */
export function resultCode(result: OrderResult): z.output<typeof SettledResultOut> {
  return result === VOID ? 3 : result
}

/** Fields whose text is used as typed. All other texts are normalised, see `core/text/normalise-text.ts`. */
export const PASSWORD_FIELDS = ['password', 'password_confirmation', 'current_password'] as const

/** A required text: at least one character. */
export const Text = (maxLength: number) => z.string().min(1).max(maxLength)
export const OptionalText = (maxLength: number) => z.string().max(maxLength).nullish()

/** Paging. Without `page`, a list returns up to 200 rows. A `per_page` above 200 counts as 200. */
export const PageQuery = z.object({
  page: z.coerce.number().int().positive().optional(),
  per_page: z.coerce
    .number()
    .int()
    .positive()
    .transform((size) => Math.min(size, 200))
    .optional(),
})
export type PageQuery = z.output<typeof PageQuery>

/** Ids of reference data (settings, gateways, symbols) in requests: a number or numeric text. */
export const IdIn = z.coerce.number().int().positive().max(2_147_483_647)

/** Larger numbers are refused, because JSON parsers would lose digits of an account number. */
const ExactNumber = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)
/** Values of a form by field label. Values without a field are ignored. */
export const LabelledValues = z.record(z.string().max(200), z.union([z.string().max(500), ExactNumber, z.null()]))
/** The PIN's own rule checks the format later, so that the refusals of a malformed PIN and a wrong PIN differ. */
export const PinIn = z.string().max(100)
