import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { assert } from '#core/result.ts'
import { HOUR_MS, later } from '#core/time/instant.ts'
import { claimDeliveries } from '#server/back-office/alerts/alert-channels.queries.ts'
import { NO_COUNTRIES } from '#server/platform/countries/address-countries.ts'
import { emptyMemory, judgeOnce } from '#server/back-office/alerts/watch-alerts.ts'
import { noteRun } from '#server/platform/faults/server-run.queries.ts'
import type { Outgoing, OutgoingRequest } from '#server/platform/outgoing/outgoing.ts'
import { createOutgoing } from '#server/platform/outgoing/outgoing.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let owner: StaffSession
/** The addresses to which every host name resolves at the moment. */
let addresses: string[]
let sent: { url: string; request: OutgoingRequest }[]
beforeEach(async () => {
  addresses = ['1.1.1.1']
  sent = []
  const real = createOutgoing({
    clock: { now: () => app.ctx.now(), after: (ms, run) => app.ctx.clock.after(ms, run) },
    privateAddresses: [],
    lookUp: () => Promise.resolve(addresses.map((address) => ({ address, family: 4 }))),
  })
  // The test calls no public address: it only records these requests. The real sender decides which addresses are
  // refused.
  const outgoing: Outgoing = {
    refusalOf: (url) => real.refusalOf(url),
    send: async (url, request) => {
      if ((await real.refusalOf(url)) !== null) return await real.send(url, request)
      sent.push({ url, request })
      return { ok: true, status: 204 }
    },
  }
  app = await createTestApp(database, { outgoing })
  owner = await app.staff('owner')
})
afterEach(() => app.stop())

const URL_OF_HOOK = 'https://hooks.example.com/T0KEN-in-the-path'
const add = async (who: StaffSession, url = URL_OF_HOOK) =>
  (await who.call(staffCalls.staffAddAlertChannel, { body: { url } })).body
const test = async (who: StaffSession, id: string) =>
  (await who.call(staffCalls.staffTestAlertChannel, { params: { id } })).body

async function crash(): Promise<string> {
  const seen = later(app.ctx.now(), -HOUR_MS)
  const run = { run: app.ctx.newId(), name: 'east', startedAt: later(seen, -HOUR_MS) }
  await noteRun(app.ctx.db, { ...run, now: seen, isReady: true })
  await judgeOnce({ ...app, countries: { ...NO_COUNTRIES, header: null }, errors: { recent: () => [] } }, emptyMemory())
  const { rows } = (await owner.call(staffCalls.staffAlerts)).body.data
  const alert = rows.find(({ rule }) => rule === 'crash')
  assert(alert, 'there is an alert')
  return alert.id
}

it('A180: attack: a webhook with an address of the inner network is refused when it is added', async () => {
  for (const url of ['http://hooks.example.com/', 'https://user@hooks.example.com/', 'file:///etc/passwd', 'hooks'])
    expect(await add(owner, url)).toMatchObject({ errors: { url: [expect.stringContaining('https')] } })
  for (const url of [
    'https://127.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest',
    'https://0x7f000001/',
  ])
    expect((await add(owner, url)).code).toBe('channel_private')
  addresses = ['1.1.1.1', '192.168.0.10']
  expect((await add(owner)).code).toBe('channel_private')
  addresses = []
  expect(await add(owner)).toMatchObject({ code: 'channel_not_found', errors: { url: [expect.any(String)] } })
  addresses = ['1.1.1.1']
  expect(await add(owner, 'https://hooks.example.com:22/')).toMatchObject({
    code: 'channel_port',
    errors: { url: [expect.stringContaining('443')] },
  })
  expect((await owner.call(staffCalls.staffAlertChannels)).body.data.webhooks).toEqual([])
})

it('A180: attack: a name that later leads into the inner network is refused when the message is sent', async () => {
  const { id } = (await add(owner)).data
  expect(await test(owner, id)).toMatchObject({ data: { took_ms: 0 } })
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254']) {
    addresses = [address]
    expect((await test(owner, id)).code).toBe('channel_private')
  }
  addresses = []
  expect((await test(owner, id)).code).toBe('channel_not_found')
  expect(sent).toHaveLength(1)
})

