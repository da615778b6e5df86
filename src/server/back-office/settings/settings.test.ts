import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { SETTING_GROUPS } from '#back-office/pages/settings/groups.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { calls } from '#contract/calls.ts'
import { DAY_MS, later, toIso } from '#core/time/instant.ts'
import { listSettings } from '#server/settings/list-settings.ts'
import { areWithdrawalsClosed } from '#server/settings/site-settings.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { onOtherSessions } from '#test/support/one-session.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let owner: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  owner = await app.staff('owner')
})
afterEach(() => app.stop())

async function look() {
  const { settings } = (await owner.call(staffCalls.staffSettings)).body.data
  return new Map(settings.map((setting) => [setting.key, setting]))
}

async function save(values: Readonly<Record<string, unknown>>, seen?: Awaited<ReturnType<typeof look>>) {
  const known = seen ?? (await look())
  const changes = Object.entries(values).map(([key, value]) => ({
    key,
    value: value as null,
    version: known.get(key)?.version ?? 0,
  }))
  return (await owner.call(staffCalls.staffSaveSettings, { body: { changes } })).body
}

const site = async () => (await app.call(calls.generalSetting)).body.data

/** The settings that are edited on other pages. */
const ELSEWHERE = ['languages_offered', 'country_rules']

test('every setting appears on the page of settings or on another known page', async () => {
  const shown = SETTING_GROUPS.flatMap(({ fields }) => fields.map(({ key }) => key))
  expect([...shown, ...ELSEWHERE].toSorted()).toEqual([...(await look()).keys()].toSorted())
})

test('a saved setting applies to the next visitor and is recorded', async () => {
  expect((await save({ site_name: 'Harbour', invitation_required: true })).data).toEqual({ saved: 2, pending: null })
  expect(await site()).toMatchObject({ site_name: 'Harbour', invitation_code_status: 1 })
  const actions = await app.ctx.db.selectFrom('admin_action').selectAll().where('what', '=', 'settings/save').execute()
  expect(actions).toMatchObject([
    {
      who: 'owner',
      target: 'invitation_required, site_name',
      before: { site_name: 'Fairwick' },
      after: { site_name: 'Harbour' },
    },
  ])
})

test('an outdated save is refused as a whole, including its other settings', async () => {
  const seen = await look()
  await save({ site_name: 'First' }, seen)
  const late = await save({ site_name: 'Second', deposits_open: false }, seen)
  expect(late.code).toBe('changed_meanwhile')
  expect(late.message).toBe(
    'You changed this yourself since you opened it here (Name of the site). The second change was not saved. Reload to see the current version.',
  )
  expect(await site()).toMatchObject({ site_name: 'First', deposit_feature: 1 })
  expect((await save({ deposits_open: false }, seen)).data).toEqual({ saved: 1, pending: null })
})

test('a save requests none of its changes when one of the settings already has a pending change', async () => {
  await app.verifiedUser()
  expect((await save({ two_people_above: '2000.00' })).data).toMatchObject({ saved: 0, pending: expect.anything() })
  const both = await save({ licence_number: 'L-1', two_people_above: '3000.00', site_name: 'Harbour' })
  expect(both.code).toBe('change_pending')
  expect(both.message).toMatch(/^An earlier change of the same waits for a second person since \d/)
  const waiting = await app.ctx.db.selectFrom('pending_change').select('kind').execute()
  expect(waiting).toEqual([{ kind: 'limits' }])
  expect(await site()).toMatchObject({ site_name: 'Fairwick' })
})

test('accepts one of several concurrent saves', async () => {
  const seen = await look()
  const all = await Promise.all(['A', 'B', 'C', 'D'].map((name) => save({ site_name: name }, seen)))
  expect(all.filter(({ code }) => code === 'changed_meanwhile')).toHaveLength(3)
})

test('withdrawals are listed as open once their closure has ended, so that turning them off closes them again', async () => {
  const closing = () => ({
    withdrawals_open: false,
    withdraw_reason: 'Maintenance of our payment systems.',
    withdrawals_closed_until: toIso(later(app.ctx.now(), DAY_MS)),
  })
  await save(closing())
  expect((await look()).get('withdrawals_open')?.value).toBe(false)
  app.ctx.clock.jump(15 * DAY_MS)
  owner = await app.staff('owner')
  expect((await look()).get('withdrawals_open')?.value).toBe(true)
  await save(closing())
  expect((await look()).get('withdrawals_open')?.value).toBe(false)
  expect(areWithdrawalsClosed(app.settings.current, app.ctx.now())).toBe(true)
})

