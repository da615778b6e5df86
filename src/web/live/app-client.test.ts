import { WebSocket, WebSocketServer } from 'ws'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OwnTrade } from '#contract/trades.ts'
import { type AppClient, type AppClientDeps, createAppClient } from '#web/live/app-client.ts'
import type { Placement } from '#web/live/placed-order.ts'
import type { PendingOrder } from '#web/live/pending-orders.ts'
import type { OpenWire, WireEvents } from '#ui/socket/reconnecting-socket.ts'
import { createServerClock } from '#web/live/server-clock.ts'

/** A server that records received messages and sends the messages of a test. */
interface Server {
  readonly address: string
  readonly messages: ClientMessage[]
  readonly sockets: Set<WebSocket>
  answer: (message: ClientMessage, socket: WebSocket) => void
  say: (message: unknown) => void
  drop: () => void
  close: () => Promise<void>
}
interface ClientMessage {
  action: string
  token?: string | null
  ids?: string[]
  data?: { clientOrderId: string; validUntil?: number }
}

const ORDER = { type: 'buy', tradeSettingId: 1, amount: '20.00', symbol: 'BTC', marketType: 'crypto' } as const

let server: Server
let clients: AppClient[]

beforeEach(async () => {
  server = await startServer()
  clients = []
})

afterEach(async () => {
  for (const client of clients) client.close()
  await server.close()
})

test('SO1, SO2: the client subscribes with the token and sends pings', async () => {
  startClient()
  await vi.waitFor(() => expect(actions()).toEqual(expect.arrayContaining(['subscribe', 'ping'])))
  expect(server.messages[0]).toEqual({ action: 'subscribe', token: 'secret' })
})

test('SO3: the client takes the clock, the trade status and the market status from the pong', async () => {
  const statuses: unknown[] = []
  const { clock } = startClient({ onTradeStatus: (status) => statuses.push(status) })
  await vi.waitFor(() => expect(statuses).toEqual([{ isAllowed: false, reason: 'under review' }]))
  expect(clock.offsetMs()).toBeGreaterThan(3_000_000)
})

test('SO10: the client reconnects after a loss, subscribes again and reports that updates may be missing', async () => {
  const states: string[] = []
  const resync = vi.fn<() => void>()
  startClient({ onConnection: (state) => states.push(state), onResync: resync })
  await vi.waitFor(() => expect(actions()).toContain('subscribe'))
  server.drop()
  await vi.waitFor(() => expect(actions().filter((action) => action === 'subscribe')).toHaveLength(2))
  await vi.waitFor(() => expect(resync).toHaveBeenCalledOnce())
  expect(states).toEqual(['connected', 'offline', 'connected'])
})

test('the client treats a silent connection as lost', async () => {
  server.answer = () => undefined
  const states: string[] = []
  startClient({ onConnection: (state) => states.push(state), silenceMs: 60 })
  await vi.waitFor(() => expect(states.slice(0, 3)).toEqual(['connected', 'offline', 'connected']))
})

test('the client reports each change of the own limits', async () => {
  const changed = vi.fn<() => void>()
  startClient({ onLimitsChanged: changed })
  await vi.waitFor(() => expect(actions()).toContain('subscribe'))
  server.say({ type: 'limitsChanged' })
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1))
})

test('the client reports each change of the balance', async () => {
  const moved = vi.fn<() => void>()
  startClient({ onBalanceChanged: moved })
  await vi.waitFor(() => expect(actions()).toContain('subscribe'))
  server.say({ type: 'balanceChanged' })
  server.say({ type: 'balanceChanged', data: { of: 'a newer server' } })
  await vi.waitFor(() => expect(moved).toHaveBeenCalledTimes(2))
})

test('the client sends a new token to the server', async () => {
  const session = { token: 'secret' as string | null }
  const { client } = startClient({ token: () => session.token })
  await vi.waitFor(() => expect(actions()).toContain('subscribe'))
  session.token = null
  client.tokenChanged()
  await vi.waitFor(() => expect(server.messages).toContainEqual({ action: 'subscribe', token: null }))
})

