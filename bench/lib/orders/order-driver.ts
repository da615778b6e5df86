// A process that gives orders over many sockets and times their answers, as its parent tells it (`protocol.ts`). Each
// order names its own token, as every client's does; a socket goes on with the next account before the one it trades for has
// as many open orders as one may have.
import { writeFileSync } from 'node:fs'
import { OrderSocket } from './order-socket.ts'
import type { FromDriver, Run, RunFigures, ToDriver } from './protocol.ts'

/** One account may have 100 open ones. */
const ORDERS_PER_ACCOUNT = 95
const STEP_MS = 1
const DRAIN_MS = 15_000
const ID_BYTES = 36
const [ACCEPTED, OWN_ID, ID] = ['"status":"success"', '"clientOrderId":"o', '"id":"']
const KINDS = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'ADA', 'LTC', 'DOT']

interface Client {
  readonly socket: OrderSocket
  token: string
  given: number
}

const clients: Client[] = []
let tokens: string[] = []
/** Of every order ever given: when it was given or due, then how long its answer took; its id, when it was accepted. */
let times = new Float64Array(1 << 16)
let ids: Buffer = Buffer.alloc(times.length * ID_BYTES)
const count = { given: 0, answered: 0 }
let isGiving = false
let giveNext: (client: Client) => void = () => {}
let counting: { from: number; latencies: number[]; acknowledged: number; refused: Record<string, number> } | null = null

process.on('message', (message: ToDriver) => {
  act(message).then(tell, (error: unknown) => tell({ failed: String(error) }))
})

async function act(message: ToDriver): Promise<FromDriver> {
  if ('open' in message) {
    const { port, sockets } = message.open
    tokens = [...message.open.tokens]
    for (let nth = 0; nth < sockets; nth += 1) {
      const client: Client = {
        socket: await OrderSocket.open(port, (bytes, from, to) => hear(client, bytes, from, to)),
        token: tokens.shift() ?? '',
        given: 0,
      }
      client.socket.onClose(() => tell({ failed: 'the server closed a socket' }))
      clients.push(client)
    }
    return { done: 'open' }
  }
  if ('run' in message) return { figures: await run(message.run) }
  writeFileSync(message.save.file, acknowledgedIds())
  return { done: 'save' }
}

async function run({ clients: sockets, perSecond, warmMs, ms, most = Infinity }: Run): Promise<RunFigures> {
  const own = clients.slice(0, sockets)
  const last = count.given + most
  isGiving = true
  const now = { from: Infinity, latencies: [] as number[], acknowledged: 0, refused: {} as Record<string, number> }
  counting = now
  let timer: NodeJS.Timeout | undefined
  if (perSecond === undefined) {
    giveNext = (client) => {
      if (isGiving && count.given < last) give(client, performance.now())
    }
    for (const client of own) giveNext(client)
  } else {
    giveNext = () => {}
    const [began, before] = [performance.now(), count.given]
    timer = setInterval(() => {
      const due = Math.floor(((performance.now() - began) / 1_000) * perSecond)
      for (let nth = count.given - before; nth < due && count.given < last; nth += 1) {
        const client = own[nth % own.length]
        if (client) give(client, began + (nth / perSecond) * 1_000)
      }
    }, STEP_MS)
  }
  await passed(warmMs)
  const processor = process.cpuUsage()
  now.from = performance.now()
  const before = now.acknowledged
  const end = now.from + ms
  while (performance.now() < end && (count.given < last || count.answered < count.given))
    await passed(Math.min(20, end - performance.now()))
  const seconds = (performance.now() - now.from) / 1_000
  const counted = now.acknowledged - before
  const { user, system } = process.cpuUsage(processor)
  isGiving = false
  clearInterval(timer)
  const giveUpAt = performance.now() + DRAIN_MS
  while (count.answered < count.given && performance.now() < giveUpAt) await passed(5)
  if (count.answered < count.given) throw new Error(`${count.given - count.answered} orders were never answered`)
  const sorted = Float64Array.from(now.latencies).toSorted()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  const { acknowledged, refused } = now
  return {
    counted,
    perSecond: counted / seconds,
    acknowledged,
    refused,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    processor: (user + system) / 1e6 / seconds,
  }
}

function give(client: Client, at: number): void {
  const nth = count.given
  count.given += 1
  if (nth === times.length) grow()
  times[nth] = at
  if (client.given === ORDERS_PER_ACCOUNT) {
    const token = tokens.shift()
    if (token === undefined) return tell({ failed: 'there are no more accounts' })
    client.token = token
    client.given = 0
  }
  client.given += 1
  const type = nth % 2 === 0 ? 'buy' : 'sell'
  client.socket.send(
    `{"action":"newTrade","data":{"type":"${type}","tradeSettingId":1,"amount":"20","symbol":"${KINDS[nth % KINDS.length] ?? ''}","marketType":"crypto","clientOrderId":"o${nth}"},"token":"${client.token}"}`,
  )
}

function hear(client: Client, bytes: Buffer, from: number, to: number): void {
  const text = bytes.toString('latin1', from, to)
  if (!text.startsWith('{"type":"newTrade"')) return
  const own = text.indexOf(OWN_ID)
  const nth = Number.parseInt(text.slice(own + OWN_ID.length, own + OWN_ID.length + 10), 10)
  const now = performance.now()
  count.answered += 1
  if (text.includes(ACCEPTED)) {
    const id = from + text.indexOf(ID) + ID.length
    bytes.copy(ids, nth * ID_BYTES, id, id + ID_BYTES)
    if (counting) {
      counting.acknowledged += 1
      if ((times[nth] ?? 0) >= counting.from) counting.latencies.push(now - (times[nth] ?? 0))
    }
  } else if (counting) {
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '?'
    counting.refused[code] = (counting.refused[code] ?? 0) + 1
  }
  giveNext(client)
}

function grow(): void {
  const more = new Float64Array(times.length * 2)
  more.set(times)
  times = more
  ids = Buffer.concat([ids, Buffer.alloc(ids.length)])
}

/** A line each. */
function acknowledgedIds(): string {
  const lines: string[] = []
  for (let nth = 0; nth < count.given; nth += 1) {
    if (ids[nth * ID_BYTES] !== 0) lines.push(ids.toString('latin1', nth * ID_BYTES, (nth + 1) * ID_BYTES))
  }
  return lines.join('\n')
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(1, ms)))
}

function tell(message: FromDriver): void {
  process.send?.(message)
}
