import { once } from 'node:events'
import { Agent, createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { assert } from '#core/result.ts'
import { HOUR_MS, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { sendAlertsPeriodically } from '#server/back-office/alerts/send-alerts.ts'
import { emptyMemory, judgeOnce } from '#server/back-office/alerts/watch-alerts.ts'
import { NO_COUNTRIES } from '#server/platform/countries/address-countries.ts'
import { createOutboxMessenger } from '#server/platform/messenger/messenger.ts'
import { createOutgoing, type Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { noteRun } from '#server/platform/faults/server-run.queries.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { testCertificate } from '#test/support/test-certificate.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import type { StaffSession } from '#test/support/staff-session.ts'

const HOST = 'prices.example.com'
interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

const database = useTestDatabase()
let app: TestApp
let owner: StaffSession
let outgoing: Outgoing
let receiver: Server
let port: number
let received: Received[]
/** The HTTP status with which the receiver answers, by path. On a path without a status, the receiver never answers. */
let answers: Record<string, number | undefined>
beforeEach(async () => {
  received = []
  answers = { '/in': 204 }
  receiver = createServer(testCertificate, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts).toString() })
      const status = answers[request.url ?? '']
      if (status !== undefined) response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  port = (receiver.address() as AddressInfo).port
  outgoing = createOutgoing({
    clock: { now: () => app.ctx.now(), after: (ms, run) => app.ctx.clock.after(ms, run) },
    privateAddresses: ['127.0.0.1'],
    lookUp: (host) => Promise.resolve([{ address: host === HOST ? '127.0.0.1' : '10.0.0.1', family: 4 }]),
    agent: new Agent({ ca: testCertificate.cert }),
  })
  app = await createTestApp(database, { outgoing })
  owner = await app.staff('owner')
})
afterEach(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await app.stop()
})

const alertsOf = async (who: StaffSession, state = '') =>
  (await who.call(staffCalls.staffAlerts, { query: { state } })).body.data.rows
const addHook = (who: StaffSession, path: string, host = HOST) =>
  who.call(staffCalls.staffAddAlertChannel, { body: { url: `https://${host}:${port}${path}` } })
const mails = async () =>
  await app.ctx.db.selectFrom('outbox_message').select(['sent_to', 'text']).where('kind', '=', 'staff_alert').execute()

/** Advances the clock, so that the jobs run, until `holds` returns true for the result of `read`. */
async function until<T>(read: () => Promise<T>, holds: (found: T) => boolean, stepMs = 5 * SECOND_MS): Promise<T> {
  return await vi.waitFor(
    async () => {
      app.ctx.clock.advance(stepMs)
      const found = await read()
      assert(holds(found), `not yet: ${JSON.stringify(found)}`)
      return found
    },
    { interval: 20 },
  )
}

/**
 * Returns a function that runs one round of the job that opens, repeats and closes alerts. The job needs no other job,
 * so the test does not start the markets.
 */
function judgeByHand(): () => Promise<void> {
  const parts = {
    ...app,
    countries: { ...NO_COUNTRIES, header: null },
    engine: { takesOrders: () => true, lastCheck: () => app.engine.lastCheck() },
    errors: { recent: () => [] },
  }
  const memory = emptyMemory()
  return () => judgeOnce(parts, memory)
}

async function crash(run = '00000000-0000-4000-8000-00000000000a'): Promise<void> {
  const seen = later(app.ctx.now(), -HOUR_MS)
  await noteRun(app.ctx.db, { run, name: 'east', startedAt: later(seen, -HOUR_MS), now: seen, isReady: true })
}

