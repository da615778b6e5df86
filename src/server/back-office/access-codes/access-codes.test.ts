import { beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { money } from '#core/money/money.ts'
import { DAY_MS, HOUR_MS, later, MINUTE_MS, toIso } from '#core/time/instant.ts'
import { listAccessCodes } from '#server/back-office/access-codes/access-codes.queries.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { BusyError } from '#server/platform/limits/fair-queue.ts'
import { register } from '#server/users/log-in/sign-up.ts'
import { createLogInRecorder } from '#server/users/sessions/record-log-in.ts'
import { insertDeposit } from '#test/support/market-fixtures.ts'
import { passTermsNotice } from '#test/support/pass-terms-notice.ts'
import type { StaffSession } from '#test/support/staff-session.ts'
import { createTestApp, TEST_PASSWORD, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let owner: StaffSession

beforeEach(async () => {
  await database.db.insertInto('setting').values({ key: 'invitation_required', value: 'true', updated_ms: 0 }).execute()
  app = await createTestApp(database)
  owner = await app.staff('owner')
  return () => app.stop()
})

const FORM = {
  mobile: '+1-555 123 4567',
  password: TEST_PASSWORD,
  password_confirmation: TEST_PASSWORD,
  agree: 1,
}
interface Rules {
  label: string
  max_uses: number | null
  from: string | null
  until: string | null
  countries: string[]
  is_on: boolean
}
const RULES: Omit<Rules, 'is_on'> = { label: '', max_uses: null, from: null, until: null, countries: [] }

async function save(code: string, rules: Partial<Rules> = {}) {
  const body = { ...RULES, code, is_on: true, version: 0, ...rules }
  return (await owner.call(staffCalls.staffSaveAccessCode, { params: { id: app.ctx.newId() }, body })).body
}

const signUp = async (username: string, invitation_code: string, form: object = {}) =>
  (await app.call(calls.register, { body: { ...FORM, username, invitation_code, ...form } })).body.code ?? 'opened'

const list = async () => (await owner.call(staffCalls.staffAccessCodes)).body.data.rows

describe('12.1: access codes', () => {
  it('allow a sign-up in upper or lower case, if the code is on, not used up, and open for the time and country', async () => {
    const now = app.ctx.now()
    await save('Welcome')
    await save('ONCE', { max_uses: 1 })
    await save('GERMAN', { countries: ['DE'] })
    await save('LATER', { from: toIso(later(now, 10 * MINUTE_MS)) })
    await save('OFF-CODE', { is_on: false })
    expect(await signUp('anna', ' wElCoMe ')).toBe('opened')
    expect(await signUp('bert', 'once')).toBe('opened')
    for (const code of ['once', 'later', 'german', 'off-code', 'unknown'])
      expect(await signUp('cora', code)).toBe('invitation_wrong')
    expect(await signUp('cora', '')).toBe('invitation_required')
    expect(await signUp('cora', 'german', { country_code: 'DE' })).toBe('opened')
    app.ctx.clock.jump(10 * MINUTE_MS)
    expect(await signUp('dora', 'later')).toBe('opened')
    const states = (await list()).map(({ code, state, uses }) => [code, state, uses])
    expect(new Map(states.map(([code, ...rest]) => [code, rest]))).toEqual(
      new Map([
        ['WELCOME', ['open', 1]],
        ['ONCE', ['used_up', 1]],
        ['GERMAN', ['open', 1]],
        ['LATER', ['open', 1]],
        ['OFF-CODE', ['off', 0]],
      ]),
    )
  })

  it('do not count a failed sign-up as a use', async () => {
    await save('ONCE', { max_uses: 1 })
    await save('MANY')
    const replies = await Promise.all(['anna', 'ANNA'].map((name) => signUp(name, 'many')))
    expect(replies.toSorted()).toEqual(['opened', 'username_taken'])
    expect((await list()).find(({ code }) => code === 'MANY')).toMatchObject({ uses: 1 })
    expect(await signUp('anna', 'once')).toBe('username_taken')
    expect(await signUp('bert', 'once')).toBe('opened')
  })

  it('an access code for ten uses admits exactly ten of two hundred parallel sign-ups', async () => {
    await save('TEN-USES', { max_uses: 10 })
    const names = Array.from({ length: 200 }, (_, at) => `racer${at}`)
    const codes = await Promise.all(names.map((name) => signUp(name, 'ten-uses')))
    expect(codes.filter((code) => code === 'opened')).toHaveLength(10)
    expect(await list()).toMatchObject([{ code: 'TEN-USES', uses: 10, state: 'used_up' }])
    const uses = await database.db.selectFrom('access_code_use').selectAll().execute()
    expect(uses).toHaveLength(10)
  })

  it('after one network sent twenty wrong access codes, even a right code is refused for an hour', async () => {
    await save('RIGHT')
    for (let at = 0; at < 20; at += 1) expect(await signUp('anna', `guess${at}`)).toBe('invitation_wrong')
    expect(await signUp('anna', 'right')).toBe('too_many_attempts')
    app.ctx.clock.jump(HOUR_MS)
    expect(await signUp('anna', 'right')).toBe('opened')
  })

  it('F8: of forty concurrent wrong access codes of one network, only twenty are checked', async () => {
    const names = Array.from({ length: 40 }, (_, nth) => `anna${nth}`)
    const codes = await Promise.all(names.map((name) => signUp(name, `wrong-${name}`)))
    expect(codes.filter((code) => code === 'invitation_wrong')).toHaveLength(20)
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(20)
  })

  it.each(['the hash', 'the transaction'])(
    'F6: a sign-up that ends with an error in %s is no wrong access code',
    async (place) => {
      await save('RIGHT')
      let failing = place
      const failIn = (here: string) => {
        if (failing === here) throw new BusyError('too much work is waiting')
      }
      const { ctx, settings } = app
      const recorder = createLogInRecorder(ctx)
      const parts = {
        ctx,
        passwords: {
          async hash() {
            failIn('the hash')
            return 'hash'
          },
          verify: () => Promise.resolve(true),
        } satisfies Passwords,
        signIns: {
          ...recorder,
          async open(...given: Parameters<typeof recorder.open>) {
            failIn('the transaction')
            return await recorder.open(...given)
          },
        },
        signUpsPerHour: 100,
        mode: 'demo',
        settings: settings.current,
      } as const
      const form = calls.register.body.parse({ ...FORM, username: 'anna', invitation_code: 'right' })
      const device = { address: '198.51.100.20', userAgent: '', country: null, language: 'en' } as const
      for (let at = 0; at < 20; at += 1) await expect(register(parts, form, device)).rejects.toThrow(BusyError)
      failing = ''
      expect(await register(parts, form, device)).toMatchObject({ ok: true })
    },
  )

  it('F6: are not used up, and no account is stored, when new terms come into force during the sign-up', async () => {
    await save('ONCE', { max_uses: 1 })
    const from = new Date(Date.now() + 15 * DAY_MS).toISOString()
    const params = { kind: 'page' as const, key: 'terms' }
    const { version } = (await owner.call(staffCalls.staffContentEntry, { params })).body.data
    const body = { draft_version: version, from, needs_consent: true, summary: { en: 'Fees change.' } }
    expect((await owner.call(staffCalls.staffPublishTerms, { body })).status).toBe(200)
    const { ctx, settings } = app
    const passwords: Passwords = {
      async hash() {
        await passTermsNotice(database)
        return 'hash'
      },
      verify: () => Promise.resolve(true),
    }
    const parts = { ctx, passwords, signIns: createLogInRecorder(ctx), signUpsPerHour: 10, mode: 'demo' } as const
    const form = calls.register.body.parse({ ...FORM, username: 'anna', invitation_code: 'once' })
    const device = { address: '198.51.100.20', userAgent: '', country: null, language: 'en' } as const
    const done = await register({ ...parts, settings: settings.current }, form, device)
    expect(done).toMatchObject({ ok: false, refusal: 'terms_changed' })
    expect(await list()).toMatchObject([{ code: 'ONCE', uses: 0, state: 'open' }])
    expect(await signUp('anna', 'once')).toBe('opened')
  })

  it('with invalid content are refused with the reason, and are not stored', async () => {
    await save('TAKEN')
    const until = toIso(later(app.ctx.now(), -DAY_MS))
    const refused: [string, string, Partial<Rules>][] = [
      ['access_code_taken', 'taken', {}],
      ['access_code_form', 'a b', {}],
      ['period_invalid', 'GOOD', { until }],
      ['country_unknown', 'GOOD', { countries: ['XX'] }],
    ]
    for (const [refusal, code, rules] of refused) expect((await save(code, rules)).code).toBe(refusal)
    expect((await list()).map(({ code }) => code)).toEqual(['TAKEN'])
  })

  it('keep their code text when staff change them, and refuse a limit below the uses so far', async () => {
    await save('CLUB')
    await signUp('anna', 'club')
    await signUp('bert', 'club')
    const [row] = await list()
    const change = async (max_uses: number, version: number) =>
      (
        await owner.call(staffCalls.staffSaveAccessCode, {
          params: { id: row?.id ?? '' },
          body: { ...RULES, code: 'OTHER', max_uses, is_on: true, version },
        })
      ).body
    expect(await change(1, 1)).toMatchObject({ code: 'access_code_uses' })
    expect((await change(2, 1)).data).toEqual({ version: 2 })
    expect(await change(3, 1)).toMatchObject({ code: 'changed_meanwhile' })
    expect(await list()).toMatchObject([{ code: 'CLUB', uses: 2, max_uses: 2, state: 'used_up' }])
  })

  it('access codes that staff make in bulk all differ, and each allows one sign-up', async () => {
    const support = await app.staff('support')
    const body = { ...RULES, max_uses: 1, count: 50 }
    const { codes } = (await support.call(staffCalls.staffMakeAccessCodes, { body })).body.data
    expect(new Set(codes).size).toBe(50)
    expect(await signUp('anna', codes[49]?.toLowerCase() ?? '')).toBe('opened')
    expect(await signUp('bert', codes[49] ?? '')).toBe('invitation_wrong')
  })

  it('show what their users have deposited', async () => {
    await save('CLUB')
    await signUp('anna', 'club')
    const { user_id: userId } = await database.db.selectFrom('access_code_use').selectAll().executeTakeFirstOrThrow()
    const before = await listAccessCodes(database.db, { search: 'clu', isOn: true }, { after: null, limit: 10 })
    expect(before).toMatchObject([{ code: 'CLUB', deposited: money(0n) }])
    const deposit = { userId, id: app.ctx.newId(), amount: money(12_300n), at: app.ctx.now() }
    await database.db.transaction().execute((tx) => insertDeposit(tx, deposit))
    const after = await listAccessCodes(database.db, { search: null, isOn: null }, { after: null, limit: 10 })
    expect(after).toMatchObject([{ deposited: money(12_300n) }])
  })
})
