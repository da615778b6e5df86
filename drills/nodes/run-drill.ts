import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { instant } from '#core/time/instant.ts'
import { openSession } from '#server/users/sessions/open-session.ts'
import { askServer } from '#server/operator-cli/control-client.ts'
import { controlPath } from '#server/operator-cli/control-protocol.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { PriceRow } from '#server/trading/engine/due-order.ts'
import { writeSettlementPrices } from '#server/trading/engine/settlement-prices.queries.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import { SETTLE_SHARDS } from '#server/trading/engine/settle-shards.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { insertBatch, readHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { AppClient, post } from '#test/support/app-client.ts'
import { DatabaseProxy } from '#test/support/database-proxy.ts'
import { createFundedUser } from '#test/support/market-fixtures.ts'
import { auditDrill } from './audit-drill.ts'
import { DrillTrader } from '../lib/drill-trader.ts'
import { type NatsServer, startNatsServer } from '#test/support/nats-server.ts'
import { quiet } from '#test/support/quiet-log.ts'
import { type ServerProcess, startServerProcess } from '#test/support/server-process.ts'

export interface DrillOptions {
  /** The URL of an empty PostgreSQL database. */
  readonly databaseUrl: string
  /** The roles of each server. Every role is present more than once, and more than one server answers calls. */
  readonly servers: readonly string[]
  /** How long a server is suspended, in ms. */
  readonly stopMs: number
  /** The lease of each round. The server that holds it is suspended, then the next holder is killed. */
  readonly rounds: readonly ('ticks' | 'settle/0')[]
  /**
   * Adds the long part: NATS stops for a while, one server's clock is wrong, another is cut off from the database and
   * NATS.
   * Finally every server is replaced in turn, as in an upgrade.
   */
  readonly isLong: boolean
  readonly traders: number
  readonly say: (line: string) => void
}

export interface DrillReport {
  readonly acknowledged: number
  /** Per step: how long after its expiry, or after the loss of the server, the last order was settled. */
  readonly latestMs: readonly { readonly step: string; readonly ms: number }[]
  readonly staleWrites: { readonly tried: number; readonly refused: number }
  readonly resultsElsewhere: number
  readonly exitCodes: readonly (number | null)[]
  readonly wrong: readonly string[]
}

/** Durations of the first two settings in seconds. Short, so that orders expire during an outage. */
const SECONDS = [2, 3]
const ORDER_EVERY_MS = 150
const STALE_TRIES = 10
const WITHOUT_NATS_MS = 5_000
const WRONG_CLOCK_MS = 10_000
const CLOCK_OFFSET_MS = 3_600_000
const CUT_OFF_MS = 20_000
/** 15 s: a server must be ready again within this time after a fault ends. */
const BACK_WITHIN_MS = 15_000
/** Servers that join for a part of the drill: they answer calls and settle, and write no prices. */
const GUEST_ROLES = 'api,settle'
const SHIFTED_SERVER = 'test/support/shifted-server.ts'

/** A server of the drill. */
interface DrillNode {
  readonly roles: string
  readonly process: ServerProcess
  /** The run id of the server in the database. */
  readonly run: string
}

/**
 * Runs several servers on one PostgreSQL and one NATS under load.
 * The server that holds a lease is suspended and resumed, and the next holder is killed. Traders send orders to one
 * server and receive results from another.
 */
