import { type Kysely, Kysely as Database, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { SECOND_MS } from '#core/time/instant.ts'
import type { DatabaseHealth, DatabaseWay, WriteTrouble } from '#server/platform/database/database-health.ts'
import type { Tables } from '#server/platform/database/tables.ts'
import { FaultRegistry, FAULTS } from '#server/platform/faults/fault-registry.ts'
import { type DatabaseWatch, watchDatabase } from '#server/platform/faults/watch-database.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

/** A simulated database whose state the test sets. */
class Patient {
  readonly clock = new FakeClock(1_000_000)
  readonly lines: { level: string; message: string }[] = []
  readonly log = {
    debug: () => {},
    info: () => {},
    warn: (_facts: object, message: string) => void this.lines.push({ level: 'warn', message }),
    error: (_facts: object, message: string) => void this.lines.push({ level: 'error', message }),
  }
  readonly faults = new FaultRegistry({ log: this.log, now: () => this.clock.now() })
  /** The behaviour of the probe write. */
  write: 'works' | 'hangs' | { readonly code: string } = 'works'
  trouble: WriteTrouble | null = null
  readonly silent = new Set<DatabaseWay['name']>()
  readonly lastReplies = new Map<DatabaseWay['name'], number>()
  renewed = 0
  givenUp = 0
  dead = 0
  readonly watch: DatabaseWatch

  constructor() {
    const ways = (['orders', 'leases', 'calls'] as const).map(
      (name): DatabaseWay => ({
        name,
        db: this.#answering(name),
        lastReplyAt: () => this.lastReplies.get(name) ?? 0,
      }),
    )
    const health: DatabaseHealth = {
      ways,
      writeTrouble: () => this.trouble,
      renew: () => {
        this.renewed += 1
      },
      giveUp: () => {
        this.givenUp += 1
      },
    }
    this.watch = watchDatabase({
      ctx: this,
      faults: this.faults,
      health,
      write: () => this.#write(),
      onDead: () => {
        this.dead += 1
      },
    })
  }

  async #write(): Promise<void> {
    const { write } = this
    if (write === 'hangs') return await new Promise(() => {})
    if (write !== 'works') throw Object.assign(new Error('the statement failed'), write)
  }

  /** Records the query time, and never replies while the connection is silent. */
  #answering(name: DatabaseWay['name']): Kysely<Tables> {
    return new Database<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createDriver: () => ({
          init: async () => {},
          acquireConnection: async () => ({
            executeQuery: async () => {
              if (this.silent.has(name)) return await new Promise(() => {})
              this.lastReplies.set(name, this.clock.steady())
              return { rows: [] }
            },
            streamQuery: () => {
              throw new Error('not asked for')
            },
          }),
          beginTransaction: async () => {},
          commitTransaction: async () => {},
          rollbackTransaction: async () => {},
          releaseConnection: async () => {},
          destroy: async () => {},
        }),
      },
    })
  }

  /** Advances time, and waits for its effects. */
  async pass(seconds: number): Promise<void> {
    for (let quarter = 0; quarter < 4 * seconds; quarter += 1) {
      this.clock.advance(SECOND_MS / 4)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  get errors(): string[] {
    return this.lines.flatMap(({ level, message }) => (level === 'error' ? [message] : []))
  }
}

let patient: Patient
beforeEach(async () => {
  patient = new Patient()
  await patient.pass(5)
})

it('logs nothing about a healthy database', async () => {
  await patient.pass(60)
  expect(patient.lines).toEqual([])
})

describe('A1: a database that does not answer', () => {
  it('A1: is logged once within 4 s, with what to do, and does not end the process', async () => {
    patient.write = 'hangs'
    for (const way of ['orders', 'leases', 'calls'] as const) patient.silent.add(way)
    await patient.pass(4)
    expect(patient.faults.stopping).toBe('database_silent')
    await patient.pass(60)
    expect(patient.errors).toEqual([FAULTS.database_silent.begins])
    expect(patient.watch.silentMs()).toBeGreaterThan(60 * SECOND_MS)
    // When the whole database is away, a new process would not help.
    expect(patient.dead).toBe(0)
  })

  it('A1: is logged within 2 s when connections are refused, and again when it answers', async () => {
    patient.write = { code: 'ECONNREFUSED' }
    await patient.pass(2)
    expect(patient.faults.stopping).toBe('database_silent')
    patient.write = 'works'
    await patient.pass(2)
    expect(patient.faults.stopping).toBeNull()
    expect(patient.lines.map(({ message }) => message)).toEqual([
      FAULTS.database_silent.begins,
      FAULTS.database_silent.ends,
    ])
  })

  it('A1: ends the process when order connections stay dead although other connections work', async () => {
    patient.silent.add('orders')
    await patient.pass(8)
    expect(patient.faults.stopping).toBe('database_silent')
    expect(patient.dead).toBe(0)
    await patient.pass(20)
    expect(patient.dead).toBe(1)
    expect(patient.errors.at(-1)).toContain('this process ends with 1')
    await patient.pass(20)
    expect(patient.dead).toBe(1)
  })

  it('A1: keeps the process running when the process itself was suspended', async () => {
    patient.clock.jump(30 * SECOND_MS)
    expect(patient.dead).toBe(0)
    await patient.pass(5)
    expect(patient.dead).toBe(0)
    expect(patient.lines).toEqual([])
  })

  it('A1: keeps the process running when only connections used by users are silent', async () => {
    patient.silent.add('calls')
    await patient.pass(120)
    expect(patient.dead).toBe(0)
    expect(patient.faults.stopping).toBeNull()
  })

  it('A1: gives order connections their full time again after the whole database was away', async () => {
    patient.write = { code: 'ECONNREFUSED' }
    patient.silent.add('orders')
    await patient.pass(60)
    patient.write = 'works'
    await patient.pass(15)
    expect(patient.dead).toBe(0)
    await patient.pass(10)
    expect(patient.dead).toBe(1)
  })

  it('A1: is not waited for by a stopping server as soon as it is out of reach', async () => {
    patient.watch.stopping()
    expect(patient.watch.hasGivenUp).toBe(false)
    patient.write = { code: 'ECONNREFUSED' }
    await patient.pass(2)
    expect(patient.watch.hasGivenUp).toBe(true)
    expect(patient.givenUp).toBe(1)
  })
})

describe('A1: a database that refuses the server', () => {
  it.each(['53300', '28P01', '3D000'])(
    'A1: is logged as refusing after the error %s, and not as silent',
    async (code) => {
      patient.write = { code }
      await patient.pass(30)
      expect(patient.faults.stopping).toBe('database_refuses')
      expect(patient.errors).toEqual([FAULTS.database_refuses.begins])
      patient.write = 'works'
      await patient.pass(2)
      expect(patient.faults.stopping).toBeNull()
    },
  )

  it('A1: is logged without stopping trade when only further connections are refused', async () => {
    patient.trouble = 'refused'
    await patient.pass(5)
    expect(patient.faults.stopping).toBeNull()
    expect(patient.errors).toEqual([FAULTS.database_crowded.begins])
  })

  it('A1: is logged as silent when it vanishes afterwards', async () => {
    patient.trouble = 'refused'
    patient.write = { code: 'ECONNREFUSED' }
    await patient.pass(2)
    expect(patient.faults.stopping).toBe('database_silent')
  })
})

describe('A15: a database that cannot write', () => {
  it.each([
    ['53100', 'database_full'],
    ['25006', 'database_read_only'],
    ['58030', 'database_broken'],
    ['EMFILE', 'files_used_up'],
  ] as const)('A15: is logged once: error %s as %s', async (code, fault) => {
    patient.write = { code }
    await patient.pass(1)
    expect(patient.faults.stopping).toBe(fault)
    await patient.pass(30)
    expect(patient.errors).toEqual([FAULTS[fault].begins])
    patient.write = 'works'
    await patient.pass(2)
    expect(patient.faults.stopping).toBeNull()
  })

  it('A15: is logged when other statements fail, even if the probe write works', async () => {
    patient.trouble = 'full'
    await patient.pass(1)
    expect(patient.faults.stopping).toBe('database_full')
    patient.trouble = null
    await patient.pass(1)
    expect(patient.faults.stopping).toBeNull()
  })

  it('A15: gets new connections once when it is read-only, as they may lead to a replica', async () => {
    patient.write = { code: '25006' }
    await patient.pass(10)
    expect(patient.renewed).toBe(1)
  })
})

it('the watch checks nothing after it was stopped', async () => {
  await patient.watch.stop()
  patient.write = { code: '53100' }
  await patient.pass(5)
  expect(patient.faults.stopping).toBeNull()
  expect(patient.clock.pendingTimers).toBe(0)
})
