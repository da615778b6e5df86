import { type AppSocketIn, MESSAGE_KEYS } from '#contract/live/app-socket.ts'
import type { KeyUse } from '#core/accounts/api-keys.ts'
import { STAFF_SOCKET_PATH } from '#contract/live/staff-socket.ts'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { Call, Who } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { exchangeRest } from '#contract/exchange-rest.ts'
import { isAllowed, PERMISSIONS, type Permission, ROLES } from '#core/staff/permissions.ts'

/** All kinds of callers: without a session, with an unverified or verified account, and each staff role. */
export const CALLERS = ['visitor', 'unverified', 'verified', ...ROLES] as const
export type CallerKind = (typeof CALLERS)[number]

/** Who may call an address: a kind of user, all staff, or staff with a permission. */
export type Access = Who | 'staff' | Permission

/** The refusals of callers without access. */
export const ACCESS_REFUSALS = ['not_signed_in', 'not_verified', 'staff_sign_in_needed', 'not_allowed'] as const
type Refused = (typeof ACCESS_REFUSALS)[number]

/** Addresses that are not calls of the contract. */
const OTHERS: Readonly<Record<string, Access>> = {
  'GET /healthz': 'anyone',
  'GET /readyz': 'anyone',
  'GET /api/openapi.json': 'anyone',
  'GET /api/asyncapi.json': 'anyone',
  'GET /api/docs': 'anyone',
  'GET /api/docs/json': 'anyone',
  'GET /api/docs/yaml': 'anyone',
  'GET /api/docs/static/*': 'anyone',
  'GET /api/docs/static/index.html': 'anyone',
  'GET /api/docs/static/swagger-initializer.js': 'anyone',
  'GET /api/ticks/:file': 'anyone',
  'GET /register/tile/*': 'anyone',
  'GET /api/proof/fairness.csv': 'anyone',
  'GET /icons/own/:file': 'anyone',
  'GET /images/users/:name': 'anyone',
  'GET /images/symbols/:name': 'anyone',
  'GET /images/gateways/:name(^[0-9a-f]{32}\\.webp$)': 'anyone',
  'GET /images/site/:name(^[0-9a-f]{32}\\.webp$)': 'anyone',
  'GET /api/admin/uploads/:name': 'deposits.see',
  'GET /api/admin/ticket-pictures/:name': 'tickets.see',
}
/** Matches the files of the two web apps, which are the same for every caller. */
const IS_PAGE = /^GET \/(admin\/)?(\*|(?!api)[\w./-]*)$/

/** All listed addresses with their access. */
export const LISTED: ReadonlyMap<string, Access> = new Map<string, Access>([
  ...Object.values<Call>(calls).map(({ method, path, who }) => [`${method} /api${path}`, who] as const),
  ...Object.values<StaffCall>(staffCalls).flatMap((call) => {
    const address = `${call.method} /api${call.path}`
    const all = 'row' in call || call.hasCsv ? [address, `${address}.csv`] : [address]
    return all.map((one) => [one, call.may] as const)
  }),
  ...Object.values(exchangeRest).map(({ path }) => [`GET /api${path}`, 'anyone'] as const),
  ...Object.entries(OTHERS),
])

/** The scope that an API key needs, by address. All other addresses ignore keys. */
const KEYS: Readonly<Record<string, KeyUse>> = Object.fromEntries(
  Object.values<Call>(calls).map(({ method, path, key }) => [`${method} /api${path}`, key]),
)

/** Returns routes that are not listed, and listed routes that do not exist. */
export function compareRoutes(routes: readonly string[]): { unlisted: string[]; missing: string[] } {
  const found = routes.filter((route) => !IS_PAGE.test(route) || LISTED.has(route))
  return {
    unlisted: found.filter((route) => !LISTED.has(route)),
    missing: [...LISTED.keys()].filter((route) => !routes.includes(route)),
  }
}

/** Returns the refusal for a caller, or null when the caller has access. */
export function refusalOf(access: Access, caller: CallerKind): Refused | null {
  const isStaff = (ROLES as readonly string[]).includes(caller)
  if (access === 'anyone') return null
  if (access === 'user' || access === 'verified') {
    if (isStaff || caller === 'visitor') return 'not_signed_in'
    return access === 'verified' && caller === 'unverified' ? 'not_verified' : null
  }
  const role = ROLES.find((one) => one === caller)
  if (role === undefined) return 'staff_sign_in_needed'
  return access === 'staff' || isAllowed(role, access) ? null : 'not_allowed'
}