it('opens one alert for a crash, mails it to the roles of its rule, and closes it only by hand', async () => {
  await app.startMarkets()
  await crash()
  const [alert] = await until(
    () => alertsOf(owner),
    (rows) => rows.length > 0,
  )
  assert(alert, 'there is an alert')
  expect(alert).toMatchObject({ rule: 'crash', severity: 'wake', closed_at: null, taken_by: null })
  expect(alert.text).toContain('east')
  await until(mails, (sent) => sent.length > 0)
  expect(await alertsOf(await app.staff('content'))).toEqual([])
  expect(await alertsOf(await app.staff('markets'))).toMatchObject([{ id: alert.id }])
  expect((await owner.call(staffCalls.staffCounts)).body.data.alerts).toBe(1)

  const { status } = await owner.call(staffCalls.staffCloseAlert, {
    params: { id: alert.id },
    body: { words: 'looked' },
  })
  expect(status).toBe(200)
  await until(mails, () => true, MINUTE_MS)
  expect(await alertsOf(owner)).toMatchObject([{ id: alert.id, closed_by: 'owner', words: 'looked' }])
})

it('opens and closes an alert with its cause, and continues the same alert when the cause comes back soon', async () => {
  const judge = judgeByHand()
  const openAlerts = async () => {
    await judge()
    return await alertsOf(owner, 'open')
  }
  app.faults.set('database_crowded', {})
  const [alert] = await until(openAlerts, (rows) => rows.length === 1)
  for (let turn = 0; turn < 5; turn += 1) {
    app.faults.set('database_crowded', null)
    await until(openAlerts, (rows) => rows.length === 0)
    app.faults.set('database_crowded', {})
    await until(openAlerts, (rows) => rows.length === 1)
  }
  expect(await alertsOf(owner)).toMatchObject([{ id: alert?.id, sent: 1 }])
})

it('sends an alert again that was taken, ended, and came back soon', async () => {
  const judge = judgeByHand()
  const openAlerts = async () => {
    await judge()
    return await alertsOf(owner, 'open')
  }
  app.faults.set('database_crowded', {})
  const [alert] = await until(openAlerts, (rows) => rows.length === 1)
  await owner.call(staffCalls.staffTakeAlert, { params: { id: alert?.id ?? '' } })
  app.faults.set('database_crowded', null)
  await until(openAlerts, (rows) => rows.length === 0)
  app.faults.set('database_crowded', {})
  await until(openAlerts, ([again]) => again?.sent === 2)
  expect(await alertsOf(owner)).toMatchObject([{ id: alert?.id, taken_by: null }])
})

it('repeats an alert until a staff member takes it', async () => {
  await crash()
  const judge = judgeByHand()
  await judge()
  const [alert] = await alertsOf(owner)
  assert(alert, 'there is an alert')
  expect(alert.sent).toBe(1)
  while ((await alertsOf(owner))[0]?.sent === 1) {
    app.ctx.clock.advance(MINUTE_MS)
    await judge()
  }
  expect((await alertsOf(owner))[0]?.sent).toBe(2)
  const took = app.ctx.now() - Date.parse(alert.opened_at)
  expect(took).toBeGreaterThanOrEqual(15 * MINUTE_MS)
  const markets = await app.staff('markets')
  expect((await markets.call(staffCalls.staffTakeAlert, { params: { id: alert.id } })).status).toBe(200)
  expect((await owner.call(staffCalls.staffTakeAlert, { params: { id: alert.id } })).body.code).toBe('alert_taken')
  const [row] = await database.db.selectFrom('alert').select(['next_ms', 'sent']).where('id', '=', alert.id).execute()
  expect(row).toEqual({ next_ms: null, sent: 2 })
})

it('sends an alert at most once a minute when the clock jumps', async () => {
  await crash()
  const judge = judgeByHand()
  const sent = async () => (await alertsOf(owner)).map((row) => row.sent)
  await judge()
  app.ctx.clock.step(20 * MINUTE_MS)
  await judge()
  expect(await sent()).toEqual([1])
  app.ctx.clock.advance(MINUTE_MS)
  await judge()
  expect(await sent()).toEqual([2])
})

it('signs messages to a webhook, and shows the secret once', async () => {
  const { id, secret } = (await addHook(owner, '/in')).body.data
  const { webhooks } = (await owner.call(staffCalls.staffAlertChannels)).body.data
  expect(webhooks).toMatchObject([{ id, host: `${HOST}:${port}`, hint: secret.slice(-4) }])
  expect(JSON.stringify(webhooks)).not.toContain(secret)
  const tested = await owner.call(staffCalls.staffTestAlertChannel, { params: { id } })
  expect(tested.status).toBe(200)
  expect(received).toHaveLength(1)
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ rule: 'test', severity: 'today' })
})