test('SO4: the client confirms an order with the terms that the server froze', async () => {
  server.answer = (message, socket) => {
    if (message.action === 'newTrade') socket.send(JSON.stringify(acceptance(message.data?.clientOrderId ?? '')))
  }
  const { client, connected } = startClient()
  await connected()
  const placement = await client.orders.place(ORDER)
  expect(placement).toMatchObject({
    kind: 'accepted',
    balance: 980,
    order: { symbol: 'BTC', direction: 1, stake: 20, entryPrice: 67_000.5, seconds: 60 },
  })
  expect(client.orders.pending.get()).toEqual([])
})

test("SO4: the client rejects an order with the server's message", async () => {
  server.answer = ({ action, data }, socket) => {
    const refusal = { type: 'newTrade', status: 'error', message: 'Insufficient Balance', code: 'insufficient_balance' }
    if (action === 'newTrade') socket.send(JSON.stringify({ ...refusal, clientOrderId: data?.clientOrderId }))
  }
  const { client, connected } = startClient()
  await connected()
  expect(await client.orders.place(ORDER)).toEqual({
    kind: 'refused',
    code: 'insufficient_balance',
    message: 'Insufficient Balance',
  })
})

test('the client sends an order again under the same id after its reply was lost', async () => {
  let orders = 0
  server.answer = ({ action, data }, socket) => {
    if (action !== 'newTrade') return
    orders++
    if (orders === 1) socket.terminate()
    else socket.send(JSON.stringify(acceptance(data?.clientOrderId ?? '')))
  }
  const { client, connected } = startClient()
  await connected()
  expect(await client.orders.place(ORDER)).toMatchObject({ kind: 'accepted' })
  const ids = server.messages.filter(({ action }) => action === 'newTrade').map(({ data }) => data?.clientOrderId)
  expect(ids).toEqual(['order-1', 'order-1'])
})

test('the client sends an order from before a reload again and reports the reply', async () => {
  const waiting = { ...waitingOrder('before-reload'), startedAt: Date.now(), validUntil: Date.now() + 3_000 }
  server.answer = (message, socket) => {
    if (message.action === 'newTrade') socket.send(JSON.stringify(acceptance(message.data?.clientOrderId ?? '')))
  }
  const { client } = startClient({ stored: [waiting] })
  const answers: [string, Placement['kind']][] = []
  client.orders.onAnswer((id, placement) => answers.push([id, placement.kind]))
  await vi.waitFor(() => expect(answers).toEqual([['before-reload', 'accepted']]))
})

test("never sends another user's pending order", async () => {
  const theirs = { ...waitingOrder('theirs'), userId: 'bob', startedAt: Date.now() }
  const { connected } = startClient({ stored: [theirs] })
  await connected()
  await vi.waitFor(() => expect(actions()).toContain('ping'))
  expect(actions()).not.toContain('newTrade')
})

test("the client does not look up another user's overdue order, and looks it up once its user is back", async () => {
  let userId = 'alice'
  const theirs = { ...waitingOrder('theirs'), userId: 'bob', isOverdue: true }
  const askRecent = vi.fn<() => Promise<OwnTrade[]>>(async () => [ownTrade('theirs')])
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const { client, connected } = startClient({ stored: [theirs], askEveryMs: 10, askRecent, userId: () => userId })
    await connected()
    vi.advanceTimersByTime(1_000)
    expect(askRecent).not.toHaveBeenCalled()
    userId = 'bob'
    client.tokenChanged()
    await vi.waitFor(() => expect(client.orders.pending.get()).toEqual([]))
    expect(askRecent).toHaveBeenCalledOnce()
  } finally {
    vi.useRealTimers()
  }
})

test('the client looks up an overdue order instead of sending it, and reports the order as accepted once it is found', async () => {
  server.answer = () => undefined
  const { client, connected } = startClient({
    resendForMs: 20,
    askEveryMs: 10,
    askRecent: async () => [ownTrade('order-1')],
  })
  await connected()
  expect(await client.orders.place(ORDER)).toMatchObject({ kind: 'accepted', order: { id: 'trade-order-1' } })
})

test('the client reports an overdue order as not placed when the server does not know it, also after failed look-ups', async () => {
  server.answer = () => undefined
  let lookUps = 0
  const { client, connected } = startClient({
    resendForMs: 20,
    askEveryMs: 10,
    askRecent: async () => {
      lookUps++
      if (lookUps === 1) throw new Error('no network')
      return []
    },
  })
  await connected()
  expect(await client.orders.place(ORDER)).toEqual({ kind: 'refused', code: 'not_taken', message: '' })
  expect(lookUps).toBe(3)
})

