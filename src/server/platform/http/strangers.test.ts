import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { LIMITED_CALLS } from '#server/platform/http/stranger-gate.ts'
import { LISTED, SAID, SOCKETS } from '#test/security/access.ts'
import { type AttackBench, openAttackBench } from '#test/security/attack-harness.ts'
import { Costs } from '#test/support/costs.ts'
import { TEST_PASSWORD } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

/**
 * Calls every route and socket without log-in, and as an unverified account. Any hash, message or row without a limit
 * fails the test, in new calls too.
 */
const costs = new Costs()
const database = useTestDatabase({ emptied: 'once' })
let bench: AttackBench
let isGateOpen = true
beforeAll(async () => {
  bench = await openAttackBench(
    { ...database, db: database.db.withPlugin(costs) },
    {
      aroundPasswords: costs.aroundPasswords,
      takeStrangerCall: (call) => {
        if (LIMITED_CALLS.has(call)) costs.note('gate')
        return Promise.resolve(isGateOpen || !LIMITED_CALLS.has(call) ? 0 : 60)
      },
    },
  )
  await bench.priced(9_400_000)
  await bench.app.verifiedUser('alice')
})
afterAll(async () => {
  await bench.close()
})
beforeEach(async () => {
  isGateOpen = true
  await settled()
  costs.take()
})

const TOKEN = 'A'.repeat(43)
const ID = '00000000-0000-4000-8000-000000000000'
const KEY = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' }
const NEW = { password: 'violet-1799', password_confirmation: 'violet-1799' }
/** A valid body for each call that is open without log-in, so that the call itself runs. */
const BODIES: Readonly<Record<string, object>> = {
  register: { username: 'newcomer', mobile: '5550001111', email: 'newcomer@example.com', agree: true, ...NEW },
  login: { username: 'alice', password: 'wrong-one' },
  secondStep: { ticket: TOKEN, code: '123456' },
  passkeyTask: {},
  passkeySignIn: {
    ticket: TOKEN,
    response: { ...KEY, response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' } },
  },
  forgetPassword: { value: 'alice@example.com' },
  checkResetCode: { email: 'alice@example.com', code: '123456' },
  resetPassword: { email: 'alice@example.com', token: '123456', ...NEW },
  klineHistorical: { symbol: 'BTC', interval: '1m' },
  recentTicks: { symbol: 'BTC', seconds: 60 },
  addCosignature: { size: 1, line: '— a-witness AAAAAAAA' },
  latestTrades: { currency: 'BTC' },
  unsubscribe: {},
  stopRecoveryByLink: {},
  finishRecovery: NEW,
  staffSignIn: { name: 'finance', password: 'wrong-one' },
  staffSignInCode: { ticket: TOKEN, code: '123456' },
  staffOpenInvitation: { token: TOKEN },
  staffJoin: { token: TOKEN, password: 'a few plain words', code: '123456' },
}
/** A valid body for each call that an unverified account may make. */
const OWN_BODIES: Readonly<Record<string, object>> = {
  stopRecovery: {},
  sendLeaveCode: {},
  requestLeave: { method_id: 101, fields: {} },
  agreeToTerms: { version: 1, sha256: TOKEN },
  securityConfirm: { password: 'wrong-one' },
  securityPasskeyTask: { use: 'confirm' },
  addPasskey: {
    ticket: TOKEN,
    name: 'x',
    response: { ...KEY, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } },
  },
  renamePasskey: { name: 'x' },
  removePasskey: {},
  beginAuthenticator: {},
  turnOnAuthenticator: { code: '123456' },
  turnOffAuthenticator: {},
  renewRecoveryCodes: {},
  endSession: {},
  endOtherSessions: {},
  noticeSignIns: {},
  resendCode: {},
  verifyCode: { code: '123456' },
  favorite: { symbol: 'BTC' },
  taskChecked: {},
  disputeAdjustment: {},
  closeAccount: {},
  cancelClosing: {},
  openPractice: {},
  resetPractice: {},
}

const open: readonly (readonly [string, Call | StaffCall])[] = [
  ...Object.entries<Call>(calls).filter(([, { who }]) => who === 'anyone'),
  ...Object.entries<StaffCall>(staffCalls).filter(([, { may }]) => may === 'anyone'),
]
/** The values of path parameters that are not ids. */
const PLACES: Readonly<Record<string, string>> = {
  language: 'de',
  product: 'BTC',
  interval: '1m',
  page: '1',
  index: '0',
}
const urlOf = (path: string) =>
  path.replace(/:(\w+)(?:\(.*\))?/g, (_, name: string) => PLACES[name] ?? ID).replace('*', 'index.html')
