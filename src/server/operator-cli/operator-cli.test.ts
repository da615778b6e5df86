import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const BY_HAND = 77

const database = useTestDatabase()
let app: TestApp
let token: string
beforeEach(async () => {
  app = await createTestApp(database)
  ;({ token } = await app.verifiedUser('alice'))
  await app.ctx.db
    .insertInto('gateway')
    .values({
      id: BY_HAND,
      kind: 'deposit',
      name: 'By hand',
      currency: 'EUR',
      min_amount: 1_000n,
      max_amount: 100_000n,
      rate_millionths: 1_080_000n,
      fixed_charge: 0n,
      percent_charge_basis_points: 0,
      sort: 99,
    })
    .execute()
})
afterEach(() => app.stop())

const run = (...args: string[]) => runCommand({ ...app, dataDir: '/nowhere' }, args, 'operator')
const actions = () => app.ctx.db.selectFrom('admin_action').selectAll().orderBy('id').execute()
const profile = async () => (await app.call(calls.profile, { token })).body.data.user
const status = async (trx: string) =>
  (await app.call(calls.deposits, { token })).body.data.deposits.find((one) => one.trx === trx)?.status

async function pendingDeposit(): Promise<string> {
  const { body } = await app.call(calls.saveDeposit, { token, body: { amount: 100, method_id: BY_HAND } })
  return body.data.deposit.trx
}

/** Requests a deposit, and records an arrival of the whole amount to pay. */
async function arrivedDeposit(): Promise<string> {
  const trx = await pendingDeposit()
  const { total } = (await app.call(calls.deposits, { token })).body.data.deposits.find((one) => one.trx === trx) ?? {}
  const done = await run('deposits', 'arrived', trx, '--amount', String(total), '--reference', `ref ${trx}`)
  expect(done.exitCode).toBe(0)
  return trx
}

describe('the command for deposits', () => {
  it('records what arrived, once for each reference, and credits nothing before an approval', async () => {
    const trx = await pendingDeposit()
    expect((await run('deposits', 'approve', trx)).lines[0]).toContain('Record it first')
    const record = () => run('deposits', 'arrived', trx, '--amount', '50', '--reference', 'B1')
    expect((await record()).lines[0]).toContain('arrived for')
    expect((await record()).lines[0]).toContain('recorded already')
    expect((await profile()).balance).toBe(0)
  })

  it('credits what arrived on approval, and notifies the user', async () => {
    const trx = await arrivedDeposit()
    expect((await run('deposits', 'list', '--pending')).lines.join('\n')).toContain(trx)
    const { exitCode, lines } = await run('deposits', 'approve', trx.toLowerCase(), '--remark', 'Thank you')
    expect([exitCode, lines]).toEqual([0, [`${trx} is approved: 108.00 USDT credited to alice.`]])
    expect((await profile()).balance).toBe(108)
    expect(await status(trx)).toBe(1)
    expect(app.ctx.announced.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['deposit-decided', 'balance-changed']),
    )
    expect((await run('deposits', 'list', '--pending')).lines).toEqual(['No pending deposits.'])
    expect((await run('deposits', 'show', trx)).lines.join('\n')).toMatch(/State +credited[^]*Thank you/)
  })

  it('credits once under concurrent approvals', async () => {
    const trx = await arrivedDeposit()
    const done = await Promise.all(Array.from({ length: 6 }, () => run('deposits', 'approve', trx)))
    expect(done.map(({ exitCode }) => exitCode).toSorted((a, b) => a - b)).toEqual([0, 1, 1, 1, 1, 1])
    expect((await profile()).balance).toBe(108)
    expect((await checkLedger(app.ctx.db)).mismatches).toEqual([])
  })

  it('does not credit a rejected deposit, nor decide it twice', async () => {
    const trx = await arrivedDeposit()
    const race = await Promise.all([
      run('deposits', 'reject', trx, '--words', 'No payment came'),
      run('deposits', 'approve', trx),
    ])
    expect(race.map(({ exitCode }) => exitCode).toSorted((a, b) => a - b)).toEqual([0, 1])
    const isRejected = (await status(trx)) === 3
    expect((await profile()).balance).toBe(isRejected ? 0 : 108)
    const again = await run('deposits', 'approve', trx)
    expect([again.exitCode, again.lines[0]]).toEqual([1, expect.stringContaining('was already')])
  })

  it('refuses unknown deposits with a message', async () => {
    expect(await run('deposits', 'approve', 'FW-0000-0000-0000')).toEqual({
      exitCode: 1,
      lines: ['There is no deposit FW-0000-0000-0000.'],
    })
  })
})