test('SO4: an accepted order stays accepted although the server refuses its repeat', async () => {
  let isRestarted = false
  server.answer = ({ action, data }, socket) => {
    if (action !== 'newTrade') return
    if (isRestarted) socket.send(JSON.stringify(refusal('restarting', data?.clientOrderId)))
    else socket.terminate()
    isRestarted = true
  }
  const { client, connected } = startClient({ askEveryMs: 10, askRecent: async () => [ownTrade('order-1')] })
  await connected()
  expect(await client.orders.place(ORDER)).toMatchObject({ kind: 'accepted', order: { id: 'trade-order-1' } })
  expect(client.orders.pending.get()).toEqual([])
})

test('SO4: an accepted order stays accepted although the server failed after storing it', async () => {
  answerWith('server_error')
  const { client, connected } = startClient({ askEveryMs: 10, askRecent: async () => [ownTrade('order-1')] })
  await connected()
  expect(await client.orders.place(ORDER)).toMatchObject({ kind: 'accepted', order: { id: 'trade-order-1' } })
})

test('SO4: a refusal that leaves the order undecided is told once the order is in no list', async () => {
  answerWith('busy')
  let lookUps = 0
  const { client, connected } = startClient({ askEveryMs: 10, askRecent: async () => (lookUps++, []) })
  await connected()
  expect(await client.orders.place(ORDER)).toEqual({ kind: 'refused', code: 'busy', message: 'No: busy' })
  expect(lookUps).toBe(2)
})

test('SO4: a refusal of an order that was sent once is told at once', async () => {
  answerWith('payout_changed')
  const askRecent = vi.fn<() => Promise<OwnTrade[]>>(async () => [])
  const { client, connected } = startClient({ askRecent })
  await connected()
  const refused = { kind: 'refused', code: 'payout_changed', message: 'No: payout_changed' }
  expect(await client.orders.place(ORDER)).toEqual(refused)
  expect(askRecent).not.toHaveBeenCalled()
})

test.each(['payout_changed', 'reality_check_due'])(
  'SO4: the refusal %s of a repeated order is told once the order is in no list, also after a reload',
  async (code) => {
    answerWith(code)
    let lookUps = 0
    const stored = [{ ...waitingOrder('before-reload'), startedAt: Date.now(), validUntil: Date.now() + 3_603_000 }]
    const { client } = startClient({ stored, askEveryMs: 10, askRecent: async () => (lookUps++, []) })
    const answers: unknown[] = []
    client.orders.onAnswer((id, placement) => answers.push([id, placement]))
    const expected = [['before-reload', { kind: 'refused', code, message: `No: ${code}` }]]
    await vi.waitFor(() => expect(answers).toEqual(expected))
    expect(lookUps).toBe(2)
  },
)

test('SO4: the refusal of a repeated order is stored, and a reload does not lose it', async () => {
  answerWith('trading_paused')
  const saved: (readonly PendingOrder[])[] = []
  const askRecent = async () => Promise.reject(new Error('no network'))
  const stored = [{ ...waitingOrder('before-reload'), startedAt: Date.now(), validUntil: Date.now() + 3_603_000 }]
  const first = startClient({ stored, askRecent, save: (pending) => saved.push(pending) })
  const refused = { clientOrderId: 'before-reload', refusal: { code: 'trading_paused', message: 'No: trading_paused' } }
  await vi.waitFor(() => expect(saved.at(-1)).toMatchObject([refused]))
  first.client.close()
  const { client } = startClient({ stored: [...(saved.at(-1) ?? [])], askEveryMs: 10, askRecent: async () => [] })
  const answers: unknown[] = []
  client.orders.onAnswer((id, placement) => answers.push([id, placement]))
  await vi.waitFor(() => expect(answers).toEqual([['before-reload', { kind: 'refused', ...refused.refusal }]]))
})

test("A23: sends an order's validity by the server's clock, also when repeated", async () => {
  let orders = 0
  server.answer = ({ action, data }, socket) => {
    if (action !== 'newTrade') return
    orders++
    if (orders === 1) socket.terminate()
    else socket.send(JSON.stringify(acceptance(data?.clientOrderId ?? '')))
  }
  const { client, connected } = startClient()
  await connected()
  const tappedAt = Date.now()
  await client.orders.place(ORDER)
  const [first, again] = server.messages
    .filter(({ action }) => action === 'newTrade')
    .map(({ data }) => data?.validUntil ?? 0)
  expect((first ?? 0) - tappedAt).toBeGreaterThanOrEqual(3_603_000)
  expect((first ?? 0) - tappedAt).toBeLessThan(3_700_000)
  expect(again).toBe(first)
})

