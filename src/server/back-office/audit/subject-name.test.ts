import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'
import { subjectName } from '#server/back-office/audit/subject-name.ts'

const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
let owner: StaffSession
beforeAll(async () => {
  app = await createTestApp(database)
  owner = await app.staff('owner')
  await app.verifiedUser('alice')
})
afterAll(() => app.stop())

describe('F76: subjects of actions have names', () => {
  it.each<[what: string, target: string, name: string]>([
    ['settings/save', 'withdrawal_pause_hours', 'Withdrawal pause after a change (hours)'],
    ['settings set', 'site_name', 'Name of the site'],
    ['changes/apply', 'site_name, rate_jump_percent', 'Name of the site, Step of a rate (%)'],
    ['export', '/admin/audit', 'Audit log'],
    ['export', '/admin/markets/closures', 'Market hours'],
    ['markets close', 'crypto', 'Crypto'],
    ['markets/hours/:type/close', 'us_stocks', 'US stocks'],
    ['exposure/cap', 'cap market_us_fx', 'Forex'],
    ['audit/verify', 'audit', 'Audit log'],
    // These subjects are names already, also when they look like the code of a market or setting.
    ['users/:id/verified', 'crypto', 'crypto'],
    ['users/:id/limits', 'site_name', 'site_name'],
    ['deposits/:trx/approve', 'FW-0TXWD-7Q4M2-9A3BK', 'FW-0TXWD-7Q4M2-9A3BK'],
    ['symbols close', 'AAPL', 'AAPL'],
    ['settings/save', '', ''],
  ])('F76: %s of %s is of %s', (what, target, name) => expect(subjectName(what, target)).toBe(name))

  it('F76: every list has the name of its page', () => {
    const paths = Object.values(staffCalls).flatMap(({ method, path }) =>
      method === 'GET' && path !== '/admin/me' ? [path] : [],
    )
    expect(paths.filter((path) => subjectName('export', path).includes('/'))).toEqual([])
  })

  it('F76: a gateway has its name in the audit log and in a waiting change', async () => {
    const ref = { id: '1' }
    const { data } = (await owner.call(staffCalls.staffGateway, { params: ref })).body
    const { name, form, fixed_charge: fee } = data
    const body = {
      ...data,
      fixed_charge: fee + 1,
      form: form.map(({ options, ...field }) => ({ ...field, ...(options && { options: [...options] }) })),
    }
    expect((await owner.call(staffCalls.staffSaveGateway, { params: ref, body })).status).toBe(200)
    const [change] = (await owner.call(staffCalls.staffChanges, { query: {} })).body.data.rows
    expect(change).toMatchObject({ kind: 'gateway', subject: 'gateway 1', subject_name: name })
    const [line] = (await owner.call(staffCalls.staffAudit, { query: { area: 'gateways' } })).body.data.rows
    expect(line).toMatchObject({ target: 'gateway 1', target_name: name })
  })

  it('F76: the audit log, its CSV file and the waiting changes show the names of settings beside their codes', async () => {
    const changes = [
      { key: 'two_people_above', value: '5,000.00', version: 0 },
      { key: 'bonus_verify', value: '7', version: 0 },
    ]
    expect((await owner.call(staffCalls.staffSaveSettings, { body: { changes } })).status).toBe(200)
    const [change] = (await owner.call(staffCalls.staffChanges, { query: {} })).body.data.rows
    expect(change).toMatchObject({
      kind: 'limits',
      subject: 'limits',
      subject_name: 'Dual approval above (USDT)',
    })
    const [line] = (await owner.call(staffCalls.staffAudit, { query: { area: 'settings' } })).body.data.rows
    expect(line?.target).toMatch(/^bonus_verify, /)
    expect(line?.target_name).not.toMatch(/_/)
    const { text } = await owner.read('/admin/audit.csv?area=settings')
    expect(text).toContain('address,target_name')
    expect(text).toContain(line?.target_name)
  })
})
