import { readMarketType } from '#core/markets/market.ts'
import { readCapSubject } from '#core/markets/terms/cap-subject.ts'
import { backOfficeTexts } from '#messages/back-office/english.ts'
import { fieldLabel } from '#messages/back-office/field-label.ts'
import { capName } from '#server/back-office/alerts/alert-text.ts'

const KEY_SEPARATOR = ', '
/**
 * The back-office pages that show the lists below `/admin/markets`. For every other list, the first segment of its path
 * names the page.
 */
const MARKET_PAGES: Readonly<Record<string, keyof typeof backOfficeTexts.nav>> = {
  symbols: 'symbols',
  splits: 'symbols',
  terms: 'terms',
  'quick-amounts': 'terms',
  closures: 'hours',
}

/**
 * Returns the name of an action's subject: the labels of settings, the page of an exported list, the name of a market.
 * A subject that is a name already, such as a username or the code of a symbol, stays unchanged.
 */
export function subjectName(what: string, target: string): string {
  if (target.startsWith('/admin/')) return listName(target)
  const area = what.split(/[/ .]/)[0] ?? ''
  if (area === 'markets' && readMarketType(target) === target) return textIn('markets', target) ?? target
  const [, kind = '', of = ''] = /^(cap|alert rule) (\S+)$/.exec(target) ?? []
  if (kind === 'cap') return capSubjectName(of) ?? target
  if (kind === 'alert rule') return textIn('staff_alerts', `rule_${of}`) ?? target
  const keys = target.split(KEY_SEPARATOR)
  if (SETTING_AREAS.has(area) && keys.every((key) => textIn('settings', key) !== undefined)) return settingNames(keys)
  return target === area ? (textIn('area', area) ?? target) : target
}

/** The areas of actions that change settings. In other areas, a username could look like the name of a setting. */
const SETTING_AREAS: ReadonlySet<string> = new Set(['settings', 'countries', 'changes', 'languages'])

/** Returns the labels of settings, such as "Withdrawal pause after a change (hours)". */
export function settingNames(keys: readonly string[]): string {
  return keys.map(fieldLabel).join(KEY_SEPARATOR)
}

function listName(path: string): string {
  const [first = '', second = ''] = path.split('/').slice(2)
  const page = first === 'markets' ? MARKET_PAGES[second] : undefined
  return page === undefined ? (textIn('area', first) ?? path) : backOfficeTexts.nav[page]
}

function capSubjectName(of: string): string | null {
  const subject = readCapSubject(of)
  return subject && capName(subject)
}

function textIn(section: keyof typeof backOfficeTexts, name: string): string | undefined {
  const text: unknown = Object.getOwnPropertyDescriptor(backOfficeTexts[section], name)?.value
  return typeof text === 'string' ? text : undefined
}