test('A23: the client gives up an order that cannot be sent in time, and never sends it', async () => {
  const wire = fakeWire()
  const orders = { ...quietDoors().orders, validForMs: 30 }
  const client = createAppClient({ ...quietDoors(), orders, open: wire.open, onConnection: () => undefined })
  clients.push(client)
  expect(await client.orders.place(ORDER)).toEqual({ kind: 'refused', code: 'not_taken', message: '' })
  wire.events?.opened()
  expect(client.orders.pending.get()).toEqual([])
  expect(wire.sent.filter((text) => text.includes('newTrade'))).toEqual([])
})

test('A23: the client cancels an order that waits for the connection, but not an order that was sent', async () => {
  const { client, connected } = startClient()
  const placed = client.orders.place(ORDER)
  expect(client.orders.pending.get()).toMatchObject([{ clientOrderId: 'order-1', isSent: false }])
  client.orders.cancel('order-1')
  expect(await placed).toEqual({ kind: 'refused', code: 'cancelled', message: '' })
  await connected()
  const sent = client.orders.place(ORDER)
  expect(client.orders.pending.get()).toMatchObject([{ clientOrderId: 'order-2', isSent: true }])
  client.orders.cancel('order-2')
  await vi.waitFor(() => expect(actions()).toContain('newTrade'))
  server.say(acceptance('order-2'))
  expect(await sent).toMatchObject({ kind: 'accepted' })
  expect(actions().filter((action) => action === 'newTrade')).toHaveLength(1)
})

test('A23: gives up an unsent order from before a reload once it has expired', async () => {
  const left = { ...waitingOrder('left'), validUntil: 1, isSent: false }
  const { client, connected } = startClient({ stored: [left] })
  await connected()
  expect([client.orders.pending.get(), actions().includes('newTrade')]).toEqual([[], false])
})

test('A24: the client notices a lost network within 3 s, and its return at the first message', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'], now: 1_000_000 })
  try {
    const changes: [string, number, number][] = []
    const wire = fakeWire()
    const client = createAppClient({
      ...quietDoors(),
      open: wire.open,
      onConnection: (state, lastMessageAt) => changes.push([state, Date.now(), lastMessageAt]),
    })
    clients.push(client)
    wire.events?.opened()
    wire.events?.message('{}')
    expect(changes.at(-1)).toEqual(['connected', 1_000_000, 1_000_000])
    for (let second = 0; second < 5; second++) {
      vi.advanceTimersByTime(1_000)
      wire.events?.message('{}')
    }
    expect(changes).toHaveLength(1)
    vi.advanceTimersByTime(3_000)
    expect(changes.at(-1)).toEqual(['offline', 1_007_500, 1_005_000])
    // The client sent repeated pings during the silence and kept the connection.
    expect(wire.sent.filter((text) => text.includes('ping')).length).toBeGreaterThanOrEqual(3)
    expect(wire.opened).toBe(1)
    wire.events?.message('{}')
    expect(changes.at(-1)).toEqual(['connected', 1_008_000, 1_008_000])
    vi.advanceTimersByTime(2_250)
    expect(changes.at(-1)?.[0]).toBe('connected')
  } finally {
    vi.useRealTimers()
  }
})

test('A24: the client is offline when no connection succeeds, or when the device reports no network', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'], now: 1_000_000 })
  try {
    const states: string[] = []
    const wire = fakeWire()
    const client = createAppClient({ ...quietDoors(), open: wire.open, onConnection: (state) => states.push(state) })
    clients.push(client)
    vi.advanceTimersByTime(2_750)
    expect(states).toEqual(['offline'])
    wire.events?.opened()
    expect(states).toEqual(['offline', 'connected'])
    client.networkLost()
    expect(states.at(-1)).toBe('offline')
  } finally {
    vi.useRealTimers()
  }
})

function fakeWire() {
  const wire = {
    events: null as WireEvents | null,
    sent: [] as string[],
    opened: 0,
    open: (_address: string, events: WireEvents) => {
      wire.events = events
      wire.opened++
      return { send: (text: string) => wire.sent.push(text) > 0, close: () => undefined }
    },
  }
  return wire
}

