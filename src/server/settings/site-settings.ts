import { isSupportedCountry } from 'libphonenumber-js/min'
import { z } from 'zod'
import { type CountryRules, PLACE_VERDICTS } from '#core/accounts/country-rules.ts'
import { readAgeLine } from '#core/accounts/minimum-age.ts'
import { type Money, money, moneyText, parseMoney } from '#core/money/money.ts'
import { normaliseValue } from '#core/text/normalise-value.ts'
import { type TaskAmounts, USUAL_AMOUNTS } from '#core/wallet/beginner-tasks.ts'
import { DISPLAY_CURRENCIES, type IndicativeRates } from '#core/wallet/display-rates.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import { problemText } from '#server/platform/i18n/problem-text.ts'
import type { Instant } from '#core/time/instant.ts'
import { oneAfterAnother } from '#server/platform/concurrency/one-after-another.ts'
import { lastClosedUntil } from '#server/settings/withdrawal-closure.ts'
import { typed, TypedText } from '#server/settings/typed-numbers.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { isLanguage, type Language } from '#server/platform/i18n/messages.ts'

/** The settings of the site as a whole. Each has a default, so an empty table is valid. */
export interface SiteSettings {
  readonly siteName: string
  readonly defaultLanguage: Language
  /** The languages that visitors can choose, in the usual order. Always includes the default language. */
  readonly languages: readonly Language[]
  readonly invitationRequired: boolean
  /** ISO codes of the countries that may sign up. Empty: all countries. */
  readonly countriesAllowed: readonly string[]
  /** Rules by country for sign-ups, deposits and orders. */
  readonly countryRules: CountryRules
  /** Minimum ages above 18, by country code. */
  readonly minimumAges: Readonly<Record<string, number>>
  readonly depositsOpen: boolean
  /** When withdrawals open again by themselves. Null while withdrawals are open. */
  readonly withdrawalsClosedUntil: Instant | null
  /** Why withdrawals are closed. Shown to users. */
  readonly withdrawReason: string
  /** Why deposits are closed. Shown to users. */
  readonly depositReason: string
  readonly operatingSince: string
  /** The operator's statement about the funds it holds, such as their addresses. */
  readonly fundsStatement: string
  readonly logoUrl: string
  readonly faviconUrl: string
  readonly customerLink: string | null
  /** Links to the operator's stream and to the traders' chat. Null: no link. */
  readonly streamLink: string | null
  readonly chatLink: string | null
  /** Units per US dollar by currency, for displaying balances, with the time they were set. */
  readonly displayRates: IndicativeRates
  readonly displayRatesAsOf: string
  /** Deposits and withdrawals of more than this amount need two approvals. */
  readonly twoPeopleAbove: Money
  /** The sum that one staff member may approve alone within 24 hours. */
  readonly onePersonDaily: Money
  /** The largest change of a gateway's rate, in percent, that one staff member may make at once. */
  readonly rateJumpPercent: number
  /** Hours for which withdrawals are paused after a user changed the password or a second step. */
  readonly withdrawalPauseHours: number
  /** Live mode: whether users may cancel pending withdrawals, unless they locked cancelling themselves. */
  readonly withdrawalCancel: boolean
  /** Live mode: whether users must decide about a limit of their own before their first deposit. */
  readonly limitPrompt: boolean
  /** Live mode: years for which identity and payments of erased accounts are kept, because the law requires it. */
  readonly recordYears: number
  /**
   * Whether copies of a user's own data contain the internal notes of staff. Some laws give users a right to these
   * notes.
   */
  readonly notesInData: boolean
  /** Credits that each beginner task pays. A task without credits is not offered. */
  readonly taskAmounts: TaskAmounts
  /** The licence for trading with real money. Empty in a demo. */
  readonly licence: { readonly holder: string; readonly number: string; readonly regulator: string }
}

/** The current settings, reloaded after each change. */
export interface Settings {
  readonly current: SiteSettings
  reload(): Promise<void>
}

/** An image path on this site, because the content policy of its pages blocks other sources. */
const Picture = z
  .string()
  .trim()
  .max(500)
  .refine(
    (text) => text === '' || /^\/(?!\/)[^\s\\]*$/.test(text),
    'must be a picture of this site, because browsers load no pictures from other addresses. Upload it here',
  )

const Link = z
  .url({ protocol: /^(https?|mailto)$/ })
  .max(500)
  .nullable()

/** A short text. */
const Line = z.string().trim().max(120)

/** An amount in the base currency as exact decimal text. */
const Amount = TypedText.refine((text) => parseMoney(text) !== null, 'is not an amount such as 1500.00')

/** Maximum credits of one task. The limit catches typing errors, which would otherwise credit every user. */
const MAX_CREDITS = money(10_000_000)
const Credits = TypedText.refine((text) => {
  const amount = parseMoney(text)
  return amount !== null && amount >= 0n && amount <= MAX_CREDITS
}, 'is not a number of credits from 0 to 100000')
const credits = (key: keyof TaskAmounts) => Credits.catch(moneyText(USUAL_AMOUNTS[key]))