it('reports why a test message was not accepted', async () => {
  answers = { '/in': 500 }
  const { id } = (await addHook(owner, '/in')).body.data
  const { body } = await owner.call(staffCalls.staffTestAlertChannel, { params: { id } })
  const message = 'The test message was not accepted. The receiver answered with status 500.'
  expect(body).toMatchObject({ code: 'channel_failed', message })
  receiver.closeAllConnections()
  receiver.close()
  const closed = (await owner.call(staffCalls.staffTestAlertChannel, { params: { id } })).body
  expect(closed.message).toBe('The test message was not accepted. No secure connection to the receiver was possible.')
  expect((await owner.call(staffCalls.staffTestAlertChannel, { params: { id: 'mail' } })).status).toBe(200)
})

it('sends messages without delay while another receiver hangs or fails, and shows its messages as failed after five tries', async () => {
  answers = { '/in': 204, '/fails': 500 }
  await addHook(owner, '/hangs')
  await addHook(owner, '/fails')
  await addHook(owner, '/in')
  await crash()
  await judgeByHand()()
  const { ctx, settings } = app
  // Only this job runs. Each jump of the clock would otherwise run all other jobs too.
  const stop = sendAlertsPeriodically({
    ctx,
    settings,
    outgoing,
    messenger: createOutboxMessenger(ctx),
    publicUrl: null,
  })
  try {
    ctx.clock.jump(SECOND_MS)
    // The clock stands still until the message has arrived, so the message cannot time out.
    await until(
      () => Promise.resolve(received),
      (found) => found.some(({ path }) => path === '/in'),
      0,
    )
    const [alert] = await alertsOf(owner)
    assert(alert, 'there is an alert')
    await owner.call(staffCalls.staffTakeAlert, { params: { id: alert.id } })
    const read = async () =>
      (await owner.call(staffCalls.staffAlert, { params: { id: alert.id } })).body.data.deliveries.filter(
        ({ host }) => host !== null,
      )
    for (let status = 500; status < 505; status += 1) {
      await until(read, (rows) => rows.some(({ failure }) => failure === `status ${status}`), 0)
      answers['/fails'] = status + 1
      ctx.clock.jump(HOUR_MS)
      // The jump of one hour ended the owner's session, so the owner logs in again.
      owner = await app.staff('owner')
    }
    const messages = await until(read, (rows) => rows.every(({ state }) => state !== 'waiting'), 0)
    const ends = messages.map(({ state, tries }) => (state === 'sent' ? state : `${state} ${tries}`))
    expect(ends.toSorted()).toEqual(['failed 5', 'failed 5', 'sent'])
    expect(messages.map(({ failure }) => failure).toSorted()).toEqual(['', 'status 504', 'timeout'])
  } finally {
    receiver.closeAllConnections()
    await stop()
  }
})

it('changes a rule only when its editor saw the current version', async () => {
  const find = async () =>
    (await owner.call(staffCalls.staffAlertRules)).body.data.rules.find(({ rule }) => rule === 'crash')
  const rule = await find()
  assert(rule, 'there is the rule')
  const body = { ...rule, is_on: false, severity: 'today' as const, roles: ['finance' as const], threshold: 0 }
  const save = () => owner.call(staffCalls.staffSaveAlertRule, { params: { rule: 'crash' }, body })
  expect((await save()).status).toBe(200)
  expect((await save()).body.code).toBe('changed_meanwhile')
  expect(await find()).toEqual({ ...body, version: rule.version + 1 })
  const withoutRoles = { ...body, is_on: true, roles: [], version: rule.version + 1 }
  const refused = await owner.call(staffCalls.staffSaveAlertRule, { params: { rule: 'crash' }, body: withoutRoles })
  expect(refused.body.code).toBe('roles_needed')
  const markets = await app.staff('markets')
  expect((await markets.call(staffCalls.staffAlertRules)).status).toBe(403)
})