function quietDoors(): Omit<AppClientDeps, 'open' | 'onConnection'> {
  const nothing = () => undefined
  return {
    address: () => '',
    token: () => null,
    now: Date.now,
    clock: createServerClock(),
    onTicks: nothing,
    onTradeStatus: nothing,
    onMarketStatus: nothing,
    onBalanceChanged: nothing,
    onLimitsChanged: nothing,
    onResync: nothing,
    orders: {
      serverNow: Date.now,
      userId: () => null,
      askRecent: async () => [],
      newId: () => 'order',
      load: () => null,
      save: nothing,
    },
    results: { loadAnnounced: () => [], saveAnnounced: nothing },
  }
}

test('SO5: the client reports a result once and acknowledges each delivery, also after a reconnect', async () => {
  server.answer = ({ action }, socket) => {
    if (action === 'subscribe') socket.send(JSON.stringify(RESULT))
  }
  const resultIds: string[] = []
  const { client } = startClient()
  client.results.onResult(({ id }) => resultIds.push(id))
  await vi.waitFor(() => expect(seen()).toEqual([['t1']]))
  server.drop()
  await vi.waitFor(() => expect(seen()).toEqual([['t1'], ['t1']]))
  expect(resultIds).toEqual(['t1'])
  expect(client.results.get('t1')).toMatchObject({ result: 1, result_amount: 17 })
})

test('only one of two tabs announces a result', () => {
  const announced: { ids: readonly string[] } = { ids: [] }
  const [first, second] = [startClient({ announced }), startClient({ announced })]
  expect(first.client.results.claim('t1')).toBe(true)
  expect(second.client.results.claim('t1')).toBe(false)
  expect(second.client.results.claim('t2')).toBe(true)
})

const RESULT = {
  type: 'tradeResult',
  status: 'success',
  data: {
    id: 't1',
    trx: 'x',
    crypto: { name: 'Bitcoin', symbol: 'BTC', market_type: 'crypto' },
    result: 1,
    result_amount: 17,
    user_balance: 1017,
  },
}

interface ClientOptions {
  onConnection?: (state: string) => void
  onResync?: () => void
  onTradeStatus?: (status: unknown) => void
  onBalanceChanged?: () => void
  onLimitsChanged?: () => void
  token?: () => string | null
  userId?: () => string
  silenceMs?: number
  warnAfterMs?: number
  validForMs?: number
  resendForMs?: number
  askEveryMs?: number
  askRecent?: () => Promise<OwnTrade[]>
  stored?: PendingOrder[]
  save?: (pending: readonly PendingOrder[]) => void
  announced?: { ids: readonly string[] }
}

function startClient(options: ClientOptions = {}) {
  const clock = createServerClock()
  const { announced = { ids: [] }, resendForMs, askEveryMs, validForMs, warnAfterMs } = options
  let orders = 0
  let isConnected = false
  const client = createAppClient({
    address: () => server.address,
    open: openNodeWire,
    token: options.token ?? (() => 'secret'),
    now: Date.now,
    clock,
    onTicks: () => undefined,
    onConnection: (state) => {
      isConnected = state === 'connected'
      options.onConnection?.(state)
    },
    onTradeStatus: options.onTradeStatus ?? (() => undefined),
    onMarketStatus: () => undefined,
    onBalanceChanged: options.onBalanceChanged ?? (() => undefined),
    onLimitsChanged: options.onLimitsChanged ?? (() => undefined),
    onResync: options.onResync ?? (() => undefined),
    orders: {
      serverNow: () => Date.now() + 3_600_000,
      userId: options.userId ?? (() => 'alice'),
      askRecent: options.askRecent ?? (async () => []),
      newId: () => `order-${++orders}`,
      load: () => options.stored ?? null,
      save: options.save ?? (() => undefined),
      ...(validForMs !== undefined && { validForMs }),
      ...(resendForMs !== undefined && { resendForMs }),
      ...(askEveryMs !== undefined && { askEveryMs }),
    },
    results: {
      loadAnnounced: () => announced.ids,
      saveAnnounced: (ids) => {
        announced.ids = ids
      },
    },
    ...(warnAfterMs !== undefined && { warnAfterMs }),
    silenceMs: options.silenceMs ?? 60_000,
    backOffMs: [5],
  })
  clients.push(client)
  return { client, clock, connected: () => vi.waitFor(() => expect(isConnected).toBe(true)) }
}

