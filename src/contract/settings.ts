import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { DISPLAY_CURRENCIES } from '#core/wallet/display-rates.ts'

const Flag = z.union([z.literal(0), z.literal(1)])

export const generalSetting = defineCall({
  method: 'GET',
  path: '/user/general-setting',
  who: 'anyone',
  key: 'read',
  summary: 'Site settings, the mode and the server clock.',
  reply: z.object({
    default_language: z.string(),
    invitation_code_status: Flag,
    site_name: z.string(),
    deposit_feature: Flag,
    deposit_reason: z.string().meta({ description: 'Reason while deposits are closed.' }),
    logo_url: z.string(),
    favicon_url: z.string(),
    mode: z.enum(['demo', 'live']),
    server_time: z.number().meta({ description: 'Milliseconds UTC.' }),
    operating_since: z.string(),
    outbox: z.boolean().meta({ description: 'Email or SMS messages go to the local outbox page.' }),
    withdrawal_pause_hours: z.number().meta({
      description: 'Hours for which withdrawals are paused after a change of password, second step or payment details.',
    }),
    languages: z.array(z.string()).meta({ description: 'The languages that visitors may choose.' }),
    announcements: z
      .string()
      .optional()
      .meta({ description: 'Changes whenever the announcements in force change. Omitted when there are none.' }),
    maintenance: z
      .object({
        from: z.number().int(),
        to: z.number().int().nullable().meta({ description: 'Null for a pause without a planned end.' }),
        words: z.string(),
      })
      .optional()
      .meta({ description: 'The running or next time in which nobody can place orders, in milliseconds UTC.' }),
    minimum_ages: z
      .record(z.string(), z.number().int())
      .meta({ description: 'Minimum ages by country code, where they are above 18.' }),
    changed_texts: z
      .number()
      .int()
      .meta({ description: 'How many texts of the app the operator changed, in all languages.' }),
    text_versions: z.record(z.string(), z.string()).optional().meta({
      description: 'By language: the version of the text overrides. Languages without overrides are omitted.',
    }),
  }),
  refusals: [],
})

export const textOverrides = defineCall({
  method: 'GET',
  path: '/user/texts/:language',
  who: 'anyone',
  key: 'read',
  summary: 'The texts of a language that the operator changed. Browsers cache the reply by its ETag.',
  params: z.object({ language: z.string().max(10) }),
  reply: z.object({ version: z.string(), texts: z.record(z.string(), z.record(z.string(), z.string())) }),
  refusals: ['not_found'],
})

export const proofTexts = defineCall({
  method: 'GET',
  path: '/proof/texts',
  who: 'anyone',
  key: 'read',
  summary: 'Every text of the app that the operator changed, in all languages, beside the original.',
  reply: z.object({
    texts: z.array(
      z.object({
        language: z.string(),
        key: z.string(),
        ours: z.string().meta({ description: 'The text of the app.' }),
        theirs: z.string().meta({ description: 'The text of the operator.' }),
        since: z.string(),
      }),
    ),
  }),
  refusals: ['rate_limited'],
})

export const countries = defineCall({
  method: 'GET',
  path: '/user/countries',
  who: 'anyone',
  key: 'read',
  summary: 'The countries from which users can sign up, with their dialling codes, by name.',
  reply: z.object({
    countries: z.array(z.object({ countryCode: z.string(), country: z.string(), dialCode: z.string() })),
  }),
  refusals: [],
})

export const displayRates = defineCall({
  method: 'GET',
  path: '/user/display-rates',
  who: 'anyone',
  key: 'read',
  summary: 'The approximate value of one unit of the base currency in each display currency. For display only.',
  reply: z.object({
    base: z.string(),
    rates: z.array(
      z.object({
        currency: z.enum(DISPLAY_CURRENCIES),
        rate: z.number(),
        source: z
          .enum(['market', 'indicative'])
          .meta({ description: 'From a pair traded here, or set by the operator.' }),
      }),
    ),
    indicative_as_of: z.string().meta({ description: 'Date of the indicative rates, as entered by the operator.' }),
  }),
  refusals: [],
})

export const outbox = defineCall({
  method: 'GET',
  path: '/outbox',
  who: 'anyone',
  key: 'never',
  summary:
    'Messages that a demo would have sent by mail or SMS. Only for callers on the same machine, with the key of the start, or with `to` while PUBLIC_URL is not set. All others get 404.',
  query: z.object({ to: z.string().max(200).optional() }),
  reply: z.object({
    messages: z.array(
      z.object({ to: z.string(), kind: z.string(), code: z.string(), text: z.string(), sent_at: z.string() }),
    ),
  }),
  refusals: ['not_found'],
})
