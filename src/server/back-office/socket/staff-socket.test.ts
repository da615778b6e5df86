import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { STAFF_SOCKET_PATH } from '#contract/live/staff-socket.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import { STAFF_IDLE_MS } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'
import { TestSocket } from '#test/support/socket-harness.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
let port = 0
beforeEach(async () => {
  app = await createTestApp(database)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  port = (app.http.server.address() as AddressInfo).port
})
afterEach(() => app.stop())

/** Opens a socket. Returns it, or the status of the refusal. */
async function knock(headers: Record<string, string>): Promise<TestSocket | number> {
  const ws = new WebSocket(`ws://127.0.0.1:${port}${STAFF_SOCKET_PATH}`, { headers })
  const socket = new TestSocket(ws)
  return new Promise((resolve, reject) => {
    ws.once('open', () => resolve(socket))
    ws.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    ws.once('error', reject)
  })
}

async function listen(name: string): Promise<TestSocket> {
  const { cookie } = await app.staff(name)
  const socket = await knock({ cookie })
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
  await vi.waitFor(() => expect(socket.typed('alive')).toHaveLength(1))
  return socket
}

const areas = (socket: TestSocket) => socket.typed('changed').map((message) => 'area' in message && message.area)
/** Waits until all messages sent so far have arrived. */
async function settled(socket: TestSocket): Promise<void> {
  await new Promise((resolve) => {
    socket.ws.once('pong', resolve)
    socket.ws.ping()
  })
}

describe('opening a socket', () => {
  it('needs a staff session and a page of this site', async () => {
    const { cookie } = await app.staff('finance')
    const { token } = await app.verifiedUser()
    expect(await knock({})).toBe(401)
    expect(await knock({ cookie: 'fairwick_staff=nonsense' })).toBe(401)
    expect(await knock({ cookie: `fairwick_staff=${token}` })).toBe(401)
    expect(await knock({ cookie, origin: 'https://elsewhere.example' })).toBe(403)
    expect(await knock({ cookie: `other=1; ${cookie}`, origin: `http://127.0.0.1:${port}` })).toBeInstanceOf(TestSocket)
  })

  it('refuses an expired session', async () => {
    const { cookie } = await app.staff('finance')
    app.ctx.clock.jump(STAFF_IDLE_MS)
    expect(await knock({ cookie })).toBe(401)
  })
})

describe('messages', () => {
  it('name changed areas to roles that may read these areas', async () => {
    const finance = await listen('finance')
    const content = await listen('content')
    app.ctx.publish({ kind: 'deposit-asked', userId: app.ctx.newId(), trx: 'FW-1' })
    await settled(finance)
    await settled(content)
    expect(areas(finance)).toContain('deposits')
    expect(areas(content)).not.toContain('deposits')
    for (const frame of finance.frames) expect(frame).toMatch(/^{"type":"(alive"|changed","area":"[\w-]+")}$/)
  })

  it('arrive at most twice a second per area, and always include the last change', async () => {
    const socket = await listen('finance')
    const deposits = () => areas(socket).filter((area) => area === 'deposits').length
    const ask = () => app.ctx.publish({ kind: 'deposit-asked', userId: app.ctx.newId(), trx: 'FW-1' })
    for (let times = 0; times < 99; times += 1) {
      ask()
      app.ctx.clock.advance(10)
    }
    await settled(socket)
    expect(deposits()).toBe(2)
    app.ctx.clock.advance(500)
    await settled(socket)
    expect(deposits()).toBe(3)
    app.ctx.clock.advance(10_000)
    await settled(socket)
    expect(deposits()).toBe(3)
  })

  it("messages are sent after a user's actions, such as a new account, and the socket stays open", async () => {
    const socket = await listen('owner')
    await app.verifiedUser()
    await vi.waitFor(() => expect(app.ctx.announced.map(({ kind }) => kind)).toContain('account-changed'))
    const seen = app.ctx.announced.filter(({ kind }) => kind === 'account-changed')
    expect(seen.length).toBe(2)
    await settled(socket)
    expect(socket.closed).toBeNull()
  })

  it("inform the other staff members about a staff member's change", async () => {
    const owner = await listen('owner')
    const session = await app.staff('owner')
    await session.call(staffCalls.staffInviteMember, {
      body: { name: 'ada', role: 'support', mail: 'ada@example.com' },
    })
    await settled(owner)
    expect(areas(owner)).toContain('staff')
  })
})

describe('the end of a socket', () => {
  const codeOf = async (socket: TestSocket) => {
    await vi.waitFor(() => expect(socket.closed).not.toBeNull())
    return socket.closed?.code
  }
  const person = async (name: string) => {
    const owner = await app.staff('owner')
    const { body } = await owner.call(staffCalls.staffMembers)
    const found = body.data.rows.find((row) => row.name === name)
    if (!found) throw new Error(`nobody is called ${name}`)
    return { owner, params: { id: found.id }, version: found.version }
  }

  it('a socket ends when its own session ends, and not when another session ends', async () => {
    const session = await app.staff('finance')
    const mine = await knock({ cookie: session.cookie })
    const other = await listen('finance')
    await session.call(staffCalls.staffSignOut)
    expect(await codeOf(mine as TestSocket)).toBe(1008)
    await settled(other)
    expect(other.closed).toBeNull()
  })

  it('a socket ends when its staff member is blocked or gets another role', async () => {
    const finance = await listen('finance')
    const support = await listen('support')
    const one = await person('finance')
    await one.owner.call(staffCalls.staffChangeMember, {
      params: one.params,
      body: { version: one.version, role: 'finance', is_blocked: true, reason: 'left' },
    })
    expect(await codeOf(finance)).toBe(1008)
    const two = await person('support')
    await two.owner.call(staffCalls.staffChangeMember, {
      params: two.params,
      body: { version: two.version, role: 'content', is_blocked: false, reason: 'another desk' },
    })
    expect(await codeOf(support)).toBe(1008)
  })

  it('a socket ends within half a minute after another server ended the session', async () => {
    const socket = await listen('finance')
    await database.db.deleteFrom('staff_session').execute()
    app.ctx.clock.advance(30_000)
    expect(await codeOf(socket)).toBe(1008)
  })

  it('a socket ends after an hour without user activity, even while the page sends automatic requests', async () => {
    const session = await app.staff('finance')
    const socket = (await knock({ cookie: session.cookie })) as TestSocket
    const almostOver = app.ctx.now() - STAFF_IDLE_MS + SECOND_MS
    await database.db.updateTable('staff_session').set({ seen_ms: almostOver }).execute()
    const headers = { cookie: session.cookie, 'x-unattended': '1' }
    const reply = await app.inject({ method: 'GET', url: '/api/admin/deposits', headers })
    expect(reply.status).toBe(200)
    app.ctx.clock.advance(30_000)
    expect(await codeOf(socket)).toBe(1008)
  })

  it('uses code 1012 when the server stops, so that the page reconnects', async () => {
    const socket = await listen('finance')
    await app.stop()
    await vi.waitFor(() => expect(socket.closed?.code).toBe(1012))
    app = await createTestApp(database)
  })
})