const openNodeWire: OpenWire = (address, events) => {
  const socket = new WebSocket(address)
  socket.on('open', events.opened)
  socket.on('message', (data: Buffer) => events.message(data.toString()))
  socket.on('close', events.closed)
  socket.on('error', () => undefined) // A `close` event follows each error, so the error needs no handling.
  const send = (text: string): boolean => {
    if (socket.readyState !== WebSocket.OPEN) return false
    socket.send(text)
    return true
  }
  return { send, close: () => socket.terminate() }
}

function startServer(): Promise<Server> {
  const sockets = new Set<WebSocket>()
  const messages: ClientMessage[] = []
  const listening = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  const started: Omit<Server, 'address'> = {
    messages,
    sockets,
    answer: ({ action }, socket) => {
      if (action !== 'ping') return
      const data = { tradeStatus: 0, tradeReason: 'under review', serverTime: Date.now() + 3_600_000 }
      const pingMarketStatus = { crypto: true, us_stocks: false, us_fx: true }
      socket.send(JSON.stringify({ type: 'pong', data, pingMarketStatus }))
    },
    say: (message) => {
      for (const socket of sockets) socket.send(JSON.stringify(message))
    },
    drop: () => {
      for (const socket of sockets) socket.terminate()
    },
    close: () =>
      new Promise((resolve) => {
        started.drop()
        listening.close(() => resolve())
      }),
  }
  listening.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('message', (data: Buffer) => {
      const message: ClientMessage = JSON.parse(data.toString())
      messages.push(message)
      started.answer(message, socket)
    })
  })
  return new Promise((resolve) => {
    listening.on('listening', () => {
      const address = listening.address()
      if (typeof address !== 'object' || address === null) throw new Error('not listening on a port')
      resolve(Object.assign(started, { address: `ws://127.0.0.1:${address.port}` }))
    })
  })
}

function actions(): string[] {
  return server.messages.map(({ action }) => action)
}

function seen(): (string[] | undefined)[] {
  return server.messages.filter(({ action }) => action === 'seen').map(({ ids }) => ids)
}

/** An order from before a reload, sent once. */
function waitingOrder(clientOrderId: string): PendingOrder {
  return {
    clientOrderId,
    userId: 'alice',
    request: ORDER,
    startedAt: 0,
    validUntil: 0,
    isSent: true,
    isResent: false,
    isOverdue: false,
    refusal: null,
  }
}

/** Lets the server refuse each order. */
function answerWith(code: string): void {
  server.answer = ({ action, data }, socket) => {
    if (action === 'newTrade') socket.send(JSON.stringify(refusal(code, data?.clientOrderId)))
  }
}

function refusal(code: string, clientOrderId: string | undefined) {
  return { type: 'newTrade', status: 'error', message: `No: ${code}`, code, clientOrderId }
}

function acceptance(clientOrderId: string) {
  const data = {
    id: `trade-${clientOrderId}`,
    trx: 'TRX',
    clientOrderId,
    symbol: 'BTC',
    high_low: 1,
    amount: 20,
    profit_percentage: 85,
    time: 60,
    opened_at: '2026-01-05T10:00:00.000Z',
    expires_at: '2026-01-05T10:01:00.000Z',
    entry: { q: 1, time_ms: 1 },
    user_balance: 980,
  }
  return { type: 'newTrade', status: 'success', trade_price: 67_000.5, data }
}

function ownTrade(clientOrderId: string): OwnTrade {
  return {
    id: `trade-${clientOrderId}`,
    trx: 'TRX',
    clientOrderId,
    symbol: 'BTC',
    decimals: 2,
    market_type: 'crypto',
    high_low: 1,
    amount: 20,
    profit_percentage: 85,
    trade_setting: { time: 60, unit: 'minute' },
    opened_at: '2026-01-05T10:00:00.000Z',
    expires_at: '2026-01-05T10:01:00.000Z',
    price_was: 67_000.5,
    entry: { q: 1, time_ms: Date.UTC(2026, 0, 5, 9, 59, 59, 950) },
    post_trade_price: null,
    result: 0,
    result_amount: null,
    void_reason: null,
    rule_version: 1,
    awaiting_record: null,
  }
}
