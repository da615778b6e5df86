import { z } from 'zod'
import { defineCall } from '#contract/call.ts'

const Flag = z.union([z.literal(0), z.literal(1)])

export const generalSetting = defineCall({
  method: 'GET',
  path: '/user/general-setting',
  who: 'anyone',
  summary: 'Site settings, the mode and the server clock.',
  reply: z.object({
    default_language: z.string(),
    invitation_code_status: Flag,
    site_name: z.string(),
    deposit_feature: Flag,
    logo_url: z.string(),
    favicon_url: z.string(),
    mode: z.enum(['demo', 'live']),
    server_time: z.number().meta({ description: 'Milliseconds UTC.' }),
    operating_since: z.string(),
    outbox: z.boolean().meta({ description: 'Mail or SMS go to the local outbox page.' }),
  }),
  refusals: [],
})

export const countries = defineCall({
  method: 'GET',
  path: '/user/countries',
  who: 'anyone',
  summary: 'Countries with their dialling codes, by name.',
  reply: z.object({
    countries: z.array(z.object({ countryCode: z.string(), country: z.string(), dialCode: z.string() })),
  }),
  refusals: [],
})

export const outbox = defineCall({
  method: 'GET',
  path: '/outbox',
  who: 'anyone',
  summary: 'Messages that mail or SMS would have carried. Demo mode and loopback callers only; anyone else gets 404.',
  query: z.object({ to: z.string().max(200).optional() }),
  reply: z.object({
    messages: z.array(
      z.object({ to: z.string(), kind: z.string(), code: z.string(), text: z.string(), sent_at: z.string() }),
    ),
  }),
  refusals: ['not_found'],
})