// A save during the read of the list needs a second session.
test.runIf(process.env['TEST_DATABASE_URL'])('no value is listed with the version of a later change', async () => {
  let saved: ReturnType<typeof save> | undefined
  const slow = app.ctx.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (saved === undefined && result.rows.some((row) => row['value'] !== undefined)) {
        saved = save({ minimum_ages: ['TH 20', 'EG 21'] })
        await saved
      }
      return result
    },
  })
  await save({ minimum_ages: ['TH 20'] })
  const ages = (await listSettings(slow, app.ctx.now())).find(({ key }) => key === 'minimum_ages')
  expect(await saved).toMatchObject({ data: { saved: 1 } })
  expect(ages).toMatchObject({ value: ['TH 20'], version: 1 })
})

describe('refuses invalid settings with a text for each field, and saves no other setting of the same form', () => {
  it.each([
    ['site_name', ''],
    ['site_name', 5],
    ['default_language', 'xx'],
    ['logo_url', 'javascript:alert(1)'],
    ['customer_link', 'data:text/html,x'],
    ['two_people_above', '1.555'],
    ['two_people_above', 1500],
    ['countries_allowed', ['XX']],
    ['display_rates', { EUR: -1 }],
    ['operating_since', 'yesterday'],
    ['licence_holder', 'x'.repeat(121)],
  ])('%s: %j', async (key, value) => {
    const refused = await save({ chat_link: 'https://chat.example', [key]: value })
    expect(refused).toMatchObject({ code: 'setting_invalid', errors: { [key]: [expect.any(String)] } })
    expect((await look()).get('chat_link')?.value).toBeNull()
  })

  it('refuses an unknown setting', async () => {
    expect((await save({ win_rate: 1 })).code).toBe('setting_unknown')
  })
})

describe('countries', () => {
  const form = (country?: string) => ({
    username: `visitor${country ?? ''}`,
    mobile: '912345678',
    mobile_code: '+351',
    password: 'violet-17',
    password_confirmation: 'violet-17',
    agree: true,
    ...(country !== undefined && { country_code: country }),
  })
  const signUp = async (country?: string) => (await app.call(calls.register, { body: form(country) })).body.code

  it('include every country by default', async () => {
    expect(await signUp('PT')).toBeUndefined()
    expect((await app.call(calls.countries)).body.data.countries.length).toBeGreaterThan(200)
  })

  it('limit sign-ups to the chosen countries, and a sign-up must name one of them', async () => {
    expect((await save({ countries_allowed: ['PT', 'ES', 'PT'] })).data).toMatchObject({ saved: 0 })
    expect((await look()).get('countries_allowed')?.value, 'the change waits').toEqual([])
    await app.passChanges()
    expect((await look()).get('countries_allowed')?.value).toEqual(['ES', 'PT'])
    const { countries } = (await app.call(calls.countries)).body.data
    expect(countries.map(({ countryCode }) => countryCode)).toEqual(['PT', 'ES'])
    expect(await signUp('US')).toBe('country_not_allowed')
    expect(await signUp()).toBe('country_not_allowed')
    expect(await signUp('pt')).toBeUndefined()
  })
})

describe.runIf(process.env['TEST_DATABASE_URL'])('two saves at the same time', () => {
  const waiters = async () => {
    const { rows } = await sql<{ pid: number }>`
      select distinct pid from pg_locks
      where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(
      database.db,
    )
    return rows
  }

  /** Starts each save when the ones before wait for a lock, while another transaction locks a setting. */
  async function saveWhileLocked(key: string, ...saves: readonly Readonly<Record<string, unknown>>[]) {
    const seen = await look()
    const { replies } = await database.db.transaction().execute(async (tx) => {
      const locked = await tx.selectFrom('setting').select('key').where('key', '=', key).forUpdate().execute()
      expect(locked).toHaveLength(1)
      return await onOtherSessions(async () => {
        const started: ReturnType<typeof save>[] = []
        for (const values of saves) {
          started.push(save(values, seen))
          await vi.waitFor(async () => expect(await waiters()).toHaveLength(started.length))
        }
        return { replies: started }
      })
    })
    return await Promise.all(replies)
  }

  it.each([
    ['100.00', '1400.00'],
    ['1400.00', '100.00'],
  ])('A63: attack: a limit that was never stored is set to %s and to %s', async (first, second) => {
    await app.verifiedUser()
    const limits = [{ two_people_above: first }, { two_people_above: second }]
    const replies = await saveWhileLocked('withdraw_reason', ...limits)
    expect(replies.map(({ code }) => code)).toEqual([undefined, 'changed_meanwhile'])
    expect((await look()).get('two_people_above')?.value).toBe(first)
  })

  it('save both, in whatever order they lock the settings that close withdrawals', async () => {
    await save({ withdraw_reason: 'The bank is closed today.', withdrawals_closed_until: '2026-04-01T10:00:00.000Z' })
    const [one, other] = [{ withdraw_reason: 'The bank has a holiday.' }, { withdrawals_open: true }]
    const replies = await saveWhileLocked('withdrawals_closed_until', one, other)
    expect(replies.map(({ data }) => data)).toEqual([
      { saved: 1, pending: null },
      { saved: 1, pending: null },
    ])
  })
})
