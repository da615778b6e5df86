import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { generateKeyPairSync } from 'node:crypto'
import { money } from '#core/money/money.ts'
import { openSession } from '#server/auth/open-session.ts'
import type { Log } from '#server/context.ts'
import { connectDatabase } from '#server/db/connect.ts'
import type { Db } from '#server/db/tables.ts'
import type { Fence } from '#server/nodes/lease.queries.ts'
import { createVault } from '#server/secrets/vault.ts'
import { createContext, createTools, systemClock } from '#server/system.ts'
import { insertBatch, readHead } from '#server/ticks/tick-batch.queries.ts'
import { createFundedUser } from '#testing/market-fixtures.ts'
import { auditDrill } from '#testing/nodes-drill/audit-drill.ts'
import { DrillTrader } from '#testing/nodes-drill/drill-trader.ts'
import { freePort, startNatsServer } from '#testing/nodes-drill/nats-server.ts'
import { type ServerProcess, startServerProcess } from '#testing/server-process.ts'

export interface DrillOptions {
  /** Empty, of a PostgreSQL. */
  readonly databaseUrl: string
  /** How long a server is stopped in its tracks. */
  readonly stopMs: number
  readonly rounds: number
  readonly traders: number
  readonly say: (line: string) => void
}

export interface DrillReport {
  readonly acknowledged: number
  /** How long after its expiry, or after the server was lost, the last order was settled, per round. */
  readonly latestMs: readonly { readonly round: string; readonly ms: number }[]
  readonly staleWrites: { readonly tried: number; readonly refused: number }
  readonly heardElsewhere: number
  readonly exitCodes: readonly (number | null)[]
  readonly wrong: readonly string[]
}

const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
/** Seconds of the first two settings: short, so that orders end while a server is away. */
const SECONDS = [2, 3]
const ORDER_EVERY_MS = 150
const STALE_TRIES = 10

/**
 * Two servers over one PostgreSQL and one NATS, under orders, with the one that leads stopped in its tracks and let go
 * on, then the next one killed, `rounds` times. Traders give an order to one server and hear of it from the other.
 */
