// The product's sockets in a separate process, on prices driven by its parent: the real upgrade guard, connections,
// subscriptions and fan-out. Arguments: number of symbols, number with a new price per round, the flush interval in ms.
import { createServer } from 'node:http'
import { refuse } from '#core/result.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { createKeyLimits } from '#server/platform/http/key-limits.ts'
import { createSockets } from '#server/sockets/create-sockets.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { fixedCatalogue } from '#test/support/market-fixtures.ts'
import { onlyErrors } from '../only-errors.ts'
import { DrivenPrices, drivenSymbols } from './driven-prices.ts'
import { beSide } from './side.ts'

const [symbolCount = 0, perRound = 0, flushMs = 0] = process.argv.slice(2).map(Number)
const symbols = drivenSymbols(symbolCount)
const byId = new Map(symbols.map((symbol) => [symbol.id, symbol]))
const ids = symbols.map(({ id }) => id)
const prices = new DrivenPrices()
const vault = createVault([new Uint8Array(32)], createTools().randomBytes)
const live = createSockets({
  // The database is not used here.
  ctx: createContext({ db: {} as Db, log: onlyErrors, vault }),
  ticks: prices,
  engine: { place: () => Promise.resolve(refuse('busy')) },
  catalogue: fixedCatalogue({ symbols, byId: (id) => byId.get(id) ?? null }),
  authenticate: () => Promise.resolve(null),
  reality: { due: () => Promise.resolve(null), dueOf: () => Promise.resolve(new Map()) },
  keys: {
    limits: createKeyLimits(),
    orders: { place: () => Promise.resolve(refuse('order_conflict')) },
    onShown: () => {},
  },
  marketStatus: () => ({ crypto: true, us_stocks: true, us_fx: true }),
  isOwnOrigin: () => true,
  flushMs,
  limits: { perAddress: 20_000 },
})
const server = createServer()
live.attach(server)
let at = 0
beSide(server, () => {
  const said = ids.slice(at, at + perRound)
  at = (at + perRound) % ids.length
  prices.say(said)
})
