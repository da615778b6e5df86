import { money } from '#core/money/money.ts'
import { DAY_MS, MINUTE_MS } from '#core/time/instant.ts'

/**
 * 15,000.00, ten times the default of `two_people_above`. When the payments that make up for the wrong results of an
 * incident sum to more, a public page shows them before they are paid. The sum is not a setting: a single staff member
 * could lower a setting and so delay every payment.
 */
export const SHOWN_ABOVE = money(1_500_000n)
/** How long the public page shows such payments before they are paid: three days, or a minute in a demo. */
export const SHOWN_FOR_MS = { live: 3 * DAY_MS, demo: MINUTE_MS } as const