const Verdict = z.enum(PLACE_VERDICTS)
const Rule = z.object({
  country: z.string().refine(isSupportedCountry, 'is not a country'),
  sign_up: Verdict,
  deposit: Verdict,
  trade: Verdict,
  note: Line,
})
const Rules = z.object({
  unknown_address: Verdict,
  rules: z
    .array(Rule)
    .refine((rules) => new Set(rules.map(({ country }) => country)).size === rules.length, 'names a country twice')
    .transform((rules) => rules.toSorted((a, b) => (a.country < b.country ? -1 : 1))),
})

/**
 * Returns the valid rules of a stored value. An invalid rule is dropped, so that it does not disable the other rules.
 */
function readableRules(stored: unknown): z.output<typeof Rules> {
  const parts = z
    .object({ unknown_address: Verdict.catch('allow'), rules: z.array(z.unknown()).catch([]) })
    .safeParse(stored)
  if (!parts.success) return { unknown_address: 'allow', rules: [] }
  const rules = parts.data.rules.flatMap((rule) => Rule.safeParse(rule).data ?? [])
  return { unknown_address: parts.data.unknown_address, rules }
}

/** The schema and the default of each setting. */
const Stored = z.object({
  site_name: z.string().trim().min(1).max(60).catch('Fairwick'),
  default_language: z.string().refine(isLanguage, 'is not one of the languages').catch('en'),
  /** An empty list offers all languages. */
  languages_offered: z.array(z.string().refine(isLanguage, 'is not one of the languages')).catch([]),
  invitation_required: z.boolean().catch(false),
  countries_allowed: z
    .array(z.string().refine(isSupportedCountry, 'is not a country'))
    .transform((codes) => [...new Set(codes)].toSorted())
    .catch([]),
  country_rules: Rules.catch(({ value }) => readableRules(value)),
  /** Lines such as "TH 20". */
  minimum_ages: z
    .array(
      z
        .string()
        .trim()
        .refine((line) => isAgeLine(line), 'is not a country with an age from 18 to 25, such as TH 20'),
    )
    .catch([]),
  deposits_open: z.boolean().catch(true),
  withdrawals_open: z.boolean().catch(true),
  /** When closed withdrawals open again. */
  withdrawals_closed_until: z.union([z.literal(''), z.iso.datetime()]).catch(''),
  withdraw_reason: z.string().trim().max(500).catch(''),
  deposit_reason: z.string().trim().max(500).catch(''),
  operating_since: z.union([z.literal(''), z.iso.date()]).catch(''),
  funds_statement: z.string().trim().max(500).catch(''),
  logo_url: Picture.catch(''),
  favicon_url: Picture.catch(''),
  customer_link: Link.catch(null),
  stream_link: Link.catch(null),
  chat_link: Link.catch(null),
  display_rates: z.partialRecord(z.enum(DISPLAY_CURRENCIES), typed(z.number().positive())).catch({}),
  display_rates_as_of: z.string().trim().max(40).catch(''),
  two_people_above: Amount.catch('1500.00'),
  /** Empty: five times the amount of `two_people_above`. Never more than ten times. */
  one_person_daily: z.union([z.literal(''), Amount]).catch(''),
  rate_jump_percent: typed(z.number().int().min(0).max(50)).catch(5),
  withdrawal_pause_hours: typed(z.number().int().min(0).max(168)).catch(24),
  withdrawal_cancel: z.boolean().catch(false),
  limit_prompt: z.boolean().catch(true),
  records_kept_years: typed(z.number().int().min(0).max(10)).catch(5),
  notes_in_data: z.boolean().catch(false),
  bonus_verify: credits('verify'),
  bonus_profile: credits('profile'),
  bonus_pin: credits('pin'),
  bonus_deposit: credits('deposit'),
  bonus_trade: credits('trade'),
  bonus_check: credits('check'),
  bonus_days: credits('days'),
  licence_holder: Line.catch(''),
  licence_number: Line.catch(''),
  licence_regulator: Line.catch(''),
})
export type SettingKey = keyof z.output<typeof Stored>

type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: 'setting_unknown' | 'setting_invalid'; readonly why?: string }

/** Validates a setting's name and value, and returns the value to store. */
export function checkSetting(key: string, value: unknown): Checked {
  if (!isSettingKey(key)) return { ok: false, refusal: 'setting_unknown' }
  const checked = Stored.shape[key].unwrap().safeParse(normaliseValue(value))
  if (checked.success) return { ok: true, value: checked.data }
  return {
    ok: false,
    refusal: 'setting_invalid',
    why: [...new Set(checked.error.issues.map((issue) => problemText(key, issue)))].join(' '),
  }
}

