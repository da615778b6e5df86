import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNodesDrill } from './run-drill.ts'
import { createEmptyPostgresDatabase } from '#test/support/postgres-test-database.ts'

const postgres = process.env['TEST_DATABASE_URL']
/**
 * 6.5 s: a server is suspended for longer than a lease lasts, so that another server has taken over when it continues.
 */
const STOP_MS = 6_500

describe.skipIf(!postgres)('two servers on one PostgreSQL and NATS', () => {
  let database: { url: string; drop: () => Promise<void> }
  beforeAll(async () => {
    database = await createEmptyPostgresDatabase(postgres ?? '')
  })
  afterAll(() => database.drop())

  it('lose nothing and pay nothing twice when the leader is suspended and resumed, or killed', async () => {
    const report = await runNodesDrill({
      databaseUrl: database.url,
      servers: ['api,feed,settle', 'api,feed,settle'],
      stopMs: STOP_MS,
      rounds: ['ticks'],
      isLong: false,
      traders: 3,
      say: () => {},
    })
    expect(report.wrong).toEqual([])
    expect(report.staleWrites.refused).toBe(report.staleWrites.tried)
    expect(report.resultsElsewhere).toBeGreaterThan(0)
    expect(report.exitCodes).toEqual([0])
  })
})
