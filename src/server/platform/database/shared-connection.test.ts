import { Client, Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ConnectionSource, sharedConnection } from '#server/platform/database/shared-connection.ts'

const url = process.env['TEST_DATABASE_URL']

describe.runIf(url)('one connection shared by all callers', () => {
  let one: Pool
  let others: Pool
  let shared: ConnectionSource
  beforeEach(() => {
    one = new Pool({ connectionString: url, max: 1, pipeline: true })
    others = new Pool({ connectionString: url, max: 4 })
    for (const pool of [one, others]) {
      pool.on('error', () => {})
      pool.on('connect', (client) => client.on('error', () => {}))
    }
    shared = sharedConnection(one, { maxPending: 3, overflow: others })
  })
  afterEach(async () => {
    await one.end()
    await others.end()
  })

  /** Executes a statement over the shared connection. Returns the id of the database process that executed it. */
  async function ask(statement = 'select pg_backend_pid() as pid', values: unknown[] = []): Promise<number> {
    const client = await shared.connect()
    try {
      const { rows } = await client.query<{ pid: number }>(statement, values)
      return rows[0]?.pid ?? 0
    } finally {
      client.release()
    }
  }
  const slow = (seconds: number) => ask('select pg_backend_pid() as pid, pg_sleep($1)', [seconds])

  it('executes concurrent statements one after another, on the same connection', async () => {
    const answered: string[] = []
    const first = slow(0.2).then((pid) => (answered.push('first'), pid))
    const second = ask().then((pid) => (answered.push('second'), pid))
    const pids = await Promise.all([first, second])
    expect(answered).toEqual(['first', 'second'])
    expect(pids[0]).toBe(pids[1])
    expect(await ask()).toBe(pids[0])
    expect(one.totalCount).toBe(1)
  })

  it('lets one statement fail without affecting the others', async () => {
    const ends = await Promise.allSettled([ask(), ask('select 1 / 0'), ask()])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('uses a connection of another pool when too many statements wait for a slow one', async () => {
    const waiting = [slow(0.2), ask(), ask()]
    const further = await ask()
    expect(others.totalCount).toBe(1)
    const pids = new Set(await Promise.all(waiting))
    expect(pids.size).toBe(1)
    expect(pids.has(further)).toBe(false)
    expect(pids.has(await ask())).toBe(true)
  })

  it('returns the same object for the same connection, with its settings', async () => {
    const client = await shared.connect()
    await client.query("set application_name = 'kept'")
    client.release()
    const again = await shared.connect()
    expect(again).toBe(client)
    const { rows } = await again.query('show application_name')
    expect(rows).toEqual([{ application_name: 'kept' }])
    expect(again.getTransactionStatus()).toBe('I')
    again.release()
  })

  it('fails pending statements when it breaks, and continues with a new connection', async () => {
    const pid = await ask()
    const underWay = Promise.allSettled([slow(30), ask()])
    const admin = new Client({ connectionString: url })
    await admin.connect()
    await admin.query('select pg_terminate_backend($1)', [pid])
    await admin.end()
    expect((await underWay).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    // Sends statements continuously, because the driver notices the broken connection only after the first statement
    // has failed.
    let next: number | null = null
    while (next === null) [next] = await Promise.all([ask().catch(() => null), ask().catch(() => null)])
    expect(next).not.toBe(pid)
    expect(others.totalCount).toBe(0)
  })

  it('opens a connection for the next statement after an attempt failed', async () => {
    const admin = new Client({ connectionString: url })
    await admin.connect()
    const login = `fw_late_${process.pid}`
    const address = new URL(url ?? '')
    address.username = login
    const late = new Pool({ connectionString: address.href, max: 1, pipeline: true })
    try {
      shared = sharedConnection(late)
      const ends = await Promise.allSettled([ask(), ask()])
      expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      await admin.query(`create role ${login} login`)
      expect(await ask()).toBeGreaterThan(0)
    } finally {
      await late.end()
      await admin.query(`drop role if exists ${login}`)
      await admin.end()
    }
  })
})
