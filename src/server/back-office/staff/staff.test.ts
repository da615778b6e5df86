import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { codeAt } from '#server/platform/credentials/totp.ts'
import { DEMO_STAFF } from '#server/seed/demo-staff.ts'
import { type StaffSession, staffSession } from '#test/support/staff-session.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let key: string
let door: StaffSession
beforeEach(async () => {
  app = await createTestApp(database)
  key = `fairwick_demo_key=${app.demoKey?.text ?? ''}`
  door = staffSession((sent) => app.http.inject(sent), 'nobody', key)
})
afterEach(() => app.stop())

const PASSWORD = 'a few plain words'
const codeOf = (reply: { readonly body: { readonly code?: string | undefined } }) => reply.body.code

async function invite(name: string, role: 'owner' | 'finance' | 'support' = 'support') {
  const owner = await app.staff('owner')
  const reply = await owner.call(staffCalls.staffInviteMember, { body: { name, role, mail: `${name}@example.com` } })
  expect(reply.body.data).toEqual({ pending: { id: expect.any(String) as string, applies_at: null } })
  await app.passChanges()
  return await mailedToken(`${name}@example.com`)
}

/** The token of the newest invitation that was mailed to an address. */
async function mailedToken(address: string): Promise<string> {
  const { text } = await database.db
    .selectFrom('outbox_message')
    .select('text')
    .where('sent_to', '=', address)
    .where('kind', '=', 'staff_invitation')
    .orderBy('sent_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return text.split('#')[1] ?? ''
}

/** Accepts an invitation with password and authenticator. Returns the code of the refusal, or the secret. */
async function accept(token: string, password = PASSWORD): Promise<{ refused?: string | undefined; secret: string }> {
  const { body } = await door.call(staffCalls.staffOpenInvitation, { body: { token } })
  if (body.code !== undefined) return { refused: body.code, secret: '' }
  const { secret } = body.data
  const code = codeAt(secret, app.ctx.now())
  const joined = await door.call(staffCalls.staffJoin, { body: { token, password, code } })
  app.ctx.clock.advance(30 * SECOND_MS)
  return { refused: joined.body.code, secret }
}

async function firstStep(name: string, password = PASSWORD) {
  return door.call(staffCalls.staffSignIn, { body: { name, password } })
}

/** Invites a staff member, joins and logs in as this member. Returns the secret of the authenticator. */
async function join(name: string, role?: 'owner' | 'finance' | 'support'): Promise<string> {
  const { secret } = await accept(await invite(name, role))
  const { body } = await firstStep(name)
  const code = codeAt(secret, app.ctx.now())
  const opened = await door.call(staffCalls.staffSignInCode, { body: { ticket: body.data.ticket, code } })
  expect(opened.status).toBe(200)
  return secret
}

/** Logs in as a demo staff member. Returns the cookies of the demo key and of the device that is known since. */
async function deviceOf(name: string): Promise<string> {
  const first = await door.call(staffCalls.staffSignIn, { body: { name, password: DEMO_STAFF.password } })
  const { ticket, demo_code: code } = first.body.data
  const opened = await door.call(staffCalls.staffSignInCode, { body: { ticket, code: code ?? '' } })
  app.ctx.clock.advance(30 * SECOND_MS)
  const [, device = ''] = opened.headers['set-cookie'] as readonly string[]
  return `${key}; ${device.split(';')[0]}`
}

describe('an invited staff member', () => {
  it('chooses a password, sets up a second step and is logged in', async () => {
    const secret = await join('vera')
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const again = await firstStep('VERA')
    expect(again.body.data.demo_code, 'only the demo is told codes').toBeNull()
  })

  it('can use the invitation once', async () => {
    const token = await invite('vera')
    expect((await accept(token)).refused).toBeUndefined()
    expect((await accept(token, 'another password')).refused).toBe('staff_ticket_over')
  })

  it('must join within three days', async () => {
    const token = await invite('vera')
    app.ctx.clock.advance(3 * 24 * 60 * MINUTE_MS)
    expect((await accept(token)).refused).toBe('staff_ticket_over')
  })

  it('cannot be invited with a name that is taken, even in other case', async () => {
    const owner = await app.staff('owner')
    const reply = await owner.call(staffCalls.staffInviteMember, {
      body: { name: 'FINANCE', role: 'owner', mail: 'f@example.com' },
    })
    expect(codeOf(reply)).toBe('staff_name_taken')
  })
})

describe('logging in', () => {
  it('gets the same reply for an unknown name, a wrong password and an invited member who has not joined', async () => {
    await invite('vera')
    const replies = [await firstStep('nobody'), await firstStep('owner', 'wrong'), await firstStep('vera')]
    expect(replies.map(({ status, body }) => [status, body])).toEqual(
      replies.map(() => [422, { code: 'credentials_wrong', message: expect.any(String) as string }]),
    )
  })

  it('accepts each code once', async () => {
    const secret = await join('vera')
    const code = codeAt(secret, app.ctx.now())
    const { body } = await firstStep('vera')
    const used = await door.call(staffCalls.staffSignInCode, { body: { ticket: body.data.ticket, code } })
    expect(codeOf(used), 'it opened the first session').toBe('staff_code_wrong')
    app.ctx.clock.advance(30 * SECOND_MS)
    const next = codeAt(secret, app.ctx.now())
    const opened = await door.call(staffCalls.staffSignInCode, { body: { ticket: body.data.ticket, code: next } })
    expect(opened.status).toBe(200)
  })

  it('opens one session for twenty concurrent uses of one code', async () => {
    const secret = await join('vera')
    app.ctx.clock.advance(30 * SECOND_MS)
    const { ticket } = (await firstStep('vera')).body.data
    const code = codeAt(secret, app.ctx.now())
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => door.call(staffCalls.staffSignInCode, { body: { ticket, code } })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('a staff log-in is locked after five wrong codes, even when twenty are sent at the same time', async () => {
    const secret = await join('vera')
    app.ctx.clock.advance(30 * SECOND_MS)
    const { ticket } = (await firstStep('vera')).body.data
    const wrong = await Promise.all(
      Array.from({ length: 20 }, () => door.call(staffCalls.staffSignInCode, { body: { ticket, code: '000000' } })),
    )
    expect(wrong.filter((reply) => codeOf(reply) === 'staff_code_wrong')).toHaveLength(5)
    const right = { ticket, code: codeAt(secret, app.ctx.now()) }
    expect(codeOf(await door.call(staffCalls.staffSignInCode, { body: right }))).toBe('too_many_attempts')
  })

  it('a staff log-in is refused for a name after ten wrong passwords, even with the right password', async () => {
    for (let tries = 0; tries < 10; tries += 1) await firstStep('finance', 'wrong')
    expect(codeOf(await firstStep('finance', DEMO_STAFF.password))).toBe('too_many_attempts')
  })

  it('AT45: allows the demo accounts, whose password is public, only on this machine', async () => {
    const sent = {
      method: 'POST',
      url: '/api/admin/sign-in',
      payload: { name: 'owner', password: DEMO_STAFF.password },
    } as const
    const elsewhere = [
      { headers: { cookie: key }, remoteAddress: '203.0.113.7' },
      { headers: { cookie: key, 'x-forwarded-for': '127.0.0.1' } },
      { headers: { cookie: key, host: 'example.com' } },
    ]
    for (const from of elsewhere) {
      const reply = await app.inject({ ...sent, ...from })
      expect(reply.body.code).toBe('demo_staff_local_only')
    }
  })

  it('A7: still works on a known device after failures on other devices used up their limits', async () => {
    const cookie = await deviceOf('finance')
    const known = staffSession((sent) => app.http.inject(sent), 'finance', cookie)
    for (let tries = 0; tries < 10; tries += 1) await firstStep('finance', 'wrong')
    const body = { name: 'finance', password: DEMO_STAFF.password }
    expect(codeOf(await firstStep('finance', DEMO_STAFF.password))).toBe('too_many_attempts')
    const first = await known.call(staffCalls.staffSignIn, { body })
    expect(first.status).toBe(200)
    app.ctx.clock.advance(30 * SECOND_MS)
    const again = await known.call(staffCalls.staffSignIn, { body })
    const { ticket, demo_code: code } = again.body.data
    for (let tries = 0; tries < 5; tries += 1)
      await door.call(staffCalls.staffSignInCode, { body: { ticket, code: '000000' } })
    const right = { ticket, code: code ?? '' }
    expect(codeOf(await door.call(staffCalls.staffSignInCode, { body: right }))).toBe('too_many_attempts')
    expect((await known.call(staffCalls.staffSignInCode, { body: right })).status).toBe(200)
  })

  it('A7: a device of one staff member does not count as known for another staff member', async () => {
    const cookie = await deviceOf('support')
    for (let tries = 0; tries < 10; tries += 1) await firstStep('finance', 'wrong')
    const other = staffSession((sent) => app.http.inject(sent), 'support', cookie)
    const body = { name: 'finance', password: DEMO_STAFF.password }
    expect(codeOf(await other.call(staffCalls.staffSignIn, { body }))).toBe('too_many_attempts')
  })

  it('A7: writes no audit entry for an unknown name', async () => {
    const lines = async () => (await app.ctx.db.selectFrom('admin_action').selectAll().execute()).length
    const before = await lines()
    for (let tries = 0; tries < 20; tries += 1) await firstStep(`text of a stranger ${tries}`, 'wrong')
    expect(await lines()).toBe(before)
    expect(JSON.stringify(app.ctx.lines)).not.toContain('text of a stranger')
    const logLines = app.ctx.lines.filter((line) => JSON.stringify(line).includes('unknown names'))
    expect(logLines).toHaveLength(1)
    await firstStep('finance', 'wrong')
    expect(await lines()).toBe(before + 1)
  })

  it('A13: refuses the demo accounts without the demo key of this server start', async () => {
    for (const cookie of ['', 'fairwick_demo_key=', 'fairwick_demo_key=AAAAAAAAAAAAAAAAAAAAAA']) {
      const { status, body } = await app.inject({
        method: 'POST',
        url: '/api/admin/sign-in',
        headers: { cookie },
        payload: { name: 'owner', password: DEMO_STAFF.password },
      })
      expect([status, body.code], cookie).toEqual([422, 'demo_staff_local_only'])
    }
    expect((await firstStep('owner', DEMO_STAFF.password)).status).toBe(200)
  })

  it('sets a cookie that scripts and other sites cannot read', async () => {
    const first = await door.call(staffCalls.staffSignIn, { body: { name: 'owner', password: DEMO_STAFF.password } })
    const { ticket, demo_code: code } = first.body.data
    const opened = await door.call(staffCalls.staffSignInCode, { body: { ticket, code: code ?? '' } })
    const shape = String.raw`=[\w-]{43}; .*Path=/api/admin; HttpOnly; SameSite=Strict$`
    expect(opened.headers['set-cookie']).toEqual([
      expect.stringMatching(new RegExp(`^fairwick_staff${shape}`)),
      expect.stringMatching(new RegExp(`^fairwick_staff_device${shape}`)),
    ])
  })
})

describe('a staff session', () => {
  it('ends after an hour without a call, and after twelve hours even with calls', async () => {
    const support = await app.staff('support')
    const isIn = async () => (await support.call(staffCalls.staffMe)).body.data !== null
    app.ctx.clock.advance(59 * MINUTE_MS)
    expect(await isIn()).toBe(true)
    app.ctx.clock.advance(60 * MINUTE_MS)
    expect(await isIn()).toBe(false)
    const other = await app.staff('finance')
    for (let minutes = 0; minutes < 12 * 60; minutes += 30) {
      expect((await other.call(staffCalls.staffMe)).body.data?.name).toBe('finance')
      app.ctx.clock.advance(30 * MINUTE_MS)
    }
    expect((await other.call(staffCalls.staffMe)).body.data).toBeNull()
  })

  it('a staff session is listed only for its staff member and for owners, and an owner can end it, but another member cannot', async () => {
    const [support, finance, owner] = [await app.staff('support'), await app.staff('finance'), await app.staff('owner')]
    const own = (await support.call(staffCalls.staffSessions)).body.data.sessions
    expect(own.map(({ name, is_this: isThis }) => [name, isThis])).toEqual([['support', true]])
    const id = own[0]?.id ?? ''
    expect(codeOf(await finance.call(staffCalls.staffEndSession, { params: { id } }))).toBe('not_found')
    expect((await owner.call(staffCalls.staffEndSession, { params: { id } })).status).toBe(200)
    expect(codeOf(await support.call(staffCalls.staffSessions))).toBe('staff_sign_in_needed')
    expect((await owner.call(staffCalls.staffSessions)).body.data.sessions.map(({ name }) => name).toSorted()).toEqual([
      'finance',
      'owner',
    ])
  })

  it('ends on log-out', async () => {
    const support = await app.staff('support')
    await support.call(staffCalls.staffSignOut)
    expect(codeOf(await support.call(staffCalls.staffSessions))).toBe('staff_sign_in_needed')
  })

  it('refuses calls from a page of another site', async () => {
    const { cookie } = await app.staff('owner')
    const reply = await app.inject({
      method: 'POST',
      url: '/api/admin/sign-out',
      headers: { cookie, origin: 'https://evil.example' },
      payload: {},
    })
    expect(reply.body.code).toBe('foreign_origin')
  })
})

describe('changing a staff member', () => {
  async function find(owner: StaffSession, name: string) {
    const { rows } = (await owner.call(staffCalls.staffMembers)).body.data
    const person = rows.find((row) => row.name === name)
    if (!person) throw new Error(`${name} must exist`)
    return person
  }

  it('applies a new role to open sessions immediately', async () => {
    const [owner, support] = [await app.staff('owner'), await app.staff('support')]
    expect((await support.call(staffCalls.staffDeposits)).status).toBe(200)
    const { id, version } = await find(owner, 'support')
    const change = { version, role: 'content', is_blocked: false, reason: 'moves to the editors' } as const
    expect((await owner.call(staffCalls.staffChangeMember, { params: { id }, body: change })).body.data.version).toBe(2)
    expect(codeOf(await support.call(staffCalls.staffDeposits))).toBe('not_allowed')
  })

  it('ends open sessions at once on a block, and refuses log-ins', async () => {
    const [owner, support] = [await app.staff('owner'), await app.staff('support')]
    const { id, version } = await find(owner, 'support')
    const change = { version, role: 'support', is_blocked: true, reason: 'left the company' } as const
    await owner.call(staffCalls.staffChangeMember, { params: { id }, body: change })
    expect(codeOf(await support.call(staffCalls.staffDeposits))).toBe('staff_sign_in_needed')
    expect(codeOf(await firstStep('support', DEMO_STAFF.password))).toBe('credentials_wrong')
  })

  it('refuses an outdated edit, lists the changes made since, and saves nothing', async () => {
    const owner = await app.staff('owner')
    const { id, version } = await find(owner, 'support')
    const change = { version, role: 'content', is_blocked: false, reason: 'moves' } as const
    await owner.call(staffCalls.staffChangeMember, { params: { id }, body: change })
    const late = { ...change, role: 'finance' } as const
    const refused = await owner.call(staffCalls.staffChangeMember, { params: { id }, body: late })
    expect([refused.status, codeOf(refused)]).toEqual([409, 'changed_meanwhile'])
    expect(refused.body.message).toContain('You changed this yourself since you opened it here (Role).')
    expect((await find(owner, 'support')).role).toBe('content')
  })

  describe('two owners', () => {
    let sessions: readonly [StaffSession, StaffSession]
    let members: readonly [Member, Member]
    type Member = Awaited<ReturnType<typeof find>>
    beforeEach(async () => {
      sessions = [await app.staff('owner'), await app.staff('finance')]
      members = [await find(sessions[0], 'owner'), await find(sessions[0], 'finance')]
      await database.db.updateTable('staff').set({ role: 'owner' }).where('id', '=', members[1].id).execute()
    })
    const change = (by: StaffSession, { id, version }: Member, edit: typeof BLOCK | typeof DEMOTE | typeof LESS) =>
      by.call(staffCalls.staffChangeMember, { params: { id }, body: { version, ...edit, reason: 'a quarrel' } })
    const BLOCK = { role: 'owner', is_blocked: true } as const
    const DEMOTE = { role: 'support', is_blocked: false } as const
    const LESS = { role: 'finance', is_blocked: false } as const
    const ownersLeft = async () =>
      database.db
        .selectFrom('staff')
        .select('name')
        .where('role', '=', 'owner')
        .where('is_blocked', '=', false)
        .execute()

    it.each([
      ['block each other', BLOCK, BLOCK],
      ['demote each other', DEMOTE, DEMOTE],
      ['block and demote each other', BLOCK, DEMOTE],
      ['demote and block each other', DEMOTE, BLOCK],
    ])('%s at the same time: only the first one succeeds, so one owner remains', async (_, one, other) => {
      const replies = await Promise.all([change(sessions[0], members[1], one), change(sessions[1], members[0], other)])
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await ownersLeft()).toHaveLength(1)
    })

    it('a waiting demotion of the last owner fails', async () => {
      const id = (await change(sessions[0], members[1], LESS)).body.data.pending?.id ?? ''
      const finance2 = await app.staff('finance2')
      const [asked] = (await finance2.call(staffCalls.staffChanges, { query: { state: 'open' } })).body.data.rows
      const body = { content_hash: asked?.content_hash ?? '' }
      expect((await finance2.call(staffCalls.staffSecondChange, { params: { id }, body })).status).toBe(200)
      expect((await change(sessions[1], members[0], BLOCK)).status).toBe(200)
      await app.passChanges()
      expect(await ownersLeft()).toEqual([{ name: 'finance' }])
    })
  })

  it('needs a reason, and no staff member can change their own account', async () => {
    const owner = await app.staff('owner')
    const support = await find(owner, 'support')
    const change = { version: 1, role: 'content', is_blocked: false } as const
    const silent = await owner.call(staffCalls.staffChangeMember, {
      params: { id: support.id },
      body: { ...change, reason: ' ' },
    })
    expect(codeOf(silent)).toBe('reason_needed')
    const self = await find(owner, 'owner')
    const own = await owner.call(staffCalls.staffChangeMember, {
      params: { id: self.id },
      body: { ...change, reason: 'why not' },
    })
    expect(codeOf(own)).toBe('not_yourself')
  })

  it('replaces lost credentials with a new invitation, and invalidates the old ones', async () => {
    const secret = await join('vera')
    const owner = await app.staff('owner')
    const { id, version } = await find(owner, 'vera')
    await owner.call(staffCalls.staffReinviteMember, {
      params: { id },
      body: { version, reason: 'lost phone', mail: '' },
    })
    expect((await firstStep('vera')).status, 'nothing changes before it is in force').toBe(200)
    await app.passChanges()
    expect(codeOf(await firstStep('vera'))).toBe('credentials_wrong')
    const again = await accept(await mailedToken('vera@example.com'))
    expect(again.refused).toBeUndefined()
    expect(again.secret).not.toBe(secret)
    expect((await firstStep('vera')).status).toBe(200)
  })
})

it('the command line creates an owner only while no owner can log in', async () => {
  const parts = { ctx: app.ctx, settings: app.settings, catalogue: app.catalogue, dataDir: '/nowhere' }
  const refused = await runCommand(parts, ['create-owner', 'ada'], 'root')
  expect([refused.exitCode, refused.lines.join(' ')]).toEqual([1, expect.stringContaining('An owner can log in')])
  await database.db.updateTable('staff').set({ is_blocked: true }).where('role', '=', 'owner').execute()
  const printed = await runCommand(parts, ['create-owner', 'ada'], 'root')
  expect(printed.exitCode).toBe(0)
  const token = printed.lines.at(-1)?.split('#')[1] ?? ''
  const { secret } = await accept(token)
  const { body } = await firstStep('ada')
  const code = codeAt(secret, app.ctx.now())
  const opened = await door.call(staffCalls.staffSignInCode, { body: { ticket: body.data.ticket, code } })
  expect(opened.body.data.role).toBe('owner')
})

describe('two links of the command create-owner', () => {
  async function links(): Promise<readonly [string, string]> {
    await database.db.updateTable('staff').set({ is_blocked: true }).where('role', '=', 'owner').execute()
    const parts = { ctx: app.ctx, settings: app.settings, catalogue: app.catalogue, dataDir: '/nowhere' }
    const [one, other] = [
      await runCommand(parts, ['create-owner', 'adda'], 'root'),
      await runCommand(parts, ['create-owner', 'ada'], 'root'),
    ]
    const tokenOf = ({ lines }: typeof one) => lines.at(-1)?.split('#')[1] ?? ''
    return [tokenOf(one), tokenOf(other)]
  }
  const open = (token: string) => door.call(staffCalls.staffOpenInvitation, { body: { token } })
  const joinWith = (token: string, secret: string) =>
    door.call(staffCalls.staffJoin, { body: { token, password: PASSWORD, code: codeAt(secret, app.ctx.now()) } })

  it('A67: the other link stops working when an owner has joined with one', async () => {
    const [typo, right] = await links()
    const { secret } = (await open(typo)).body.data
    expect((await accept(right)).refused).toBeUndefined()
    expect(codeOf(await open(typo))).toBe('staff_ticket_over')
    expect(codeOf(await joinWith(typo, secret))).toBe('staff_ticket_over')
    await database.db.updateTable('staff').set({ is_blocked: true }).where('name', '=', 'ada').execute()
    expect((await accept(typo)).refused, 'no owner can log in again').toBeUndefined()
  })

  it('A67: of two joins at the same time only one succeeds', async () => {
    const tokens = await links()
    const secrets = await Promise.all(tokens.map(async (token) => (await open(token)).body.data.secret))
    const joined = await Promise.all(tokens.map((token, at) => joinWith(token, secrets[at] ?? '')))
    expect(joined.map((reply) => codeOf(reply) ?? 'joined').toSorted()).toEqual(['joined', 'staff_ticket_over'])
  })

  it('A67: an owner whom another owner invited still joins', async () => {
    const token = await invite('olga', 'owner')
    expect((await accept(token)).refused).toBeUndefined()
  })
})
