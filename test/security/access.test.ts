import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { AppSocketIn } from '#contract/live/app-socket.ts'
import { ROLES } from '#core/staff/permissions.ts'
import {
  accessPage,
  CALLERS,
  type CallerKind,
  compareRoutes,
  ACCESS_REFUSALS,
  LISTED,
  refusalOf,
  SAID,
  SOCKETS,
} from '#test/security/access.ts'
import { type AttackBench, openAttackBench } from '#test/security/attack-harness.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })
let bench: AttackBench
const tokens = new Map<CallerKind, string>()
beforeAll(async () => {
  bench = await openAttackBench(database)
  await bench.priced(9_400_000)
  tokens.set('unverified', (await bench.app.signUp()).token)
  tokens.set('verified', (await bench.funded(100)).token)
  for (const role of ROLES) tokens.set(role, (await bench.app.staff(role)).cookie)
})
afterAll(async () => {
  await bench.close()
})

/** Returns the credentials that a caller sends. Staff also try their cookie's token as an app token. */
function shown(caller: CallerKind): Record<string, string> {
  const token = tokens.get(caller)
  if (token === undefined) return {}
  const [, cookie] = token.split('=')
  if (cookie !== undefined) return { cookie: token, authorization: `Bearer ${cookie}` }
  return { authorization: `Bearer ${token}`, cookie: `fairwick_staff=${token}` }
}

/** These calls end the session that later calls need. The session tests check that these calls end it. */
const ENDS = ['POST /api/user/auth/logout', 'POST /api/admin/sign-out']

const STATUS = { not_signed_in: 401, staff_sign_in_needed: 401, not_allowed: 403, not_verified: 422 } as const

describe('AT28, AT41, S2: routes × roles', () => {
  it('the list of permissions contains exactly the routes of the router', () => {
    expect(compareRoutes(bench.app.routes)).toEqual({ unlisted: [], missing: [] })
  })

  it('the generated page lists the permissions of the code', async () => {
    await expect(accessPage()).toMatchFileSnapshot('../../docs/generated/permissions.md')
  })

  it.each([
    ['of the app', (route: string) => !route.includes('/api/admin')],
    ['of the back office', (route: string) => route.includes('/api/admin')],
  ])('CA35: admit exactly the listed callers: every cell %s', async (_, isPart) => {
    for (const [route, access] of LISTED) {
      if (!isPart(route) || ENDS.includes(route)) continue
      const [method = '', path = ''] = route.split(' ')
      const url = path.replace(/:\w+(?:\(.*\))?/g, 'none').replace('*', 'index.html')
      for (const caller of CALLERS) {
        const { status, body } = await bench.app.inject({
          method: method === 'POST' ? 'POST' : 'GET',
          url,
          headers: shown(caller),
          ...(method === 'POST' && { payload: {} }),
        })
        const cell = `${route} as ${caller}: ${status} ${body.code ?? ''}`
        const code = ACCESS_REFUSALS.find((one) => one === body.code) ?? null
        expect(code, cell).toBe(refusalOf(access, caller))
        if (code !== null) expect(status, cell).toBe(STATUS[code])
        expect(status === 500, cell).toBe(false)
      }
    }
  })

  it.each(ENDS)('CA35: %s is refused to callers without a session', async (route) => {
    const url = route.split(' ')[1] ?? ''
    for (const headers of [{}, { authorization: 'Bearer none', cookie: 'fairwick_staff=none' }]) {
      const { status } = await bench.app.inject({ method: 'POST', url, headers, payload: {} })
      expect(status).toBe(401)
    }
  })
})

describe('AT28, S2: sockets × roles', () => {
  it('sockets open for exactly the listed callers', async () => {
    for (const [path, access] of Object.entries(SOCKETS))
      for (const caller of CALLERS) {
        const ws = new WebSocket(`ws://127.0.0.1:${bench.port}${path}`, { headers: shown(caller) })
        const status = await new Promise((resolve, reject) => {
          ws.once('open', () => resolve(101))
          ws.once('unexpected-response', (_request, response) => resolve(response.statusCode))
          ws.once('error', reject)
        })
        ws.terminate()
        expect(status, `${path} as ${caller}`).toBe(refusalOf(access, caller) === null ? 101 : 401)
      }
  })

  it('the app socket accepts each message from exactly the listed callers', async () => {
    expect(AppSocketIn.options.map(({ shape }) => shape.action.value).toSorted()).toEqual(Object.keys(SAID).toSorted())
    const data = { type: 'buy', tradeSettingId: 1, amount: 10, symbol: 'BTC' }
    for (const [action, who] of Object.entries(SAID))
      for (const caller of CALLERS) {
        const client = await bench.connect('/ws/app', { headers: shown(caller) })
        const [, token] = shown(caller)['authorization']?.split(' ') ?? []
        if (action === 'seen' && token !== undefined) client.send({ action: 'subscribe', token })
        client.send({ action, token, symbols: ['BTC'], ids: [], data })
        client.send({ action: 'ping' })
        // An invalid token is reported, even for messages that need none.
        const isUnknown = token !== undefined && action !== 'watch' && (ROLES as readonly string[]).includes(caller)
        const expected = isUnknown ? 'not_signed_in' : refusalOf(who, caller)
        const codes = () => client.said.flatMap(({ code }) => ACCESS_REFUSALS.filter((one) => one === code))
        const isAnswered = () => action !== 'newTrade' || client.answers('newTrade').length > 0
        await bench.until(
          () => client.answers('pong').length > 0 && isAnswered() && (expected === null || codes().length > 0),
        )
        expect(new Set(codes()), `${action} as ${caller}`).toEqual(new Set(expected === null ? [] : [expected]))
        client.ws.terminate()
      }
  })
})
