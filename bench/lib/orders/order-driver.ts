// A process that places orders over many sockets and measures the replies, as its parent commands (`protocol.ts`). Each
// order carries its own token, as every client's does. A socket changes to the next account before the current one
// reaches the limit of open orders.
import { closeSync, openSync, writeSync } from 'node:fs'
import { GivenOrders } from './given-orders.ts'
import { OrderSocket } from './order-socket.ts'
import {
  type FromDriver,
  ID_BYTES,
  type Opening,
  ORDERED_SYMBOLS,
  type Run,
  type RunFigures,
  type Times,
  type ToDriver,
} from './protocol.ts'

/** 95 orders, as an account may have at most 100 open orders. */
const ORDERS_PER_ACCOUNT = 95
const STEP_MS = 1
const DRAIN_MS = 60_000
const ACCEPTED = '"status":"success"'
const [OWN_ID, ID, EXPIRES] = ['"clientOrderId":"o', '"id":"', '"expires_at":"']
const ISO_LENGTH = 24
/** Results are confirmed in groups of at most 50. */
const SEEN_AT_ONCE = 50

interface Client {
  readonly socket: OrderSocket
  token: string
  /** The number of open orders of the client's account, as far as the client knows. */
  open: number
  seen: string[]
  /** The number of results that the client waits for before it confirms them together. */
  seenAtOnce: number
}

interface Counting {
  from: number
  readonly latencies: number[]
  readonly late: number[]
  acknowledged: number
  held: number
  firstExpiry: number
  lastExpiry: number
  lastResultAt: number
  readonly refused: Record<string, number>
}

const clients: Client[] = []
let tokens: string[] = []
const given = new GivenOrders()
const count = { answered: 0, accepted: 0, settled: 0 }
const sleepCell = new Int32Array(new SharedArrayBuffer(4))
let hearsResults = false
let isGiving = false
let giveNext: (client: Client) => void = () => {}
let counting: Counting | null = null

process.on('message', (message: ToDriver) => {
  act(message).then(tell, (error: unknown) => tell({ failed: String(error) }))
})

// The channel closes when the parent process ends. This process then has no more work, so it exits.
process.on('disconnect', () => process.exit())

async function act(message: ToDriver): Promise<FromDriver> {
  if ('open' in message) {
    await open(message.open)
    return { done: 'open' }
  }
  if ('run' in message) return { figures: await run(message.run) }
  saveAcknowledged(message.save.file)
  return { done: 'save' }
}

async function open(opening: Opening): Promise<void> {
  tokens = [...opening.tokens]
  ;({ hearsResults } = opening)
  for (let nth = 0; nth < opening.sockets; nth += 1) {
    const token = tokens.shift() ?? ''
    const socket = await OrderSocket.open(opening.port, (bytes, from, to) => hear(client, bytes, from, to))
    // `seenAtOnce` begins with another number for each client, so that not all clients confirm at the same moment.
    const client: Client = { socket, token, open: 0, seen: [], seenAtOnce: 1 + (nth % SEEN_AT_ONCE) }
    socket.onClose((why) => tell({ failed: `the server closed a socket: ${why}` }))
    if (hearsResults) {
      socket.send('{"action":"watch","symbols":[]}')
      socket.send(`{"action":"subscribe","token":"${token}"}`)
    }
    clients.push(client)
  }
}

async function run({
  clients: atOnce,
  sockets = atOnce,
  perSecond,
  restMs = 0,
  warmMs,
  ms,
  maxOrders = Infinity,
  untilResults = false,
}: Run): Promise<RunFigures> {
  const own = clients.slice(0, sockets)
  const last = given.count + maxOrders
  isGiving = true
  const now: Counting = {
    from: Infinity,
    latencies: [],
    late: [],
    acknowledged: 0,
    held: 0,
    firstExpiry: Infinity,
    lastExpiry: 0,
    lastResultAt: 0,
    refused: {},
  }
  counting = now
  let timer: NodeJS.Timeout | undefined
  if (perSecond === undefined) {
    let turn = 0
    giveNext = (answered) => {
      const client = sockets === atOnce ? answered : (own[(turn += 1) % own.length] ?? answered)
      if (isGiving && given.count < last) give(client, performance.now())
    }
    for (const client of own.slice(0, atOnce)) giveNext(client)
  } else {
    giveNext = () => {}
    const [began, before] = [performance.now(), given.count]
    timer = setInterval(() => {
      const due = 1 + Math.floor(((performance.now() - began) / 1_000) * perSecond)
      for (let nth = given.count - before; nth < due && given.count < last; nth += 1) {
        const client = own[nth % own.length]
        if (client) give(client, began + (nth / perSecond) * 1_000)
      }
      if (restMs > 0) Atomics.wait(sleepCell, 0, 0, restMs)
    }, STEP_MS)
  }
  await passed(warmMs)
  const processor = process.cpuUsage()
  now.from = performance.now()
  const before = now.acknowledged
  const end = now.from + ms
  while (performance.now() < end && (given.count < last || count.answered < given.count))
    await passed(Math.min(20, end - performance.now()))
  const seconds = (performance.now() - now.from) / 1_000
  const counted = now.acknowledged - before
  const { user, system } = process.cpuUsage(processor)
  isGiving = false
  clearInterval(timer)
  const giveUpAt = performance.now() + DRAIN_MS
  while (count.answered < given.count && performance.now() < giveUpAt) await passed(5)
  if (count.answered < given.count) throw new Error(`${given.count - count.answered} orders were never answered`)
  if (untilResults) while (count.settled < count.accepted) await passed(5)
  const { acknowledged, refused, held } = now
  return {
    counted,
    perSecond: counted / seconds,
    acknowledged,
    refused,
    held,
    ...timesOf(now.latencies),
    results: { count: now.late.length, ...timesOf(now.late) },
    expirySpan: now.lastExpiry - now.firstExpiry,
    lastResult: now.lastResultAt - now.lastExpiry,
    processor: (user + system) / 1e6 / seconds,
  }
}

