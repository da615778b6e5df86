import { afterEach, describe, expect, test } from 'vitest'
import type { ProviderSymbol, Quote } from '#server/market-data/feeds/providers/provider.ts'
import type { SocketLimits } from '#server/market-data/feeds/providers/socket-limits.ts'
import { describeHistory } from '#test/contracts/history-contract.ts'
import { describeParser } from '#test/contracts/parser-contract.ts'
import { ProviderServer } from '#test/support/providers/provider-server.ts'
import { type Hurry, type ProviderUnderTest, until } from '#test/support/providers/provider-under-test.ts'
import { countedTools, ProviderRecorder } from '#test/support/providers/provider-recorder.ts'

const HURRY: Hurry = {
  socket: {
    openWithinMs: 10_000,
    readyWithinMs: 10_000,
    silenceMs: 10_000,
    overlapMs: 20,
    backOffFromMs: 2,
    backOffToMs: 20,
    betweenSendsMs: 0,
    closeWithinMs: 100,
    maxBytes: 65_536,
  },
  rest: { answerWithinMs: 10_000, betweenCallsMs: 0, maxBytes: 1_000_000 },
}

/** Short limits only for servers that do not reply. Otherwise a slow machine could look like a silent server. */
const IMPATIENT: Partial<SocketLimits> = { openWithinMs: 300, readyWithinMs: 500, silenceMs: 500 }

const NO_PRICES = [
  '0',
  '"0"',
  '"0.00000000"',
  '-1',
  '"-1.5"',
  '"NaN"',
  '"Infinity"',
  '1e309',
  '"1e309"',
  'null',
  '"abc"',
  '{}',
  '[]',
  '""',
  'true',
  '"0x10"',
  '" 1"',
  '"1,5"',
  '[1]',
  '"1e5"',
] // prettier-ignore

interface Misbehaviour {
  readonly what: string
  readonly run: (server: ProviderServer) => unknown
  readonly limits?: Partial<SocketLimits>
}

/** Defines the tests of every adapter, against a simulated provider over a real socket that also misbehaves. */
export function describeProviderContract(name: string, under: ProviderUnderTest): void {
  const bench = openBench(under)
  describeRecordings(name, under, bench)
  describeReconnects(name, under, bench)
  describeBadMessages(name, under, bench)
  describeSymbols(name, under, bench)
  describeParser(name, under)
  describeHistory(name, under, (mood) => bench.connect([], {}, mood === 'impatient' ? { answerWithinMs: 500 } : {}))
}

type Bench = ReturnType<typeof openBench>

/** Connects adapters to simulated providers, and closes both after each test. */
function openBench(under: ProviderUnderTest) {
  let closing: (() => Promise<void>)[] = []

  async function connect(
    symbols: readonly ProviderSymbol[] = under.symbols,
    hurry: Partial<SocketLimits> = {},
    rest: Hurry['rest'] = {},
  ) {
    const server = await ProviderServer.start(under.protocol())
    const tools = countedTools()
    const provider = under.create({ name: 'tested', url: server.url, restUrl: server.restUrl, key: 'k3y' }, tools, {
      rest: { ...HURRY.rest, ...rest },
      socket: { ...HURRY.socket, ...hurry },
    })
    const recorder = new ProviderRecorder()
    closing.push(
      () => provider.stop(),
      () => server.stop(),
    )
    for (const symbol of symbols) provider.follow(symbol)
    provider.start(recorder)
    return { server, tools, provider, recorder }
  }

  async function follow(symbols: readonly ProviderSymbol[] = under.symbols, hurry: Partial<SocketLimits> = {}) {
    const all = await connect(symbols, hurry)
    await followed(all.server, symbols)
    return all
  }

  function followed(server: ProviderServer, symbols: readonly ProviderSymbol[] = under.symbols) {
    return until(() => expect(symbols.every((symbol) => server.follows(symbol))).toBe(true))
  }

  function tell(server: ProviderServer, symbol: ProviderSymbol, n: number): Quote {
    const { messages, quote } = under.tell(symbol, n)
    server.say(...messages)
    return quote
  }

  afterEach(async () => {
    for (const close of closing) await close()
    closing = []
  })

  return { connect, follow, followed, tell }
}

