import { z } from 'zod'
import type { Db } from '#server/db/tables.ts'
import { isLanguage, type Language } from '#server/messages.ts'

/** What the operator says of the site as a whole. Each value has a default, so that an empty table is a valid one. */
export interface SiteSettings {
  readonly siteName: string
  readonly defaultLanguage: Language
  readonly invitationRequired: boolean
  readonly invitationCodes: readonly string[]
  readonly depositsOpen: boolean
  readonly withdrawalsOpen: boolean
  /** Why they are closed, as users are told. */
  readonly withdrawReason: string
  readonly operatingSince: string
  readonly logoUrl: string
  readonly faviconUrl: string
  readonly customerLink: string | null
  /** Where the operator streams and where traders chat; null where they do not. */
  readonly streamLink: string | null
  readonly chatLink: string | null
}

/** The settings in force; read once and again after a change. */
export interface Settings {
  readonly current: SiteSettings
  reload(): Promise<void>
}

const Stored = z.object({
  site_name: z.string().catch('Fairwick'),
  default_language: z.string().refine(isLanguage).catch('en'),
  invitation_required: z.boolean().catch(false),
  invitation_codes: z.array(z.string()).catch([]),
  deposits_open: z.boolean().catch(true),
  withdrawals_open: z.boolean().catch(true),
  withdraw_reason: z.string().trim().max(500).catch(''),
  operating_since: z.string().catch(''),
  logo_url: z.string().catch(''),
  favicon_url: z.string().catch(''),
  customer_link: z.string().nullable().catch(null),
  stream_link: z.string().nullable().catch(null),
  chat_link: z.string().nullable().catch(null),
})
export type SettingKey = keyof z.output<typeof Stored>

export async function loadSettings(db: Db): Promise<Settings> {
  let current = await read(db)
  return {
    get current() {
      return current
    },
    async reload() {
      current = await read(db)
    },
  }
}

async function read(db: Db): Promise<SiteSettings> {
  const rows = await db.selectFrom('setting').select(['key', 'value']).execute()
  const stored = Stored.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])))
  return {
    siteName: stored.site_name,
    defaultLanguage: isLanguage(stored.default_language) ? stored.default_language : 'en',
    invitationRequired: stored.invitation_required,
    invitationCodes: stored.invitation_codes,
    depositsOpen: stored.deposits_open,
    withdrawalsOpen: stored.withdrawals_open,
    withdrawReason: stored.withdraw_reason,
    operatingSince: stored.operating_since,
    logoUrl: stored.logo_url,
    faviconUrl: stored.favicon_url,
    customerLink: stored.customer_link,
    streamLink: stored.stream_link,
    chatLink: stored.chat_link,
  }
}