/** Returns the current value of every setting by its stored name. */
export async function storedSettings(db: Db | Tx): Promise<Readonly<Record<string, unknown>>> {
  return readStored(db)
}

function isAgeLine(line: string): boolean {
  const read = readAgeLine(line)
  return read !== null && isSupportedCountry(read.country)
}

function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(Stored.shape, key)
}

export async function loadSettings(db: Db): Promise<Settings> {
  let current = await read(db)
  const reload = oneAfterAnother(async () => {
    current = await read(db)
  })
  return {
    get current() {
      return current
    },
    reload,
  }
}

/**
 * Returns the languages of a stored choice. An empty choice offers all. The site's default language is always included.
 */
export function offeredLanguages(stored: unknown, defaultLanguage: Language): Language[] {
  const chosen = Array.isArray(stored) ? stored : []
  return LANGUAGE_CODES.filter((code) => chosen.length === 0 || chosen.includes(code) || code === defaultLanguage)
}

/** Whether withdrawals are closed at a time. */
export function areWithdrawalsClosed(
  { withdrawalsClosedUntil: until }: Pick<SiteSettings, 'withdrawalsClosedUntil'>,
  now: Instant,
): boolean {
  return until !== null && until > now
}

/** Returns why the site accepts no deposits, or null. While withdrawals are closed, deposits are closed too. */
export function depositsClosedReason(
  site: Pick<SiteSettings, 'depositsOpen' | 'depositReason' | 'withdrawalsClosedUntil' | 'withdrawReason'>,
  now: Instant,
): string | null {
  if (areWithdrawalsClosed(site, now)) return site.withdrawReason
  return site.depositsOpen ? null : site.depositReason
}

async function read(db: Db): Promise<SiteSettings> {
  const stored = await readStored(db)
  const defaultLanguage = isLanguage(stored.default_language) ? stored.default_language : 'en'
  return {
    siteName: stored.site_name,
    defaultLanguage,
    languages: offeredLanguages(stored.languages_offered, defaultLanguage),
    invitationRequired: stored.invitation_required,
    countriesAllowed: stored.countries_allowed,
    countryRules: stored.country_rules,
    minimumAges: Object.fromEntries(
      stored.minimum_ages.flatMap((line) => {
        const read = readAgeLine(line)
        return read ? [[read.country, read.age]] : []
      }),
    ),
    depositsOpen: stored.deposits_open,
    withdrawalsClosedUntil: stored.withdrawals_open ? null : await lastClosedUntil(db),
    withdrawReason: stored.withdraw_reason,
    depositReason: stored.deposit_reason,
    operatingSince: stored.operating_since,
    fundsStatement: stored.funds_statement,
    logoUrl: stored.logo_url,
    faviconUrl: stored.favicon_url,
    customerLink: stored.customer_link,
    streamLink: stored.stream_link,
    chatLink: stored.chat_link,
    displayRates: stored.display_rates,
    displayRatesAsOf: stored.display_rates_as_of,
    twoPeopleAbove: parseMoney(stored.two_people_above) ?? money(0n),
    onePersonDaily: dailyLimit(stored.two_people_above, stored.one_person_daily),
    rateJumpPercent: stored.rate_jump_percent,
    withdrawalPauseHours: stored.withdrawal_pause_hours,
    withdrawalCancel: stored.withdrawal_cancel,
    limitPrompt: stored.limit_prompt,
    recordYears: stored.records_kept_years,
    notesInData: stored.notes_in_data,
    taskAmounts: {
      verify: creditsOf(stored.bonus_verify),
      profile: creditsOf(stored.bonus_profile),
      pin: creditsOf(stored.bonus_pin),
      deposit: creditsOf(stored.bonus_deposit),
      trade: creditsOf(stored.bonus_trade),
      check: creditsOf(stored.bonus_check),
      days: creditsOf(stored.bonus_days),
    },
    licence: {
      holder: stored.licence_holder,
      number: stored.licence_number,
      regulator: stored.licence_regulator,
    },
  }
}

/** Returns the sum that one staff member may approve alone within 24 hours, from the two stored limits. */
export function dailyLimit(twoPeopleAbove: string, onePersonDaily: string): Money {
  const above = parseMoney(twoPeopleAbove) ?? money(0n)
  const daily = onePersonDaily === '' ? money(above * 5n) : (parseMoney(onePersonDaily) ?? money(0n))
  return daily > above * 10n ? money(above * 10n) : daily
}

function creditsOf(text: string): Money {
  return parseMoney(text) ?? money(0n)
}

async function readStored(db: Db | Tx): Promise<z.output<typeof Stored>> {
  return settingsIn(await db.selectFrom('setting').select(['key', 'value']).execute())
}

/** Returns the value of every setting from the stored rows. A setting without a row has its default. */
export function settingsIn(rows: readonly { readonly key: string; readonly value: unknown }[]) {
  return Stored.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])))
}