function describeRecordings(name: string, under: ProviderUnderTest, bench: Bench): void {
  const [first] = under.symbols
  const { follow, tell } = bench
  describe(`${name}: recorded messages`, () => {
    test.each(under.recordings.map((recording) => [recording.name, recording] as const))(
      '%s: every price once, exact, in order',
      async (_, { symbols, messages, quotes }) => {
        const { server, recorder } = await follow(symbols)
        await server.play(messages)
        await until(() => expect(recorder.quotes.length).toBeGreaterThanOrEqual(quotes.length))
        expect(recorder.quotes).toEqual(quotes)
        expect(recorder.latecomers()).toEqual([])
        expect(recorder.kinds()).not.toContain('unreadable')
      },
    )

    test('a message in single bytes is read as one', async () => {
      const { server, recorder } = await follow()
      const { messages, quote } = under.tell(first, 1)
      for (const message of messages) await server.saySlowly(message)
      await until(() => expect(recorder.quotes).toEqual([quote]))
    })

    test.runIf(under.tellsRepeats)('repeated and late messages change nothing', async () => {
      const { server, recorder } = await follow()
      const reports = [1, 2, 3, 4].map((n) => under.tell(first, n))
      for (const n of [0, 0, 1, 0, 2, 1, 0, 2]) server.say(...(reports[n]?.messages ?? []))
      const last = tell(server, first, 4)
      await until(() => expect(recorder.quotes.at(-1)).toEqual(last))
      expect(recorder.quotes).toEqual(reports.map(({ quote }) => quote))
    })
  })
}

function describeReconnects(name: string, under: ProviderUnderTest, bench: Bench): void {
  const [first, second] = under.symbols
  const { follow, followed, tell } = bench
  describe(`${name}: a misbehaving server`, () => {
    const cuts: Misbehaviour[] = [
      { what: 'says goodbye', run: (server) => server.drop('politely') },
      { what: 'pulls the plug', run: (server) => server.drop('rudely') },
      { what: 'freezes', run: (server) => server.freeze(), limits: IMPATIENT },
      { what: 'sends half a message', run: (server) => server.sayHalf(under.tell(first, 2).messages[0] ?? '') },
      { what: 'sends too much at once', run: (server) => server.sayToAll('x'.repeat(100_000)) },
      { what: 'sends bytes that are no text', run: (server) => server.sayNoText() },
      { what: 'refuses everybody for a while', run: behindDoor('refuse', 3) },
      { what: 'finds that we come too often', run: behindDoor('too-often', 2) },
      { what: 'never answers a handshake', run: behindDoor('hang', 2), limits: IMPATIENT },
      { what: 'shakes hands and falls silent', run: behindDoor('mute', 2), limits: IMPATIENT },
    ]

    test.each(cuts)('$what: the adapter reconnects by itself and repeats nothing', async ({ run, limits }) => {
      const { server, recorder } = await follow(under.symbols, limits)
      const before = [tell(server, first, 1), tell(server, second, 1)]
      await until(() => expect(recorder.quotes).toHaveLength(2))
      const knocked = server.knocks
      await run(server)
      server.door = 'open'
      await until(() => expect(server.knocks).toBeGreaterThan(knocked))
      await followed(server)
      if (under.tellsRepeats) tell(server, first, 1)
      const after = [tell(server, first, 3), tell(server, second, 3)]
      await until(() => expect(recorder.quotes).toHaveLength(4))
      expect(bySymbol(recorder.quotes)).toEqual(bySymbol([...before, ...after]))
      expect(recorder.kinds()).toContain('disconnected')
      await until(() => expect(recorder.connections).toBe(2))
      expect(JSON.stringify(recorder.troubles)).not.toContain('k3y')
    })

    test.runIf(under.renews === true)('a renewed connection loses and repeats nothing', async () => {
      const { server, recorder } = await follow([first], { renewAfterMs: 40, overlapMs: 30 })
      const sentQuotes: Quote[] = []
      await until(() => {
        sentQuotes.push(tell(server, first, sentQuotes.length + 1))
        expect(server.knocks).toBeGreaterThanOrEqual(4)
      })
      await until(() => expect(recorder.quotes.length).toBeGreaterThanOrEqual(sentQuotes.length))
      expect(recorder.quotes).toEqual(sentQuotes)
      expect(recorder.troubles).toEqual([])
      expect(recorder.connections).toBe(1)
      await until(() => expect(server.clients).toBeLessThanOrEqual(2))
    })
  })
}