export async function runNodesDrill(options: DrillOptions): Promise<DrillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-nodes-'))
  const nats = await startNatsServer()
  const environment = {
    PORT: '0',
    DATABASE_URL: options.databaseUrl,
    DATABASE_POOL_SIZE: '5',
    NATS_URL: nats.url,
    FAIRWICK_DATA_DIR: folder,
    FAIRWICK_SIGNING_KEY: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
    FAIRWICK_BOTS: 'off',
    LOG_LEVEL: 'warn',
  }
  const start = (roles: string, { extra = {}, program }: Start = {}): Promise<ServerProcess> =>
    startServerProcess(
      {
        ...environment,
        FAIRWICK_ROLES: roles,
        // A server without calls reports its readiness only on the metrics port.
        ...(!roles.includes('api') && { FAIRWICK_METRICS_PORT: '0' }),
        ...extra,
      },
      program,
    )
  const drill = new NodesDrill(options, start, nats)
  try {
    return await drill.run(folder)
  } finally {
    await drill.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The settings in which a server differs from the others. */
interface Start {
  readonly extra?: Readonly<Record<string, string>>
  readonly program?: string
}

type StartServer = (roles: string, start?: Start) => Promise<ServerProcess>

class NodesDrill {
  readonly #options: DrillOptions
  readonly #startProcess: StartServer
  #nats: NatsServer
  #nodes: DrillNode[] = []
  readonly #latestMs: { step: string; ms: number }[] = []
  readonly #staleWrites = { tried: 0, refused: 0 }
  readonly #exitCodes: (number | null)[] = []
  readonly #traders: DrillTrader[] = []
  #trading: Promise<unknown> = Promise.resolve()

  constructor(options: DrillOptions, startProcess: StartServer, nats: NatsServer) {
    this.#options = options
    this.#startProcess = startProcess
    this.#nats = nats
  }

  async run(folder: string): Promise<DrillReport> {
    const { servers, databaseUrl, rounds, isLong } = this.#options
    const first = await this.#startProcess(servers[0] ?? '')
    const database = await connectDatabase({ url: databaseUrl, dataDir: folder, log: quiet, poolSize: 4 })
    const { db } = database
    try {
      await shortenOrders(db)
      await this.#know(db, servers[0] ?? '', first)
      // The first server reloads its settings when another one joins.
      for (const roles of servers.slice(1)) await this.#start(db, roles)
      await this.#beginTrade(db)
      await this.#reactTogether(db, folder)
      for (const [at, lease] of rounds.entries()) await this.#round(db, lease, at === rounds.length - 1 && !isLong)
      if (isLong) {
        await this.#withoutNats(db)
        await this.#wrongClock(db, folder)
        await this.#cutOff(db)
        await this.#replaceAll(db)
      }
      for (const trader of this.#traders) trader.stop()
      await until(async () => (await openOrders(db)) === 0)
      await until(() => this.#traders.every(({ orders, results }) => orders.every(({ id }) => id && results.has(id))))
      for (const trader of this.#traders) trader.close()
      await this.#trading
      this.#exitCodes.push(...(await Promise.all(this.#nodes.map(({ process }) => process.stop()))))
      return {
        acknowledged: this.#acknowledged(),
        latestMs: this.#latestMs,
        staleWrites: this.#staleWrites,
        resultsElsewhere: this.#traders.reduce((sum, trader) => sum + trader.resultsElsewhere, 0),
        exitCodes: this.#exitCodes,
        wrong: await auditDrill(db, this.#traders),
      }
    } finally {
      await database.close()
    }
  }

  async end(): Promise<void> {
    for (const trader of this.#traders) trader.stop()
    for (const trader of this.#traders) trader.close()
    for (const { process } of this.#nodes) await process.kill()
    await this.#nats.stop()
  }

  async #start(db: Db, roles: string): Promise<void> {
    await this.#know(db, roles, await this.#startProcess(roles))
  }

  async #know(db: Db, roles: string, process: ServerProcess): Promise<void> {
    const rows = await db.selectFrom('server_node').select('run').orderBy('run', 'desc').execute()
    const run = rows.find((row) => this.#nodes.every((node) => node.run !== row.run))?.run
    if (run === undefined) throw new Error('a ready server must be in the list of servers')
    this.#nodes = [...this.#nodes, { roles, process, run }]
  }

  async #beginTrade(db: Db): Promise<void> {
    const ctx = drillContext(db)
    await allKnowTheShortOrders(this.#addresses())
    for (let nth = 0; nth < this.#options.traders; nth += 1) {
      const userId = await createFundedUser(ctx, money(100_000_000n))
      const token = await openSession(ctx, userId, { address: '127.0.0.1', userAgent: 'drill' })
      this.#traders.push(new DrillTrader(`t${nth}`, token, () => this.#addresses()))
    }
    this.#trading = Promise.all(this.#traders.map((trader) => trader.trade(ORDER_EVERY_MS)))
    await this.#stillTrades()
  }

  /** Ends a session on one server and closes a market on one. Both must take effect on all. */
  async #reactTogether(db: Db, folder: string): Promise<void> {
    const ctx = drillContext(db)
    const [one = '', other = one] = this.#addresses()
    const userId = await createFundedUser(ctx, money(1_000n))
    const token = await openSession(ctx, userId, { address: '127.0.0.1', userAgent: 'drill' })
    const client = await AppClient.open(other, token)
    // Makes the other server cache the session.
    await client.hear((message) => message['s'] === 'BTCUSDT')
    await post(one, '/user/auth/logout', {}, token)
    await client.closed()

    const reason = 'closed for a drill'
    const args = ['markets', 'close', 'us_stocks', '--reason', reason]
    const done = await askServer(controlPath(folder), { args, who: 'drill' })
    if (done?.exitCode !== 0) throw new Error(`cannot close a market: ${done?.lines.join(' ')}`)
    await until(async () => (await listsOf(this.#addresses())).every((list) => list.includes(reason)))
    this.#options.say('a session that ended on one server and a market that was closed on one were so on all')
  }

  async #round(db: Db, lease: string, isLast: boolean): Promise<void> {
    const { say, stopMs } = this.#options
    const stopped = await this.#holderOf(db, lease)
    say(`${lease}: the server that holds it is stopped for ${stopMs} ms; ${this.#acknowledged()} orders so far`)
    const stoppedAt = Date.now()
    process.kill(stopped.node.process.pid, 'SIGSTOP')
    await until(async () => (await leaseRow(db, lease)).token > stopped.fence.token)
    await this.#tryStale(db, stopped.fence)
    await until(() => Date.now() >= stoppedAt + stopMs)
    process.kill(stopped.node.process.pid, 'SIGCONT')
    await this.#tryStale(db, stopped.fence)
    await this.#settled(db, `${lease}, stopped`, stoppedAt)

    const killed = await this.#holderOf(db, lease)
    say(`${lease}: the server that holds it now is killed; ${this.#acknowledged()} orders so far`)
    const killedAt = Date.now()
    this.#nodes = this.#nodes.filter((node) => node !== killed.node)
    await killed.node.process.kill()
    await until(async () => (await leaseRow(db, lease)).token > killed.fence.token)
    await this.#settled(db, `${lease}, killed`, killedAt)
    await this.#tryStale(db, killed.fence)
    if (!isLast) await this.#start(db, killed.node.roles)
  }

  async #withoutNats(db: Db): Promise<void> {
    this.#options.say(`NATS is gone for ${WITHOUT_NATS_MS} ms; ${this.#acknowledged()} orders so far`)
    const goneAt = Date.now()
    await this.#nats.stop()
    await until(() => Date.now() >= goneAt + WITHOUT_NATS_MS)
    await this.#settled(db, 'without NATS', goneAt)
    this.#nats = await startNatsServer(Number(new URL(this.#nats.url).port))
    await this.#stillTrades()
  }

  /** Shifts a server's clock. It must stop accepting orders, release its leases, and return when the clock is right. */
  async #wrongClock(db: Db, folder: string): Promise<void> {
    const file = join(folder, 'clock-shift')
    writeFileSync(file, '0')
    const guest = await this.#join(db, { extra: { CLOCK_SHIFT_FILE: file }, program: SHIFTED_SERVER })
    this.#options.say(`the clock of one server is an hour ahead; ${this.#acknowledged()} orders so far`)
    const at = Date.now()
    writeFileSync(file, String(CLOCK_OFFSET_MS))
    await until(async () => (await leasesOf(db, guest.run)).length === 0)
    await until(async () => !(await isReady(guest)))
    await pause(WRONG_CLOCK_MS)
    await this.#settled(db, 'a wrong clock', at)
    writeFileSync(file, '0')
    await this.#comesBack(db, guest)
  }

  /** Cuts a server off from the database and NATS. It must lose its leases and return after the cut. */
  async #cutOff(db: Db): Promise<void> {
    const database = await DatabaseProxy.before(this.#options.databaseUrl)
    const bus = await DatabaseProxy.before(this.#nats.url)
    try {
      const guest = await this.#join(db, { extra: { DATABASE_URL: database.url, NATS_URL: bus.url } })
      const [lease = ''] = await leasesOf(db, guest.run)
      const { token } = await leaseRow(db, lease)
      this.#options.say(`one server is cut off for ${CUT_OFF_MS} ms; ${this.#acknowledged()} orders so far`)
      const at = Date.now()
      for (const line of [database, bus]) {
        line.swallow()
        line.vanish()
      }
      await until(async () => (await leaseRow(db, lease)).token > token)
      await this.#tryStale(db, { lease, token })
      await until(async () => !(await isReady(guest)))
      await until(() => Date.now() >= at + CUT_OFF_MS)
      await this.#settled(db, 'cut off', at)
      for (const line of [database, bus]) line.answer()
      await this.#comesBack(db, guest)
    } finally {
      await Promise.all([database.stop(), bus.stop()])
    }
  }

  /** Starts another server that settles a shard of the orders. */
  async #join(db: Db, start: Start): Promise<DrillNode> {
    await this.#know(db, GUEST_ROLES, await this.#startProcess(GUEST_ROLES, start))
    const guest = this.#nodes.at(-1)
    if (guest === undefined) throw new Error('the new server must exist')
    await until(async () => (await leasesOf(db, guest.run)).length > 0)
    await this.#stillTrades()
    return guest
  }

  async #comesBack(db: Db, guest: DrillNode): Promise<void> {
    const rightAt = Date.now()
    await until(async () => (await isReady(guest)) && (await leasesOf(db, guest.run)).length > 0)
    const ms = Date.now() - rightAt
    this.#options.say(`it is ready and settles again after ${ms} ms`)
    if (ms > BACK_WITHIN_MS) throw new Error(`a server came back after ${ms} ms`)
    await this.#stillTrades()
    this.#nodes = this.#nodes.filter((node) => node !== guest)
    this.#exitCodes.push(await guest.process.stop())
  }

  async #replaceAll(db: Db): Promise<void> {
    for (const old of this.#nodes) {
      this.#options.say(`one of ${old.roles} is replaced; ${this.#acknowledged()} orders so far`)
      const at = Date.now()
      await this.#start(db, old.roles)
      this.#nodes = this.#nodes.filter((node) => node !== old)
      this.#exitCodes.push(await old.process.stop())
      await this.#settled(db, `${old.roles}, replaced`, at)
    }
  }

  /** Waits while orders continue, and records the settlement delay of those that expired since. */
  async #settled(db: Db, step: string, since: number): Promise<void> {
    await this.#stillTrades()
    this.#latestMs.push({ step, ms: await latestAfter(db, since) })
  }

  async #holderOf(db: Db, lease: string): Promise<{ fence: Fence; node: DrillNode }> {
    for (;;) {
      const { owner, token } = await leaseRow(db, lease)
      const node = this.#nodes.find(({ run }) => run === owner)
      if (node !== undefined) return { fence: { lease, token }, node }
      await pause(50)
    }
  }

  #addresses(): string[] {
    return this.#nodes.filter(({ roles }) => roles.includes('api')).map(({ process: { address } }) => address)
  }

  #acknowledged(): number {
    return this.#traders.reduce((sum, { orders }) => sum + orders.length, 0)
  }

  /** Waits until every trader gets orders accepted. */
  async #stillTrades(): Promise<void> {
    const before = this.#traders.map(({ orders }) => orders.length)
    await until(() => this.#traders.every(({ orders }, at) => orders.length >= (before[at] ?? 0) + 3))
  }

  /** Tries the writes of a server whose lease is outdated, and counts the refusals by the database. */
  async #tryStale(db: Db, fence: Fence): Promise<void> {
    for (let tries = 0; tries < STALE_TRIES; tries += 1) {
      this.#staleWrites.tried += 1
      if (!(await (fence.lease === 'ticks' ? writesBatch(db, fence) : writesPrice(db, fence)))) {
        this.#staleWrites.refused += 1
      }
    }
  }
}

