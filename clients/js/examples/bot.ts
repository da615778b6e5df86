// Shows how to use the calls, not how to make a profit.
// The bot buys when the fast average of the last prices crosses above the slow one, and sells when it crosses below.
// The bot stops when one more lost stake would exceed the maximum loss of the day (UTC). After Ctrl+C it waits for the
// results of its orders.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { createClient, type Decimal, FairwickError, type Result } from '../src/client.ts'
import { isSigned } from './check-receipt.ts'

const text = (value: string) => ({ type: 'string' as const, default: value })
const { values } = parseArgs({
  options: {
    loss: text(''),
    stake: text('100'),
    symbol: text('BTC'),
    setting: text('1'),
    fast: text('10'),
    slow: text('30'),
    live: { type: 'boolean', default: false },
  },
})
const { FAIRWICK_URL: url, FAIRWICK_KEY: key } = process.env
if (!url || !key || !values.loss) throw new Error('FAIRWICK_URL, FAIRWICK_KEY and --loss are required')
const say = (line: string) => process.stdout.write(`${line}\n`)
const cents = (amount: Decimal) => Math.round(Number(amount) * 100)
const [stake, maxLoss] = [cents(values.stake), cents(values.loss)]

const client = createClient({ url, key, WebSocket })
const { account } = (await client.call('GET /user/key')).data
if (account === 'live' && !values.live) throw new Error('this key is of the live account: start with --live')
const today = new Date().toISOString().slice(0, 10)
const { trades } = (await client.call('GET /user/trade-log/recent')).data
const ofToday = trades.filter(({ expires_at: at }) => at.startsWith(today))
let lost = ofToday.reduce((sum, { result_amount: amount }) => sum - cents(amount ?? '0'), 0)
/** The ids of orders without a result. */
const open = new Set<string>()
const prices: number[] = []
let wasAbove: boolean | null = null
let isStopping = false

function stopWhenDone(): void {
  if (open.size > 0 || (!isStopping && lost + stake <= maxLoss)) return
  say(`Stopped. Lost today: ${lost / 100}`)
  client.close()
}

async function place(type: 'buy' | 'sell'): Promise<void> {
  if (isStopping || lost + (open.size + 1) * stake > maxLoss) return
  const clientOrderId = randomUUID()
  open.add(clientOrderId)
  const { stake: amount, symbol, setting } = values
  try {
    const order = await client.place({ clientOrderId, type, symbol, tradeSettingId: Number(setting), amount })
    say(`${order.trx} ${type} at ${order.price}`)
  } catch (error) {
    open.delete(clientOrderId)
    say(`Not placed: ${error instanceof FairwickError ? error.code : String(error)}`)
    stopWhenDone()
  }
}

/**
 * The server signs the receipt of a result some seconds after the result, so this looks for it once a second for a
 * minute.
 */
async function check(trx: string): Promise<string> {
  const { keys } = (await client.call('GET /proof/keys')).data
  for (let tries = 0; tries < 60; tries += 1) {
    const { data } = await client.call('GET /proof/receipts/{trx}', { params: { trx } }).catch(() => ({ data: null }))
    const last = data?.result ?? data?.sale
    if (data && last) return [data.accepted, last].every((one) => isSigned(one, trx, keys)) ? 'signed' : 'NOT SIGNED'
    await pause(1_000)
  }
  return 'not there yet'
}

async function onResult({ clientOrderId, trx, result_amount: amount }: Result): Promise<void> {
  if (!open.has(clientOrderId)) return
  say(`${trx} result ${amount}, receipts ${await check(trx)}: ${url}/check/${trx}`)
  open.delete(clientOrderId)
  lost -= cents(amount)
  stopWhenDone()
}

client.on('result', onResult)
client.on('connection', (state) => say(`Connection: ${state}`))
client.on('error', (error) => say(`Error: ${String(error)}`))
client.on('tick', ({ price }) => {
  if (prices.push(Number(price)) > Number(values.slow)) prices.shift()
  if (prices.length < Number(values.slow)) return
  const average = (count: number) => prices.slice(-count).reduce((sum, one) => sum + one, 0) / count
  const isAbove = average(Number(values.fast)) > average(Number(values.slow))
  if (wasAbove !== null && isAbove !== wasAbove) void place(isAbove ? 'buy' : 'sell')
  wasAbove = isAbove
})
process.on('SIGINT', () => {
  isStopping = true
  stopWhenDone()
})
client.watch([values.symbol])
await client.connect()
stopWhenDone()
