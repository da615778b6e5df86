import { money, parseMoney } from '#core/money/money.ts'
import type { ChangeKind } from '#core/staff/change-kinds.ts'
import { dailyLimit } from '#server/settings/site-settings.ts'

/** Facts that users rely on. Every change of a fact needs two approvers. */
const FACTS = new Set(['licence_holder', 'licence_number', 'licence_regulator', 'countries_allowed', 'funds_statement'])

/** The setting with the country rules. A change of the rules waits separately from changes of other facts. */
export const COUNTRY_RULES = 'country_rules'

type Values = Readonly<Record<string, unknown>>

/**
 * By setting, whether a change makes it easier for one staff member to act alone, or protects users less. A change in
 * the opposite direction needs no second approver.
 */
const LOOSENS: Readonly<Record<string, (before: Values, after: Values) => boolean>> = {
  two_people_above: (before, after) => amount(after, 'two_people_above') > amount(before, 'two_people_above'),
  one_person_daily: (before, after) => daily(after) > daily(before),
  withdrawal_pause_hours: (before, after) =>
    Number(after['withdrawal_pause_hours']) < Number(before['withdrawal_pause_hours']),
  withdrawal_cancel: (before, after) => after['withdrawal_cancel'] === true && before['withdrawal_cancel'] !== true,
  limit_prompt: (before, after) => after['limit_prompt'] === false && before['limit_prompt'] !== false,
  records_kept_years: (before, after) => Number(after['records_kept_years']) > Number(before['records_kept_years']),
  rate_jump_percent: (before, after) => Number(after['rate_jump_percent']) > Number(before['rate_jump_percent']),
}

/** The kinds of waiting changes of settings. */
export type SettingsKind = Extract<ChangeKind, 'facts' | 'limits' | 'countries'>

/**
 * Returns the kind of waiting change that a setting needs. Null when one staff member may change the setting at once.
 */
export function guardedKind(key: string, before: Values, after: Values): SettingsKind | null {
  const isSame = JSON.stringify(before[key]) === JSON.stringify(after[key])
  if (key === COUNTRY_RULES) return isSame ? null : 'countries'
  if (FACTS.has(key)) return isSame ? null : 'facts'
  return LOOSENS[key]?.(before, { ...before, ...after }) === true ? 'limits' : null
}

function amount(values: Values, key: string): bigint {
  return parseMoney(String(values[key])) ?? money(0n)
}

/**
 * An empty `one_person_daily` is derived from `two_people_above`. So raising either limit may raise the sum that one
 * staff member can approve in a day.
 */
function daily(values: Values): bigint {
  return dailyLimit(String(values['two_people_above']), String(values['one_person_daily']))
}