function timesOf(all: readonly number[]): Times {
  const sorted = Float64Array.from(all).toSorted()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

function give(client: Client, at: number): void {
  if (client.open === ORDERS_PER_ACCOUNT && !goOn(client)) {
    if (counting) counting.held += 1
    return
  }
  const nth = given.add(at)
  client.open += 1
  const type = nth % 2 === 0 ? 'buy' : 'sell'
  client.socket.send(
    `{"action":"newTrade","data":{"type":"${type}","tradeSettingId":1,"amount":"20","symbol":"${ORDERED_SYMBOLS[nth % ORDERED_SYMBOLS.length] ?? ''}","marketType":"crypto","clientOrderId":"o${nth}"},"token":"${client.token}"}`,
  )
}

/** Changes to the next account. A client that receives results has only one account. */
function goOn(client: Client): boolean {
  if (hearsResults) return false
  const token = tokens.shift()
  if (token === undefined) throw new Error('there are no more accounts')
  client.token = token
  client.open = 0
  return true
}

function hear(client: Client, bytes: Buffer, from: number, to: number): void {
  const text = bytes.toString('latin1', from, to)
  if (text.startsWith('{"type":"newTrade"')) hearAnswer(client, text, bytes, from)
  else if (text.startsWith('{"type":"tradeResult"')) hearResult(client, text)
  else if (text.startsWith('{"type":"error"')) tell({ failed: text })
}

function hearAnswer(client: Client, text: string, bytes: Buffer, from: number): void {
  const nth = ownNumber(text)
  const now = performance.now()
  count.answered += 1
  if (text.includes(ACCEPTED)) {
    count.accepted += 1
    const id = from + text.indexOf(ID) + ID.length
    given.noteId(nth, bytes, id)
    if (hearsResults) {
      const at = text.indexOf(EXPIRES) + EXPIRES.length
      given.noteExpiry(nth, Date.parse(text.slice(at, at + ISO_LENGTH)))
    }
    if (counting) {
      counting.acknowledged += 1
      counting.firstExpiry = Math.min(counting.firstExpiry, given.expiryOf(nth))
      counting.lastExpiry = Math.max(counting.lastExpiry, given.expiryOf(nth))
      if (given.timeOf(nth) >= counting.from) counting.latencies.push(now - given.timeOf(nth))
    }
  } else {
    client.open -= 1
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '?'
    if (counting) counting.refused[code] = (counting.refused[code] ?? 0) + 1
  }
  giveNext(client)
}

function hearResult(client: Client, text: string): void {
  const nth = ownNumber(text)
  const now = Date.now()
  count.settled += 1
  client.open -= 1
  const id = text.indexOf(ID) + ID.length
  if (client.seen.push(text.slice(id, id + ID_BYTES)) === client.seenAtOnce) {
    client.socket.send(JSON.stringify({ action: 'seen', ids: client.seen.splice(0) }))
    client.seenAtOnce = SEEN_AT_ONCE
  }
  if (counting) {
    counting.lastResultAt = now
    counting.late.push(now - given.expiryOf(nth))
  }
}

function ownNumber(text: string): number {
  const own = text.indexOf(OWN_ID) + OWN_ID.length
  return Number.parseInt(text.slice(own, own + 10), 10)
}

/** Writes the ids of the acknowledged orders to the file, without separators. */
function saveAcknowledged(file: string): void {
  const to = openSync(file, 'w')
  for (const some of given.ids()) writeSync(to, some)
  closeSync(to)
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(1, ms)))
}

function tell(message: FromDriver): void {
  process.send?.(message)
}
