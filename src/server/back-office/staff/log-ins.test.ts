import { afterEach, beforeEach, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { closeRegister } from '#test/support/close-register.ts'
import { DEMO_STAFF } from '#server/seed/demo-staff.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

const fail = () =>
  app.inject({ method: 'POST', url: '/api/admin/sign-in', payload: { name: 'Owner', password: 'wrong-one' } })
const mails = async () =>
  (await app.call(calls.outbox, { query: { to: 'owner@demo.invalid' } })).body.data.messages.filter(
    ({ kind }) => kind === 'staff_new_device',
  )

it('notifies a staff member of a log-in with a new device, by mail and on the next page', async () => {
  const known = await app.staff('owner')
  expect([(await known.call(staffCalls.staffMe)).body.data?.new_device, await mails()]).toEqual([null, []])
  app.ctx.clock.advance(1_000)
  const other = await app.staff('owner')
  expect((await known.call(staffCalls.staffMe)).body.data?.new_device).toMatchObject({ address: '127.0.0.1' })
  expect((await other.call(staffCalls.staffMe)).body.data?.new_device).toBeNull()
  expect((await mails()).map(({ text }) => text)).toEqual([expect.stringContaining('as owner')])
})

it('a person who enters the codes of several log-ins at the same time gets a session or a refusal each, and no server error', async () => {
  for (let round = 0; round < 3; round += 1) {
    const codes = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const headers = { cookie: `fairwick_demo_key=${app.demoKey?.text ?? ''}` }
        const send = (path: string, payload: object) =>
          app.http.inject({ method: 'POST', url: `/api/admin/${path}`, payload, headers })
        const first = await send('sign-in', { name: 'content', password: DEMO_STAFF.password })
        const { ticket, demo_code: code } = first.json<{ data: { ticket: string; demo_code: string } }>().data
        const second = await send('sign-in/code', { ticket, code })
        return second.statusCode === 200 ? 'in' : second.json<{ code: string }>().code
      }),
    )
    expect(codes).toContain('in')
    const others = codes.filter((code) => !['in', 'staff_ticket_over', 'too_many_attempts'].includes(code))
    expect(others).toEqual([])
    app.ctx.clock.advance(60_000)
  }
})

it('shows staff members their own last thirty log-ins, including failed ones', async () => {
  const owner = await app.staff('owner')
  await app.staff('finance')
  app.ctx.clock.advance(1_000)
  await fail()
  const { log_ins: logIns } = (await owner.call(staffCalls.staffSessions)).body.data
  expect(logIns.map(({ is_done: isDone }) => isDone)).toEqual([false, true])
  for (let turn = 0; turn < 31; turn += 1) {
    app.ctx.clock.advance(60_000)
    await app.staff('owner')
  }
  expect((await owner.call(staffCalls.staffSessions)).body.data.log_ins).toHaveLength(30)
})

it('publishes each day how many staff members logged in and what they changed, without names', async () => {
  await closeRegister(app)
  await app.staff('owner')
  await app.staff('owner')
  const finance = await app.staff('finance')
  await finance.call(staffCalls.staffSignOut)
  app.ctx.clock.advance(DAY_MS)
  await closeRegister(app)
  await closeRegister(app)
  const { acts } = (await app.call(calls.proofActs, { query: { limit: 10 } })).body.data
  const days = acts
    .map(({ text }) => JSON.parse(text) as Record<string, unknown>)
    .filter(({ what }) => what === 'staff_day')
  expect(days).toMatchObject([{ kind: 'act', signed_in: 2, applies_ms: app.ctx.now() }])
  expect(JSON.stringify(days)).not.toMatch(/owner|finance/)
})
