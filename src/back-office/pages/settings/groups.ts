import type { BackOfficeKey } from '#back-office/i18n/t.ts'

/** The kind of input that edits a setting. */
export type SettingKind =
  | 'line'
  | 'words'
  | 'link'
  | 'date'
  | 'switch'
  | 'money'
  | 'number'
  | 'language'
  | 'lines'
  | 'countries'
  | 'rates'
  | 'picture'

export interface SettingField {
  readonly key: string
  readonly kind: SettingKind
  readonly label: BackOfficeKey
  readonly hint?: BackOfficeKey
}

export interface SettingGroup {
  readonly id: string
  readonly title: BackOfficeKey
  readonly hint?: BackOfficeKey
  readonly fields: readonly SettingField[]
}

/** Every setting of the site, grouped by topic. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    id: 'site',
    title: 'settings.group_site',
    fields: [
      { key: 'site_name', kind: 'line', label: 'settings.site_name' },
      { key: 'default_language', kind: 'language', label: 'settings.default_language' },
      { key: 'logo_url', kind: 'picture', label: 'settings.logo_url' },
      { key: 'favicon_url', kind: 'picture', label: 'settings.favicon_url' },
      { key: 'operating_since', kind: 'date', label: 'settings.operating_since' },
    ],
  },
  {
    id: 'money',
    title: 'settings.group_money',
    fields: [
      { key: 'deposits_open', kind: 'switch', label: 'settings.deposits_open' },
      {
        key: 'deposit_reason',
        kind: 'words',
        label: 'settings.deposit_reason',
        hint: 'settings.deposit_reason_hint',
      },
      { key: 'withdrawals_open', kind: 'switch', label: 'settings.withdrawals_open' },
      {
        key: 'withdraw_reason',
        kind: 'words',
        label: 'settings.withdraw_reason',
        hint: 'settings.withdraw_reason_hint',
      },
      {
        key: 'withdrawals_closed_until',
        kind: 'line',
        label: 'settings.withdrawals_closed_until',
        hint: 'settings.withdrawals_closed_until_hint',
      },
      {
        key: 'funds_statement',
        kind: 'words',
        label: 'settings.funds_statement',
        hint: 'settings.funds_statement_hint',
      },
      {
        key: 'two_people_above',
        kind: 'money',
        label: 'settings.two_people_above',
        hint: 'settings.two_people_above_hint',
      },
      {
        key: 'one_person_daily',
        kind: 'money',
        label: 'settings.one_person_daily',
        hint: 'settings.one_person_daily_hint',
      },
      {
        key: 'rate_jump_percent',
        kind: 'number',
        label: 'settings.rate_jump_percent',
        hint: 'settings.rate_jump_percent_hint',
      },
      {
        key: 'withdrawal_pause_hours',
        kind: 'number',
        label: 'settings.withdrawal_pause_hours',
        hint: 'settings.withdrawal_pause_hours_hint',
      },
      {
        key: 'withdrawal_cancel',
        kind: 'switch',
        label: 'settings.withdrawal_cancel',
        hint: 'settings.withdrawal_cancel_hint',
      },
      { key: 'limit_prompt', kind: 'switch', label: 'settings.limit_prompt', hint: 'settings.limit_prompt_hint' },
      {
        key: 'records_kept_years',
        kind: 'number',
        label: 'settings.records_kept_years',
        hint: 'settings.records_kept_years_hint',
      },
      { key: 'notes_in_data', kind: 'switch', label: 'settings.notes_in_data', hint: 'settings.notes_in_data_hint' },
    ],
  },
  {
    id: 'bonus',
    title: 'settings.group_bonus',
    hint: 'settings.group_bonus_hint',
    fields: [
      { key: 'bonus_verify', kind: 'money', label: 'settings.bonus_verify' },
      { key: 'bonus_profile', kind: 'money', label: 'settings.bonus_profile' },
      { key: 'bonus_pin', kind: 'money', label: 'settings.bonus_pin' },
      { key: 'bonus_deposit', kind: 'money', label: 'settings.bonus_deposit' },
      { key: 'bonus_trade', kind: 'money', label: 'settings.bonus_trade' },
      { key: 'bonus_check', kind: 'money', label: 'settings.bonus_check' },
      { key: 'bonus_days', kind: 'money', label: 'settings.bonus_days' },
    ],
  },
  {
    id: 'sign_up',
    title: 'settings.group_sign_up',
    fields: [
      { key: 'invitation_required', kind: 'switch', label: 'settings.invitation_required' },
      {
        key: 'countries_allowed',
        kind: 'countries',
        label: 'settings.countries_allowed',
        hint: 'settings.countries_hint',
      },
      { key: 'minimum_ages', kind: 'lines', label: 'settings.minimum_ages', hint: 'settings.minimum_ages_hint' },
    ],
  },
  {
    id: 'links',
    title: 'settings.group_links',
    hint: 'settings.link_hint',
    fields: [
      { key: 'customer_link', kind: 'link', label: 'settings.customer_link' },
      { key: 'stream_link', kind: 'link', label: 'settings.stream_link' },
      { key: 'chat_link', kind: 'link', label: 'settings.chat_link' },
    ],
  },
  {
    id: 'rates',
    title: 'settings.group_rates',
    hint: 'settings.group_rates_hint',
    fields: [
      { key: 'display_rates', kind: 'rates', label: 'settings.display_rates' },
      {
        key: 'display_rates_as_of',
        kind: 'line',
        label: 'settings.display_rates_as_of',
        hint: 'settings.display_rates_as_of_hint',
      },
    ],
  },
  {
    id: 'licence',
    title: 'settings.group_licence',
    hint: 'settings.group_licence_hint',
    fields: [
      { key: 'licence_holder', kind: 'line', label: 'settings.licence_holder' },
      { key: 'licence_number', kind: 'line', label: 'settings.licence_number' },
      { key: 'licence_regulator', kind: 'line', label: 'settings.licence_regulator' },
    ],
  },
]