function drillContext(db: Db): Ctx {
  return createContext({ db, log: quiet, vault: createVault([new Uint8Array(32)], createTools().randomBytes) })
}

async function writesBatch(db: Db, fence: Fence): Promise<boolean> {
  const head = await readHead(db)
  const firstSeq = head.lastSeq + 1
  const now = systemClock.now()
  const payload = `${firstSeq} 1 666 0 ${now} ${now} stale\n`
  const times = { firstTime: now, lastTime: now, writtenAt: now }
  const batch = { firstSeq, lastSeq: firstSeq, ...times, payload, previousHash: head.hash, hash: head.hash }
  return await insertBatch(db, batch, fence)
}

/** Writes a price for an expiry without orders, so that an accepted write changes nothing. */
async function writesPrice(db: Db, fence: Fence): Promise<boolean> {
  const head = await readHead(db)
  const tick = { seq: 1, symbolId: SETTLE_SHARDS, price: price(1), volume: volume(0), source: 'stale' }
  const at = (ms: number) => ({ ...tick, time: instant(ms), receivedAt: instant(ms) })
  const row: PriceRow = {
    symbolId: SETTLE_SHARDS,
    expiresAt: instant(1_000),
    exit: at(999),
    next: at(1_001),
    watermark: instant(1_001),
    voidReason: null,
    maxTickAgeMs: 5_000,
    head,
    writerToken: null,
  }
  const guard = { shards: SETTLE_SHARDS, held: [{ ...fence, shard: 0 }] }
  return (await writeSettlementPrices(db, [row], systemClock.now(), guard)).length > 0
}

async function leasesOf(db: Db, run: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from lease where owner = ${run} and until_ms >= (extract(epoch from clock_timestamp()) * 1000)::int8
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}

async function isReady({ process: { address } }: DrillNode): Promise<boolean> {
  const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
  return answer?.ok ?? false
}

async function leaseRow(db: Db, name: string): Promise<{ owner: string; token: bigint }> {
  return await db.selectFrom('lease').select(['owner', 'token']).where('name', '=', name).executeTakeFirstOrThrow()
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

/** Waits until every server that accepts orders knows the short durations. */
async function allKnowTheShortOrders(addresses: readonly string[]): Promise<void> {
  const ends = `"id":1,"time":${SECONDS[0]},`
  await until(async () => (await listsOf(addresses)).every((list) => list.includes(ends)))
}

async function listsOf(addresses: readonly string[]): Promise<string[]> {
  return await Promise.all(
    addresses.map(async (address) => (await fetch(`${address}/api/user/crypto-currency/list`)).text()),
  )
}

/**
 * Returns the largest settlement delay of orders that expired since, counted from the expiry or from the loss of the
 * server.
 */
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
    if (Date.now() > giveUpAt) throw new Error(`timed out waiting for: ${isSo.toString()}`)
    await pause(50)
  }
}
