import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { money } from '#core/money/money.ts'
import { openSession } from '#server/users/sessions/open-session.ts'
import { askServer } from '#server/operator-cli/control-client.ts'
import { controlPath } from '#server/operator-cli/control-protocol.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { AppClient, post } from '#test/support/app-client.ts'
import { DatabaseProxy } from '#test/support/database-proxy.ts'
import { createFundedUser } from '#test/support/market-fixtures.ts'
import { auditDrill } from './audit-drill.ts'
import { isReady, latestAfter, leaseRow, leasesOf, listsOf, openOrders } from './read-cluster.ts'
import { allKnowTheShortOrders, shortenOrders } from './short-orders.ts'
import { nodeStarter, type Start, type StartServer } from './start-node.ts'
import { StaleWrites } from './stale-writes.ts'
import { until } from './until.ts'
import { DrillTrader } from '../lib/drill-trader.ts'
import { type NatsServer, startNatsServer } from '#test/support/nats-server.ts'
import { quiet } from '#test/support/quiet-log.ts'
import type { ServerProcess } from '#test/support/server-process.ts'

export interface DrillOptions {
  /** The URL of an empty PostgreSQL database. */
  readonly databaseUrl: string
  /** The roles of each server. Every role is present more than once, and more than one server answers calls. */
  readonly servers: readonly string[]
  /** How long a server is suspended, in ms. */
  readonly stopMs: number
  /** The lease of each round. The server that holds this lease is suspended, then the next holder is killed. */
  readonly rounds: readonly ('ticks' | 'settle/0')[]
  /**
   * Adds the long part: NATS stops for a while, one server's clock is wrong, and another server is cut off from the
   * database and NATS. Finally every server is replaced in turn, as in an upgrade.
   */
  readonly isLong: boolean
  readonly traders: number
  readonly say: (line: string) => void
}

export interface DrillReport {
  readonly acknowledged: number
  /**
   * For each step of the drill, the longest delay of a settlement. It counts from the expiry, or from the failure of
   * the server if that was later.
   */
  readonly latestMs: readonly { readonly step: string; readonly ms: number }[]
  readonly staleWrites: { readonly tried: number; readonly refused: number }
  readonly resultsElsewhere: number
  readonly exitCodes: readonly (number | null)[]
  readonly wrong: readonly string[]
}

const ORDER_EVERY_MS = 150
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
  const start = nodeStarter(options.databaseUrl, nats.url, folder)
  const drill = new NodesDrill(options, start, nats)
  try {
    return await drill.run(folder)
  } finally {
    await drill.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

class NodesDrill {
  readonly #options: DrillOptions
  readonly #startProcess: StartServer
  #nats: NatsServer
  #nodes: DrillNode[] = []
  readonly #latestMs: { step: string; ms: number }[] = []
  readonly #staleWrites = new StaleWrites()
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
        staleWrites: { tried: this.#staleWrites.tried, refused: this.#staleWrites.refused },
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

  /** Ends a session and closes a market, each on one server. Both changes must take effect on all servers. */
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
    await this.#staleWrites.try(db, stopped.fence)
    await until(() => Date.now() >= stoppedAt + stopMs)
    process.kill(stopped.node.process.pid, 'SIGCONT')
    await this.#staleWrites.try(db, stopped.fence)
    await this.#settled(db, `${lease}, stopped`, stoppedAt)

    const killed = await this.#holderOf(db, lease)
    say(`${lease}: the server that holds it now is killed; ${this.#acknowledged()} orders so far`)
    const killedAt = Date.now()
    this.#nodes = this.#nodes.filter((node) => node !== killed.node)
    await killed.node.process.kill()
    await until(async () => (await leaseRow(db, lease)).token > killed.fence.token)
    await this.#settled(db, `${lease}, killed`, killedAt)
    await this.#staleWrites.try(db, killed.fence)
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

  /**
   * Shifts a server's clock. The server must stop accepting orders and release its leases. It must return when the
   * clock is right.
   */
  async #wrongClock(db: Db, folder: string): Promise<void> {
    const file = join(folder, 'clock-shift')
    writeFileSync(file, '0')
    const guest = await this.#join(db, { extra: { CLOCK_SHIFT_FILE: file }, program: SHIFTED_SERVER })
    this.#options.say(`the clock of one server is an hour ahead; ${this.#acknowledged()} orders so far`)
    const at = Date.now()
    writeFileSync(file, String(CLOCK_OFFSET_MS))
    await until(async () => (await leasesOf(db, guest.run)).length === 0)
    await until(async () => !(await isReady(guest.process)))
    await pause(WRONG_CLOCK_MS)
    await this.#settled(db, 'a wrong clock', at)
    writeFileSync(file, '0')
    await this.#comesBack(db, guest)
  }

  /** Cuts a server off from the database and NATS. The server must lose its leases and return after the cut. */
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
      await this.#staleWrites.try(db, { lease, token })
      await until(async () => !(await isReady(guest.process)))
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
    await until(async () => (await isReady(guest.process)) && (await leasesOf(db, guest.run)).length > 0)
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

  /**
   * Waits until the cluster accepts orders again, then records the longest delay of a settlement after `since` under
   * the name of the step.
   */
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
}

function drillContext(db: Db): Ctx {
  return createContext({ db, log: quiet, vault: createVault([new Uint8Array(32)], createTools().randomBytes) })
}