const send = ({ method, path }: Pick<Call, 'method' | 'path'>, payload: object, headers: object = {}) =>
  bench.app.inject({
    method,
    url: `/api${urlOf(path)}`,
    headers: { ...headers },
    ...(method === 'POST' && { payload }),
  })
/** Messages are sent after the reply: waits until no more costs are recorded. */
async function settled(): Promise<void> {
  for (let noted = -1; noted !== costs.list.length; ) {
    noted = costs.list.length
    for (let turn = 0; turn < 20; turn += 1) await database.db.selectFrom('setting').select('key').limit(1).execute()
  }
}

it('the test has a body for every call that is open without log-in', () => {
  const missing = open.filter(([name, { method }]) => method === 'POST' && BODIES[name] === undefined)
  expect(missing.map(([name]) => name)).toEqual([])
  expect([...LIMITED_CALLS.keys()].filter((call) => !open.some(([, one]) => one === call))).toEqual([])
})

it.each(open)('%s without log-in costs nothing while the limit of its network is used up', async (name, call) => {
  isGateOpen = false
  const { status, body } = await send(call, BODIES[name] ?? {})
  expect([422, 500]).not.toContain(status)
  if (LIMITED_CALLS.has(call)) expect([status, body.code]).toEqual([429, 'rate_limited'])
  await settled()
  expect(costs.take().filter((what) => what !== 'gate')).toEqual([])
})

it.each(open)('%s without log-in is counted before it hashes, sends or stores', async (name, call) => {
  await send(call, BODIES[name] ?? {})
  await settled()
  const noted = costs.take()
  const first = noted.findIndex((what) => what !== 'gate' && what !== 'attempt')
  if (first === -1) return
  expect(noted.slice(0, first)).toEqual(expect.arrayContaining(['gate', 'attempt']))
})

it('no route that is not a call hashes, sends or stores anything without log-in', async () => {
  const own = new Set(open.map(([, { method, path }]) => `${method} /api${path}`))
  for (const route of LISTED.keys()) {
    if (own.has(route)) continue
    const [method = '', path = ''] = route.split(' ')
    await bench.app.inject({
      method: method === 'POST' ? 'POST' : 'GET',
      url: urlOf(path),
      ...(method === 'POST' && { payload: {} }),
    })
    await settled()
    expect(costs.take(), route).toEqual([])
  }
})

it('no socket or socket message hashes, sends or stores anything without a session', async () => {
  await settled()
  costs.take()
  for (const [path, access] of Object.entries(SOCKETS)) {
    if (access !== 'anyone') {
      const ws = new WebSocket(`ws://127.0.0.1:${bench.port}${path}`)
      await new Promise((resolve) => {
        ws.once('open', resolve)
        ws.once('unexpected-response', resolve)
        ws.once('error', resolve)
      })
      ws.terminate()
    } else {
      const client = await bench.connect(path)
      if (path === '/ws/app') {
        const data = { type: 'buy', tradeSettingId: 1, amount: 10, symbol: 'BTC' }
        for (const action of Object.keys(SAID)) {
          for (const token of [undefined, TOKEN]) client.send({ action, token, symbols: ['BTC'], ids: [], data })
        }
        client.send({ action: 'ping' })
        await bench.until(() => client.answers('pong').length > 0 && client.answers('newTrade').length > 0, 0)
      } else client.send({ method: 'SUBSCRIBE', params: ['btcusdt@trade'], id: 1, type: 'subscribe' })
      client.ws.terminate()
    }
    await settled()
    expect(costs.take(), path).toEqual([])
  }
})

it('no call of an unverified account hashes or sends without a limit', async () => {
  const own = Object.entries<Call>(calls).filter(([name, { who, method }]) => {
    return who === 'user' && method === 'POST' && name !== 'logout'
  })
  expect(own.map(([name]) => name).filter((name) => OWN_BODIES[name] === undefined)).toEqual([])
  const { token } = await bench.app.signUp('unproved')
  expect((await bench.app.call(calls.login, { body: { username: 'unproved', password: TEST_PASSWORD } })).status).toBe(
    200,
  )
  for (const [name, call] of own) {
    bench.app.ctx.clock.advance(60_000)
    await settled()
    costs.take()
    const { status } = await send(call, OWN_BODIES[name] ?? {}, { authorization: `Bearer ${token}` })
    expect(status, name).not.toBe(500)
    await settled()
    const noted = costs.take()
    const first = noted.findIndex((what) => what === 'hash' || what === 'message')
    if (first !== -1) expect(noted.slice(0, first), name).toContain('attempt')
  }
})
