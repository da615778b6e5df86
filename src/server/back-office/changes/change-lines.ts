import { type CountryRules, PLACE_ACTIONS } from '#core/accounts/country-rules.ts'
import type { Change, ChangeFields } from '#server/audit/changes/changes.queries.ts'
import { COUNTRY_RULES } from '#server/settings/guarded-settings.ts'

interface ChangeLine {
  readonly field: string
  readonly before: string
  readonly after: string
}

/**
 * Lists the fields of a change for staff, each with its value before and after. A change of country rules has one line
 * for each country that changes.
 */
export function changeLines({ kind, before, after }: Pick<Change, 'kind' | 'before' | 'after'>): ChangeLine[] {
  if (kind !== 'countries') return linesOf(before, after, Object.keys(after))
  const [from, to] = [byCountry(before), byCountry(after)]
  const fields = Object.keys({ ...from, ...to }).filter((field) => from[field] !== to[field])
  return linesOf(from, to, fields)
}

function linesOf(before: ChangeFields, after: ChangeFields, fields: readonly string[]): ChangeLine[] {
  return fields.map((field) => ({ field, before: text(before[field]), after: text(after[field]) }))
}

function byCountry(fields: ChangeFields): Readonly<Record<string, string>> {
  const { unknown_address: unknown, rules } = fields[COUNTRY_RULES] as CountryRules
  const lines = rules.map((rule) => {
    const verdicts = PLACE_ACTIONS.map((action) => `${action}: ${rule[action]}`).join(', ')
    return [rule.country, rule.note === '' ? verdicts : `${verdicts} (${rule.note})`]
  })
  return { unknown_address: unknown, ...Object.fromEntries(lines) }
}

function text(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
