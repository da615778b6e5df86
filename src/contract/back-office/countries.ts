import { z } from 'zod'
import { Pending } from '#contract/back-office/changes.ts'
import { SETTING_REFUSALS } from '#contract/back-office/settings.ts'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'
import { PLACE_VERDICTS } from '#core/accounts/country-rules.ts'
import { IsoTime } from '#contract/wire.ts'

const Verdict = z.enum(PLACE_VERDICTS)
const CountryCode = z.string().regex(/^[A-Z]{2}$/)

const Rule = z.object({
  country: CountryCode,
  sign_up: Verdict,
  deposit: Verdict,
  trade: Verdict,
  /** Why the rule exists. Only staff read this note. */
  note: z.string().trim().max(120),
})
export type CountryRuleRow = z.output<typeof Rule>

export const staffCountries = defineStaffCall({
  method: 'GET',
  path: '/admin/countries',
  may: 'countries.edit',
  summary: 'The rules by country, the users of each country, and where countries of addresses are read from.',
  reply: z.object({
    rules: z.array(Rule),
    /** The verdict about an address whose country is unknown. */
    unknown_address: Verdict,
    version: z.number().int(),
    /** Every country, with the users who declared it. */
    countries: z.array(z.object({ code: z.string(), name: z.string(), users: z.number().int() })),
    source: z.object({
      /** The header in which a trusted proxy names the country. Null when no header is configured. */
      header: z.string().nullable(),
      table: z.enum(['file', 'package', 'none']),
      built_at: IsoTime.nullable(),
      age_days: z.number().int().nullable(),
      is_old: z.boolean(),
    }),
  }),
  refusals: [],
})

export const staffSaveCountries = defineStaffCall({
  method: 'POST',
  path: '/admin/countries/save',
  may: 'countries.edit',
  summary: 'Replaces the rules by country. Two people decide, and the change waits.',
  body: z.object({
    rules: z.array(Rule).max(250),
    unknown_address: Verdict,
    reason: z.string().trim().max(300),
    version: z.number().int(),
  }),
  reply: z.object({ pending: Pending }),
  refusals: ['reason_needed', ...SETTING_REFUSALS],
})

export const staffTryAddress = defineStaffCall({
  method: 'POST',
  path: '/admin/countries/try',
  may: 'countries.edit',
  changesNothing: true,
  summary: 'The country of an address by the table, and what the rules in force say about it.',
  body: z.object({ address: z.string().trim().max(60) }),
  reply: z.object({
    /** The country of the address. Null when it is unknown. */
    country: z.object({ code: z.string(), name: z.string() }).nullable(),
    /** Whether the address is private or a loopback address, which has no country. */
    is_private: z.boolean(),
    sign_up: Verdict,
    deposit: Verdict,
    trade: Verdict,
  }),
  refusals: ['ip_address_invalid'],
})