it('A181: attack: the sample check of the docs refuses forged, changed and replayed messages', async () => {
  const { id, secret } = (await add(owner)).data
  await test(owner, id)
  const [message] = sent
  assert(message, 'a message was sent')
  const headers = message.request.headers ?? {}
  const body = String(message.request.body)
  const now = Math.floor(app.ctx.now() / 1_000)
  const { accepts } = await sampleCheck()
  const stranger = secret.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))
  expect(accepts(stranger, headers, body, now)).toBe(false)
  expect(accepts(secret, headers, body.replace('today', 'wake'), now)).toBe(false)
  expect(accepts(secret, { ...headers, 'fairwick-time': String(now + 1) }, body, now)).toBe(false)
  expect(accepts(secret, { ...headers, 'fairwick-signature': 'v1=' }, body, now)).toBe(false)
  expect(accepts(secret, headers, body, now + 301)).toBe(false)
  expect(accepts(secret, headers, body, now)).toBe(true)
  expect(accepts(secret, headers, body, now)).toBe(false)
})

type Accepts = (secret: string, headers: Readonly<Record<string, string>>, body: string, nowSeconds: number) => boolean

/** Returns the sample code that the documentation gives to receivers. */
async function sampleCheck(): Promise<{ accepts: Accepts }> {
  const page = readFileSync('docs/reference/back-office.md', 'utf8')
  const lines = page.split('\n')
  const from = lines.findIndex((line) => line.startsWith('    import { createHmac, timingSafeEqual }'))
  const to = lines.findIndex((line, at) => at > from && line !== '' && !line.startsWith('    '))
  const code = lines
    .slice(from, to)
    .map((line) => line.slice(4))
    .join('\n')
  return (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as { accepts: Accepts }
}

it('A182: attack: a role neither sees, takes nor closes the alerts of rules that do not reach it', async () => {
  const id = await crash()
  for (const name of ['finance', 'support', 'content']) {
    const who = await app.staff(name)
    expect((await who.call(staffCalls.staffAlerts)).body.data.rows.map((row) => row.rule)).not.toContain('crash')
    expect((await who.read('/api/admin/alerts.csv')).text).not.toContain('east')
    expect((await who.call(staffCalls.staffAlert, { params: { id } })).status).toBe(404)
    expect((await who.call(staffCalls.staffTakeAlert, { params: { id } })).status).toBe(404)
    expect((await who.call(staffCalls.staffCloseAlert, { params: { id }, body: { words: '' } })).status).toBe(404)
  }
  expect((await owner.call(staffCalls.staffAlert, { params: { id } })).body.data).toMatchObject({
    taken_by: null,
    closed_at: null,
  })
})

it('A182: attack: a channel of another staff member can be neither tested nor removed', async () => {
  const { id } = (await add(owner)).data
  const markets = await app.staff('markets')
  expect((await test(markets, id)).code).toBe('not_found')
  expect((await markets.call(staffCalls.staffRemoveAlertChannel, { params: { id } })).status).toBe(404)
  expect((await owner.call(staffCalls.staffAlertChannels)).body.data.webhooks).toHaveLength(1)
  expect(sent).toEqual([])
})

it('A182: attack: a webhook hears nothing of rules that do not reach its role, and nothing after a block', async () => {
  for (const name of ['support', 'markets']) await add(await app.staff(name), `https://${name}.example.com/`)
  await crash()
  await app.ctx.db.updateTable('staff').set({ is_blocked: true }).where('name', '=', 'markets').execute()
  const due = await claimDeliveries(app.ctx.db, app.ctx.now())
  expect(due.flatMap(({ channelId }) => (channelId === null ? [] : [channelId]))).toEqual([])
  const mails = await app.ctx.db
    .selectFrom('alert_delivery')
    .innerJoin('staff', 'staff.id', 'staff_id')
    .select('name')
    .execute()
  expect(new Set(mails.map(({ name }) => name))).toEqual(new Set(['owner', 'markets']))
})

it('A183: attack: secret and address of a webhook are in no list, audit line, CSV, log or plain column', async () => {
  const { id, secret } = (await add(owner)).data
  await test(owner, id)
  await crash()
  const { rows } = await app.ctx.db
    .selectFrom('alert_channel')
    .selectAll()
    .execute()
    .then((found) => ({ rows: found }))
  const actions = await app.ctx.db.selectFrom('admin_action').selectAll().execute()
  const seen = [
    rows,
    actions,
    (await owner.call(staffCalls.staffAlertChannels)).body,
    (await owner.read('/api/admin/alerts.csv')).text,
    (await owner.read('/api/admin/audit.csv')).text,
    app.ctx.lines,
  ].map((part) => JSON.stringify(part, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))
  for (const text of seen) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain('T0KEN-in-the-path')
  }
})