export async function runNodesDrill(options: DrillOptions): Promise<DrillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-nodes-'))
  const nats = await startNatsServer()
  const ports = [await freePort(), await freePort()]
  const nodes = new Map<number, ServerProcess>()
  const key = JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))
  const start = async (port: number): Promise<void> => {
    nodes.set(
      port,
      await startServerProcess({
        PORT: String(port),
        DATABASE_URL: options.databaseUrl,
        NATS_URL: nats.url,
        FAIRWICK_DATA_DIR: folder,
        FAIRWICK_SIGNING_KEY: key,
        FAIRWICK_BOTS: 'off',
        LOG_LEVEL: 'warn',
      }),
    )
  }
  try {
    for (const port of ports.slice(0, 1)) await start(port)
    const database = await connectDatabase({ url: options.databaseUrl, dataDir: folder, log: quiet, poolSize: 4 })
    try {
      await shortenOrders(database.db)
      // When another one comes, the first reads again what it knows.
      for (const port of ports.slice(1)) await start(port)
      return await drill(options, database.db, { ports, nodes, start })
    } finally {
      await database.close()
    }
  } finally {
    for (const node of nodes.values()) await node.kill()
    await nats.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Cluster {
  readonly ports: readonly number[]
  readonly nodes: Map<number, ServerProcess>
  readonly start: (port: number) => Promise<void>
}

async function drill(
  { stopMs, rounds, traders: count, say }: DrillOptions,
  db: Db,
  { ports, nodes, start }: Cluster,
): Promise<DrillReport> {
  const ctx = createContext({ db, log: quiet, vault: createVault([new Uint8Array(32)], createTools().randomBytes) })
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`)
  await allOpenForOrders(addresses)
  const traders: DrillTrader[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const userId = await createFundedUser(ctx, money(100_000_000n))
    const token = await openSession(ctx, userId, { address: '127.0.0.1', userAgent: 'drill' })
    traders.push(new DrillTrader(`t${nth}`, token, addresses))
  }
  const trading = traders.map((trader) => trader.trade(ORDER_EVERY_MS))
  const acknowledged = () => traders.reduce((sum, { orders }) => sum + orders.length, 0)
  const latestMs: { round: string; ms: number }[] = []
  const staleWrites = { tried: 0, refused: 0 }
  await until(() => acknowledged() >= 10 * count)

  for (let round = 1; round <= rounds; round += 1) {
    const stopped = await leaderOf(db)
    const node = nodes.get(stopped.port)
    say(`round ${round}: the server at ${stopped.port} leads and is stopped for ${stopMs} ms`)
    const stoppedAt = Date.now()
    process.kill(node?.pid ?? 0, 'SIGSTOP')
    await until(async () => (await leaderOf(db)).fence.token > stopped.fence.token)
    await tryStale(db, stopped.fence, staleWrites)
    await until(() => Date.now() >= stoppedAt + stopMs)
    process.kill(node?.pid ?? 0, 'SIGCONT')
    await tryStale(db, stopped.fence, staleWrites)
    await stillTrades(traders)
    latestMs.push({ round: `stopped ${round}`, ms: await latestAfter(db, stoppedAt) })

    const killed = await leaderOf(db)
    say(`round ${round}: the server at ${killed.port} leads and is killed, ${acknowledged()} orders so far`)
    const killedAt = Date.now()
    await nodes.get(killed.port)?.kill()
    nodes.delete(killed.port)
    await until(async () => (await leaderOf(db)).fence.token > killed.fence.token)
    await stillTrades(traders)
    latestMs.push({ round: `killed ${round}`, ms: await latestAfter(db, killedAt) })
    await tryStale(db, killed.fence, staleWrites)
    if (round < rounds) await start(killed.port)
  }

  for (const trader of traders) trader.stop()
  await until(async () => (await openOrders(db)) === 0)
  await until(() => traders.every(({ orders, results }) => orders.every(({ id }) => id && results.has(id))))
  for (const trader of traders) trader.close()
  await Promise.all(trading)
  const exitCodes = await Promise.all([...nodes.values()].map((node) => node.stop()))
  return {
    acknowledged: acknowledged(),
    latestMs,
    staleWrites,
    heardElsewhere: traders.reduce((sum, trader) => sum + trader.heardElsewhere, 0),
    exitCodes,
    wrong: await auditDrill(db, traders),
  }
}

async function shortenOrders(db: Db): Promise<void> {
  for (const [at, seconds] of SECONDS.entries()) {
    await db
      .updateTable('trade_setting')
      .set({ seconds })
      .where('id', '=', at + 1)
      .execute()
  }
}

/** Both know the short orders. */
async function allOpenForOrders(addresses: readonly string[]): Promise<void> {
  const ends = `"id":1,"time":${SECONDS[0]},`
  await until(async () => {
    const lists = addresses.map(async (address) => (await fetch(`${address}/api/user/crypto-currency/list`)).text())
    return (await Promise.all(lists)).every((list) => list.includes(ends))
  })
}

/** Who writes the log, by the token, and on which port it runs. */
async function leaderOf(db: Db): Promise<{ fence: Fence; port: number }> {
  const { token, name } = await db
    .selectFrom('lease')
    .innerJoin('server_node', 'server_node.run', 'lease.owner')
    .select(['lease.token', 'server_node.name'])
    .where('lease.name', '=', 'ticks')
    .executeTakeFirstOrThrow()
  return { fence: { lease: 'ticks', token }, port: Number(name.slice(hostname().length + 1)) }
}

/** Every trader gets orders taken. */
async function stillTrades(traders: readonly DrillTrader[]): Promise<void> {
  const before = traders.map(({ orders }) => orders.length)
  await until(() => traders.every(({ orders }, at) => orders.length >= (before[at] ?? 0) + 3))
}

/** What the late server would write with the right it had, and how much of it the database refuses. */
async function tryStale(db: Db, fence: Fence, count: { tried: number; refused: number }): Promise<void> {
  for (let tries = 0; tries < STALE_TRIES; tries += 1) {
    const head = await readHead(db)
    const firstSeq = head.lastSeq + 1
    const now = systemClock.now()
    const isWritten = await insertBatch(
      db,
      {
        firstSeq,
        lastSeq: firstSeq,
        firstTime: now,
        lastTime: now,
        writtenAt: now,
        payload: `${firstSeq} 1 666 0 ${now} ${now} stale\n`,
        previousHash: head.hash,
        hash: head.hash,
      },
      fence,
    )
    count.tried += 1
    if (!isWritten) count.refused += 1
  }
}

/** How late the last order was settled that ended since, counted from its end, or from when the server was lost. */
async function latestAfter(db: Db, since: number): Promise<number> {
  const rows = await db
    .selectFrom('order_history')
    .select(['expires_ms', 'settled_ms'])
    .where('settled_ms', '>=', BigInt(since))
    .execute()
  return Math.max(0, ...rows.map((row) => Number(row.settled_ms) - Math.max(Number(row.expires_ms), since)))
}

async function openOrders(db: Db): Promise<number> {
  return (await db.selectFrom('open_order').select('id').execute()).length
}

async function until(isSo: () => boolean | Promise<boolean>, withinMs = 90_000): Promise<void> {
  const giveUpAt = Date.now() + withinMs
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(`the drill waited in vain for: ${isSo.toString()}`)
    await pause(50)
  }
}
