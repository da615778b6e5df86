import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer as createPlainServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from '@playwright/test'
import { money } from '#core/money/money.ts'
import { instant } from '#core/time/instant.ts'
import { runCommand } from '#server/operator-cli/run-command.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import { loadCatalogue } from '#server/market-data/catalogue/load-catalogue.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { openVault } from '#server/platform/encryption/data-keys.ts'
import { loadSettings } from '#server/settings/site-settings.ts'
import { insertDeposit } from '#test/support/market-fixtures.ts'
import { createEmptyPostgresDatabase } from '#test/support/postgres-test-database.ts'
import { BUILT_SERVER, startServerProcess } from '#test/support/server-process.ts'
import { testCertificate } from '#test/support/test-certificate.ts'
import { ExchangePlayer } from './exchanges/exchange-player.ts'
import { openMailSink, type MailSink } from './mail-sink.ts'

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
export const DATA_KEY = 'A'.repeat(43)
const REDIRECT = pathToFileURL(fileURLToPath(new URL('exchanges/redirect-hosts.mjs', import.meta.url))).href
/** Public names in the settings of the server. Its connections to them go to the servers of the test. */
const HOSTS = { coins: 'coins.example.com', stocks: 'stocks.example.com' }

/** A site in live mode with recorded prices, behind a proxy for HTTPS. */
export interface LiveSite {
  /** The public address, for browsers. */
  readonly address: string
  /** The server itself, for requests of the test. */
  readonly origin: string
  readonly mail: MailSink
  readonly player: ExchangePlayer
  /** Credits a deposit, as a payment would. */
  deposit(userId: string, amount: bigint): Promise<void>
  stop(): Promise<void>
}

export async function startLiveSite(url: string): Promise<LiveSite> {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-live-'))
  const [empty, mail, player] = await Promise.all([
    createEmptyPostgresDatabase(url),
    openMailSink(),
    ExchangePlayer.start(Date.now),
  ])
  const port = await freePort()
  const front = await openFront(port)
  const variables = {
    FAIRWICK_MODE: 'live',
    FAIRWICK_DATA_DIR: join(folder, 'data'),
    FAIRWICK_DATA_KEY: DATA_KEY,
    ...liveFeeds(player),
    DATABASE_URL: empty.url,
    PUBLIC_URL: front.address,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--import ${REDIRECT}`,
  }
  // The first start creates the tables and then misses settings, which an operator sets.
  await startServerProcess(variables, BUILT_SERVER).then(
    () => expect(null, 'the first start is refused').toBe('refused'),
    () => undefined,
  )
  await setRequiredSettings(empty.url, folder)
  const server = await startServerProcess(variables, BUILT_SERVER, [], 'listening')
  return {
    address: front.address,
    origin: server.address,
    mail,
    player,
    deposit: (userId, amount) => deposit(empty.url, folder, { userId, amount }),
    async stop() {
      await server.stop()
      await player.stop()
      front.server.close()
      mail.close()
      await empty.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Sets the settings that live mode requires, with the commands that an operator uses. */
export async function setRequiredSettings(databaseUrl: string, folder: string): Promise<void> {
  const database = await connectDatabase({ url: databaseUrl, dataDir: folder, log: quiet, poolSize: 1 })
  try {
    const { db } = database
    const vault = openVault(folder, DATA_KEY, createTools().randomBytes)
    const ctx = createContext({ db, log: quiet, vault })
    const parts = { ctx, settings: await loadSettings(db), catalogue: await loadCatalogue(ctx), dataDir: folder }
    for (const [key, value] of [
      ['licence_holder', '"Harbour Ltd"'],
      ['licence_number', '"X-1"'],
      ['licence_regulator', '"The regulator"'],
      ['countries_allowed', '["PT"]'],
    ] as const)
      expect((await runCommand(parts, ['settings', 'set', key, value], 'operator')).exitCode, key).toBe(0)
  } finally {
    await database.close()
  }
}

async function deposit(
  databaseUrl: string,
  folder: string,
  { userId, amount }: { readonly userId: string; readonly amount: bigint },
): Promise<void> {
  const database = await connectDatabase({ url: databaseUrl, dataDir: folder, log: quiet, poolSize: 1 })
  try {
    const { db } = database
    const ctx = createContext({ db, log: quiet, vault: openVault(folder, DATA_KEY, createTools().randomBytes) })
    const at = instant(Date.now())
    await db.transaction().execute((tx) => insertDeposit(tx, { userId, id: ctx.newId(), amount: money(amount), at }))
  } finally {
    await database.close()
  }
}

/** The feeds of the player under public names, and where their connections go. */
function liveFeeds(player: ExchangePlayer): { readonly FAIRWICK_FEEDS: string; readonly [name: string]: string } {
  // The names of providers are reserved for their own hosts.
  let feeds = JSON.stringify(player.feeds)
    .replaceAll(/"binance":|:"binance"(?=,"symbol")/g, (found) => found.replace('binance', 'coins'))
    .replaceAll(/"finnhub":|:"finnhub"(?=,"symbol")/g, (found) => found.replace('finnhub', 'stocks'))
  const ports = [...new Set(Array.from(feeds.matchAll(/ws:\/\/127\.0\.0\.1:(\d+)/g), ([, port]) => port ?? ''))]
  const redirects: Record<string, number> = {}
  for (const [at, host] of Object.values(HOSTS).entries()) {
    redirects[host] = Number(ports[at])
    feeds = feeds
      .replaceAll(`ws://127.0.0.1:${ports[at]}`, `wss://${host}`)
      .replaceAll(`http://127.0.0.1:${ports[at]}`, `https://${host}`)
  }
  return { FAIRWICK_FEEDS: feeds, REDIRECTS: JSON.stringify(redirects), FINNHUB_KEY: 'recorded' }
}

/** Opens a proxy that takes HTTPS and passes it on to a port. */
async function openFront(port: number): Promise<{ readonly address: string; readonly server: Server }> {
  const server = createServer(testCertificate, (incoming) => {
    const outgoing = connect(port, '127.0.0.1')
    incoming.pipe(outgoing).pipe(incoming)
    incoming.on('error', () => outgoing.destroy())
    outgoing.on('error', () => incoming.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

async function freePort(): Promise<number> {
  const server = createPlainServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