describe('settings', () => {
  it('apply immediately', async () => {
    expect((await run('settings', 'set', 'site_name', '"Harbour"')).lines).toEqual([
      'site_name is "Harbour", was "Fairwick".',
    ])
    expect((await run('settings', 'set', 'invitation_required', 'true')).exitCode).toBe(0)
    expect((await run('settings', 'set', 'customer_link', '"https://help.example.com/"')).exitCode).toBe(0)
    const { body } = await app.call(calls.generalSetting)
    expect(body.data).toMatchObject({ site_name: 'Harbour', invitation_code_status: 1 })
    expect((await profile()).customer_link).toBe('https://help.example.com/')
    expect((await run('settings', 'list')).lines.join('\n')).toMatch(/customer_link +"https:\/\/help\.example\.com\/"/)
  })

  it.each([
    ['site_name', '""'],
    ['site_name', '5'],
    ['deposits_open', '"no"'],
    ['default_language', '"xx"'],
    ['customer_link', '"javascript:alert(1)"'],
    ['logo_url', '"//elsewhere.example.com/x.png"'],
    ['__proto__', '{}'],
    ['payout_of_alice', '99'],
  ])('refuse %s = %s', async (key, json) => {
    const { exitCode, lines } = await run('settings', 'set', key, json)
    expect([exitCode, lines.length]).toEqual([1, 1])
    expect((await app.call(calls.generalSetting)).body.data).toMatchObject({
      site_name: 'Fairwick',
      deposit_feature: 1,
    })
  })

  it.each([
    ['bonus_verify', '1,000.00', '"1000.00"'],
    ['bonus_verify', '2000', '"2000"'],
    ['bonus_verify', '"3 000"', '"3000"'],
    ['withdrawal_pause_hours', '٣٦', '36'],
    ['withdrawal_pause_hours', ' 48 ', '48'],
  ])('F67: %s reads the typed number %s', async (key, typed, stored) => {
    const { lines } = await run('settings', 'set', key, typed)
    expect(lines[0]).toContain(`${key} is ${stored}`)
  })

  it('F67: a number with an exponent is refused in clear words', async () => {
    const { exitCode, lines } = await run('settings', 'set', 'withdrawal_pause_hours', '1e1')
    expect(exitCode).toBe(2)
    expect(lines.join('\n')).toContain('is a number with an exponent: write all its digits, such as 1500.00')
  })
})

it("a command blocks a user's trading with a reason", async () => {
  expect((await run('users', 'trade-status', 'Alice', 'off', '--reason', 'Papers missing')).exitCode).toBe(0)
  expect(await profile()).toMatchObject({ trade_status: 0, trade_reason: 'Papers missing' })
  expect((await run('users', 'show', 'alice')).lines.join('\n')).toContain('no: Papers missing')
  await run('users', 'trade-status', 'alice', 'on')
  expect(await profile()).toMatchObject({ trade_status: 1, trade_reason: '' })
  expect((await run('users', 'trade-status', 'nobody', 'off')).exitCode).toBe(1)
})

it('a command closes markets and symbols immediately', async () => {
  await run('markets', 'close', 'crypto', '--reason', 'Maintenance')
  await run('symbols', 'close', 'aapl', '--reason', 'Split today')
  const list = async () => (await app.call(calls.currencyList)).body.data
  expect(await list()).toMatchObject({
    market_status: { crypto: false },
    market_hours: { crypto: { reason: 'Maintenance' } },
  })
  expect((await list()).currencies.find(({ symbol }) => symbol === 'AAPL')).toMatchObject({
    closed_reason: 'Split today',
  })
  await run('markets', 'open', 'crypto')
  await run('symbols', 'open', 'AAPL')
  expect((await list()).market_status.crypto).toBe(true)
  expect((await list()).currencies.find(({ symbol }) => symbol === 'AAPL')?.closed_reason).toBeNull()
})

describe('the audit log', () => {
  it('records who did what, why, and the earlier value', async () => {
    await run('settings', 'set', 'site_name', '"Harbour"')
    await run('markets', 'close', 'us_fx', '--reason', 'Holiday')
    await run('deposits', 'show', 'FW-0000-0000-0000')
    await run('settings', 'list')
    expect(await actions()).toMatchObject([
      {
        who: 'operator',
        what: 'settings set',
        target: 'site_name',
        outcome: 'done',
        before: 'Fairwick',
        after: 'Harbour',
      },
      {
        what: 'markets close',
        target: 'us_fx',
        reason: 'Holiday',
        before: { closed: null },
        after: { closed: 'Holiday' },
      },
      { what: 'deposits show', target: 'FW-0000-0000-0000', outcome: 'refused' },
      { what: 'settings list', outcome: 'looked' },
    ])
    expect((await run('actions', 'list')).lines.join('\n')).toContain('"Fairwick" -> "Harbour"')
  })

  it('cannot be changed or shortened', async () => {
    await run('settings', 'list')
    const [update, remove] = [
      app.ctx.db.updateTable('admin_action').set({ who: 'someone' }),
      app.ctx.db.deleteFrom('admin_action'),
    ]
    await expect(update.execute()).rejects.toThrow(/permission denied/)
    await expect(remove.execute()).rejects.toThrow(/permission denied/)
    await database.asOwner(async (owner) => {
      await expect(owner.executeQuery(update.compile()), 'not even as the owner').rejects.toThrow(/only ever added/)
      await expect(owner.executeQuery(remove.compile())).rejects.toThrow(/only ever added/)
    })
  })

  it('passes the verification of its chain', async () => {
    await run('settings', 'list')
    const { exitCode, lines } = await run('actions', 'verify')
    expect(exitCode).toBe(0)
    const end = lines.join('\n').match(/\d+:[0-9a-f]{64}/)?.[0] ?? ''
    expect((await run('actions', 'verify', '--noted', end)).exitCode).toBe(0)
    expect((await run('actions', 'verify', '--noted', 'last week')).exitCode).toBe(2)

    const shorter = await run('actions', 'verify', '--noted', `900:${'0'.repeat(64)}`)
    expect([shorter.exitCode, shorter.lines.join('\n')]).toEqual([1, expect.stringContaining('cut off')])
    await database.asOwner(async (owner) => {
      await sql`alter table admin_action disable trigger user`.execute(owner)
      await owner.updateTable('admin_action').set({ who: 'someone' }).where('what', '=', 'settings list').execute()
      await sql`alter table admin_action enable trigger user`.execute(owner)
    })
    const broken = await run('actions', 'verify')
    expect([broken.exitCode, broken.lines.join('\n')]).toEqual([1, expect.stringContaining('Entry 1 ')])
  })
})