/** The messages of `/ws/app` with their access. Each message carries its own token. */
export const SAID: Readonly<Record<AppSocketIn['action'], Who>> = {
  subscribe: 'anyone',
  ping: 'anyone',
  watch: 'anyone',
  seen: 'user',
  newTrade: 'verified',
}
/** The sockets with their access. */
export const SOCKETS: Readonly<Record<string, Access>> = {
  '/ws/app': 'anyone',
  '/ws/ticker': 'anyone',
  '/ws': 'anyone',
  '/ws/btcusdt@trade': 'anyone',
  '/stream': 'anyone',
  [STAFF_SOCKET_PATH]: 'staff',
}

const isBackOffice = (route: string): boolean => route.includes('/api/admin')

/** Returns the page `permissions.md` for readers: the addresses, grouped by who may use them. */
export function accessPage(): string {
  const routes = [...LISTED]
  return [
    '<!-- Written by: npx vitest run test/security/access.test.ts -u -->',
    '',
    '# Permissions',
    '',
    'For operators and reviewers: who may use which address. The tests try every caller on every address, and fail for an',
    'address that is not listed here.',
    '',
    '## Callers',
    '',
    '`visitor` has no session. `unverified` and `verified` are users. The other callers are the roles of staff members. No',
    `permission, of ${Object.keys(PERMISSIONS).length}, concerns a price, a result or one user’s payout.`,
    '',
    ...callersTable(['anyone', 'user', 'verified', 'staff', ...(Object.keys(PERMISSIONS) as Permission[])]),
    '',
    '## The app, and what anyone may read',
    '',
    'The pages and files of the two web apps are the same for everyone and not listed. `/api/outbox` answers in a demo only,',
    'and only on the machine of the server. The list of all messages needs the key that the start printed. While `PUBLIC_URL`',
    'is not set, the messages to one address (`?to=`) need no key.',
    '',
    'A key for programs may use an address where it says `read`, and one that trades also where it says `trade`. Elsewhere it',
    'is refused (`never`), or not looked at (`–`). The back office refuses every key.',
    '',
    ...byAccess(
      routes.filter(([route]) => !isBackOffice(route)),
      KEYS,
    ),
    '## The back office',
    '',
    '`[.csv]` marks a list that the same callers can also download at the address with `.csv`.',
    '',
    ...byAccess(withCsv(routes.filter(([route]) => isBackOffice(route)))),
    '## Sockets',
    '',
    ...byAccess(Object.entries(SOCKETS)),
    'On `/ws/app` every message carries its own token:',
    '',
    ...byAccess(Object.entries(SAID), MESSAGE_KEYS),
  ].join('\n')
}

/** Lists the kinds of access that admit the same callers, and these callers. */
function callersTable(kinds: readonly Access[]): string[] {
  const kindsOf = new Map<string, string[]>()
  for (const access of kinds) {
    const callers = CALLERS.filter((caller) => refusalOf(access, caller) === null).join(', ')
    kindsOf.set(callers, [...(kindsOf.get(callers) ?? []), `\`${access}\``])
  }
  return ['|callers|for|', '|---|---|', ...[...kindsOf].map(([callers, names]) => `|${callers}|${names.join(' ')}|`)]
}

/** Returns one line for each combination of access, use by API keys and HTTP method, with its addresses or messages. */
function byAccess(rows: readonly (readonly [string, Access])[], keys?: Readonly<Record<string, KeyUse>>): string[] {
  const lines = new Map<string, string[]>()
  for (const [name, access] of rows) {
    const [path = '', method = ''] = name.split(' ').toReversed()
    const use = keys === undefined ? '' : `${keys[name] ?? '–'}|`
    const head = `|${access}|${use}${method}|`
    lines.set(head, [...(lines.get(head) ?? []), `\`${path}\``])
  }
  const second = (text: string) => (keys === undefined ? '' : `${text}|`)
  return [
    `|for|${second('key')}method|addresses|`,
    `|---|${second('---')}---|---|`,
    ...[...lines].map(([head, paths]) => `${head}${paths.join(' ')}|`),
    '',
  ]
}

/** Joins the row of a list with the row of its CSV file. */
function withCsv(rows: readonly (readonly [string, Access])[]): (readonly [string, Access])[] {
  const files = new Set(rows.map(([route]) => route).filter((route) => route.endsWith('.csv')))
  return rows
    .filter(([route]) => !files.has(route))
    .map(([route, access]) => [files.has(`${route}.csv`) ? `${route}[.csv]` : route, access])
}