function describeBadMessages(name: string, under: ProviderUnderTest, bench: Bench): void {
  const [first, second] = under.symbols
  const { follow, tell } = bench
  describe(`${name}: a misbehaving server`, () => {
    test('unreadable messages are reported and skipped', async () => {
      const { server, recorder } = await follow()
      const [message = ''] = under.tell(first, 1).messages
      const garbage = ['', '{', message.slice(0, -1), `${message}}`, 'hello', '<html>', '\u0000', message.slice(1)]
      for (const text of garbage) server.sayToAll(text)
      for (const text of ['null', '[]', '{}', '7', '"x"', '[[[[]]]]', '{"data":[null,7]}']) server.sayToAll(text)
      if (under.readsBinary !== true) server.sayToAll(Buffer.from(message))
      const quote = tell(server, first, 2)
      await until(() => expect(recorder.quotes).toHaveLength(1))
      expect(recorder.quotes).toEqual([quote])
      expect(recorder.troubles.filter(({ kind }) => kind === 'unreadable').length).toBeGreaterThanOrEqual(
        garbage.length,
      )
      expect(recorder.kinds()).not.toContain('disconnected')
    })

    test('invalid prices produce no quote', async () => {
      const { server, recorder } = await follow()
      NO_PRICES.forEach((json, n) =>
        server.say(...under.tell(first, n + 1).messages.map((message) => under.withPrice(message, json))),
      )
      const quote = tell(server, first, NO_PRICES.length + 1)
      await until(() => expect(recorder.quotes.at(-1)).toEqual(quote))
      expect(recorder.quotes).toEqual([quote])
    })

    test('symbols without a subscription produce no quote', async () => {
      const { server, recorder } = await follow([first])
      for (const message of under.tell(second, 1).messages) server.sayToAll(message)
      const quote = tell(server, first, 1)
      await until(() => expect(recorder.quotes).toHaveLength(1))
      expect(recorder.quotes).toEqual([quote])
    })
  })
}

function describeSymbols(name: string, under: ProviderUnderTest, bench: Bench): void {
  const [first, second] = under.symbols
  const { connect, follow, followed, tell } = bench
  describe(`${name}: following symbols`, () => {
    test('a refused symbol is reported, and the others continue', async () => {
      const { server, recorder } = await connect([first, under.unknown, second])
      await followed(server)
      await until(() => {
        const refused = recorder.troubles.filter(({ kind }) => kind === 'refused')
        expect(refused).toEqual([expect.objectContaining({ symbol: under.unknown.symbol })])
      })
      const sentQuotes = [tell(server, first, 1), tell(server, second, 1)]
      await until(() => expect(bySymbol(recorder.quotes)).toEqual(bySymbol(sentQuotes)))
      expect(recorder.kinds()).not.toContain('disconnected')
    })

    test('a symbol added at runtime is followed, also after a reconnect', async () => {
      const { server, provider, recorder } = await follow([first])
      provider.follow(second)
      provider.follow(second)
      await followed(server)
      const sentQuotes = [tell(server, first, 1), tell(server, second, 1)]
      await until(() => expect(bySymbol(recorder.quotes)).toEqual(bySymbol(sentQuotes)))
      const knocked = server.knocks
      server.drop('rudely')
      await until(() => expect(server.knocks).toBeGreaterThan(knocked))
      await followed(server)
      sentQuotes.push(tell(server, second, 2))
      await until(() => expect(bySymbol(recorder.quotes)).toEqual(bySymbol(sentQuotes)))
    })

    test('the adapter respects every limit of the provider', async () => {
      const { symbols, connections } = under.many ?? { symbols: under.symbols, connections: 1 }
      const { server } = await follow(symbols)
      expect(server.clients).toBe(connections)
      expect(server.violations).toEqual([])
    })

    test('after stop nothing arrives and nothing remains open', async () => {
      for (const door of ['open', 'hang', 'mute', 'refuse'] as const) {
        const { server, tools, provider, recorder } = await connect()
        if (door === 'open') await followed(server)
        else {
          const knocked = server.knocks
          server.door = door
          server.drop('rudely')
          await until(() => expect(server.knocks).toBeGreaterThan(knocked))
        }
        await provider.stop()
        const before = recorder.all()
        tell(server, first, 1)
        expect(tools.pending()).toBe(0)
        await until(() => expect(server.clients).toBe(0))
        expect(recorder.all()).toEqual(before)
      }
    })
  })
}

function behindDoor(door: ProviderServer['door'], knocks: number): Misbehaviour['run'] {
  return async (server) => {
    const before = server.knocks
    server.door = door
    server.drop('rudely')
    await until(() => expect(server.knocks).toBeGreaterThanOrEqual(before + knocks))
  }
}

/** Groups quotes by symbol in their order. Symbols may arrive on different connections. */
function bySymbol(quotes: readonly Quote[]): Quote[] {
  return quotes.toSorted((a, b) => a.symbol.localeCompare(b.symbol))
}
