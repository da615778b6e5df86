import type { StaffCall } from '#contract/back-office/staff-call.ts'
import type { Call } from '#contract/call.ts'
import { KEY_LIMITS, MAX_KEY_MESSAGES, MAX_KEY_SOCKETS, MAX_KEYS } from '#core/accounts/api-keys.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { readConfig } from '#server/app/config/config.ts'
import { ATTEMPT_LIMITS, type AttemptLimit } from '#server/platform/limits/attempt-limit-table.ts'
import {
  AT_ONCE_LIMITS,
  type Rate,
  READ_LIMITS,
  SOCKET_MESSAGES,
  STRANGER_LIMITS,
} from '#server/platform/limits/limits.ts'
import { LIMITED_CALLS } from '#server/platform/http/stranger-gate.ts'

const UNITS = [
  [DAY_MS, 'day'],
  [HOUR_MS, 'hour'],
  [MINUTE_MS, 'minute'],
  [SECOND_MS, 'second'],
] as const

/** Returns the page of all limits, generated from the tables that the server uses. */
export function limitsPage(): string {
  const config = readConfig({})
  const settings: Readonly<Record<string, readonly [string, number]>> = {
    sign_up_network: ['FAIRWICK_SIGN_UPS_PER_HOUR', config.signUpsPerHour],
    sms_total: ['FAIRWICK_SMS_PER_DAY', config.smsPerDay],
  }
  const attempts = Object.entries<AttemptLimit>(ATTEMPT_LIMITS).map(([name, limit]) => {
    const setting = settings[name]
    const max = setting === undefined ? number(limit.max) : `${number(setting[1])} (\`${setting[0]}\`)`
    const lock = limit.lockMs === limit.windowMs ? '' : time(limit.lockMs)
    return [`\`${name}\``, limit.what, limit.by, max, time(limit.windowMs), lock, limit.whenRight]
  })
  const gate = Object.entries(STRANGER_LIMITS).map(([name, limit]) => [
    limit.what,
    callsOf(name),
    rate(limit.network),
    rate(limit.site),
    rate(limit.total),
  ])
  const calls = [
    ['all calls (`FAIRWICK_CALLS_PER_ADDRESS`)', 'network', rate(bursts(config.callsPerAddress))],
    ['all calls of the app (`FAIRWICK_CALLS_PER_ACCOUNT`)', 'user', rate(bursts(config.callsPerAccount))],
    ...Object.values(READ_LIMITS).map((limit) => [limit.what, limit.by, rate(limit)]),
    ['messages on a socket', 'socket', rate(SOCKET_MESSAGES)],
    ['reading calls and messages of a program', 'key', rate(KEY_LIMITS.read)],
    ['orders and sales of a program', 'key', rate(KEY_LIMITS.trade)],
  ]
  const atOnce = [
    ...Object.values(AT_ONCE_LIMITS).map(({ what, by, max }) => [what, by, number(max)]),
    ['keys for programs', 'user', number(MAX_KEYS)],
    ['sockets of a program', 'key', number(MAX_KEY_SOCKETS)],
    ['unanswered orders of a program', 'key', number(MAX_KEY_MESSAGES)],
  ]
  return [
    '<!-- Written by: npx vitest run src/server/platform/limits/limits.test.ts -u -->',
    '',
    '# Limits',
    '',
    'For operators and reviewers: every limit on attempts, calls and connections.',
    '',
    'A network is an IPv4 address, or the /64 of an IPv6 address. A known device is a browser where the same person logged in',
    'within 180 days. Its token counts instead of its network.',
    '',
    '## Attempts',
    '',
    'All servers count together. The last attempt of a window locks the key, as long as the window unless the table says otherwise.',
    'A correct attempt clears the count, is not counted, or counts like a wrong one.',
    '',
    ...table(['limit', 'what', 'by', 'attempts', 'window', 'lock', 'right answer'], attempts),
    '',
    '## Calls of strangers',
    '',
    'Each server counts this and all below in memory. A known device has the limit of a network. A call uses up the share of the',
    'server only while its own network has a share left.',
    '',
    ...table(['what', 'calls', 'network or known device', 'IPv6 /48', 'server, unknown devices'], gate),
    '',
    '## Calls and messages',
    '',
    ...table(['what', 'by', 'how many'], together(calls)),
    '',
    '## At the same moment',
    '',
    'Slow hashes of users and of strangers take turns. So do all users, and all networks.',
    '',
    ...table(['what', 'by', 'how many'], together(atOnce)),
    '',
  ].join('\n')
}

/** Joins the first cells of rows whose other cells are equal. */
function together(rows: readonly (readonly string[])[]): string[][] {
  const found = new Map<string, { what: string[]; rest: readonly string[] }>()
  for (const [what = '', ...rest] of rows) {
    const key = rest.join('|')
    const own = found.get(key) ?? { what: [], rest }
    found.set(key, { what: [...own.what, what], rest })
  }
  return [...found.values()].map(({ what, rest }) => [what.join('<br>'), ...rest])
}

/**
 * Converts a setting to a rate like the server: short bursts are allowed, because a page sends several calls together.
 */
function bursts(perSecond: number): Rate {
  return { perSecond, burst: perSecond * 5 }
}

function callsOf(limit: string): string {
  const own = [...LIMITED_CALLS].filter(([, name]) => name === limit)
  return own.map(([call]) => `\`${pathOf(call)}\``).join('<br>')
}

function pathOf({ method, path }: Call | StaffCall): string {
  return `${method} /api${path}`
}

function line(cells: readonly string[]): string {
  return `|${cells.join('|')}|`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)]
}

function number(count: number): string {
  return count.toLocaleString('en-GB')
}

function time(ms: number): string {
  const [unitMs, unit] = UNITS.find(([size]) => ms >= size && ms % size === 0) ?? [1, 'millisecond']
  const count = ms / unitMs
  return `${number(count)} ${unit}${count === 1 ? '' : 's'}`
}

/** Formats a rate in the unit that gives a whole number. */
function rate({ perSecond, burst }: Rate): string {
  const [ms, unit] = UNITS.findLast(([size]) => isWhole((perSecond * size) / SECOND_MS)) ?? [SECOND_MS, 'second']
  return `${number(Math.round((perSecond * ms) / SECOND_MS))} a ${unit}, ${number(burst)} at once`
}

function isWhole(count: number): boolean {
  return count >= 1 && Math.abs(count - Math.round(count)) < 1e-9
}
