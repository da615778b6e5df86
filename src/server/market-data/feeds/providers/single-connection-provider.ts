import { createHideKey, withoutKey } from '#server/market-data/feeds/providers/hide-key.ts'
import type { LineAddress } from '#server/market-data/feeds/providers/provider-connection.ts'
import { type Conversation, type Line, ProviderSocket } from '#server/market-data/feeds/providers/provider-socket.ts'
import type {
  Provider,
  ProviderHistory,
  ProviderSink,
  ProviderSymbol,
  ProviderTools,
} from '#server/market-data/feeds/providers/provider.ts'
import type { ProviderTrades } from '#server/market-data/feeds/providers/provider-trades.ts'
import type { RestPeriods } from '#server/market-data/feeds/providers/rest-period.ts'
import type { RestLimits } from '#server/market-data/feeds/providers/rest-client.ts'
import type { SocketLimits } from '#server/market-data/feeds/providers/socket-limits.ts'

/** The subscribed symbols with their channels. */
export type Following = ReadonlyMap<string, ProviderSymbol['channel']>

/** A conversation that accepts new subscriptions while it runs. */
export interface Asking extends Conversation {
  ask(symbols: readonly string[]): void
}

/** Limits that tests shorten. */
export interface ProviderLimits {
  readonly socket?: Partial<SocketLimits>
  readonly rest?: Partial<RestLimits>
}

export interface SingleConnectionPlan {
  readonly name: string
  readonly address: LineAddress
  /** The key, which is removed from all reports. */
  readonly key?: string
  readonly limits: SocketLimits
  readonly maxSymbols: number
  readonly history: (ProviderHistory & { stop(): void; readonly trades?: ProviderTrades }) | null
  readonly rests: RestPeriods
  /** Called at the start. The returned function creates a conversation for each opened connection. */
  readonly begin: (sink: ProviderSink) => (line: Line, symbols: Following) => Asking
}

/** A provider that sends all its symbols over one connection, opened when there is a symbol to subscribe to. */
export function singleConnectionProvider(tools: ProviderTools, plan: SingleConnectionPlan): Provider {
  const symbols = new Map<string, ProviderSymbol['channel']>()
  const tooMany = new Set<string>()
  let running: { readonly sink: ProviderSink; readonly socket: ProviderSocket<Asking> } | null = null
  let isStopped = false

  function refuse(sink: ProviderSink, symbol: string): void {
    const why = `${plan.name} sends no more than ${plan.maxSymbols} symbols`
    sink.trouble({ kind: 'refused', symbol, why })
  }

  function follow({ symbol, channel }: ProviderSymbol): void {
    if (symbols.has(symbol) || tooMany.has(symbol) || isStopped) return
    if (symbols.size >= plan.maxSymbols) {
      tooMany.add(symbol)
      if (running !== null) refuse(running.sink, symbol)
      return
    }
    symbols.set(symbol, channel)
    running?.socket.start()
    for (const conversation of running?.socket.conversations() ?? []) conversation.ask([symbol])
  }

  function start(listener: ProviderSink): void {
    if (running !== null || isStopped) return
    const sink = plan.key === undefined ? listener : withoutKey(listener, createHideKey(plan.key))
    const talk = plan.begin(sink)
    plan.rests.sink = sink
    const socket = new ProviderSocket<Asking>(tools, {
      ...plan.address,
      limits: plan.limits,
      rest: plan.rests.connections,
      talk: (line) => talk(line, symbols),
      connected: () => sink.connected(),
      disconnected: (why) => sink.trouble({ kind: 'disconnected', symbols: [...symbols.keys()], why }),
      unreadable: (why) => sink.trouble({ kind: 'unreadable', why }),
    })
    running = { sink, socket }
    for (const symbol of tooMany) refuse(sink, symbol)
    if (symbols.size > 0) socket.start()
  }

  async function stop(): Promise<void> {
    isStopped = true
    plan.rests.sink = null
    plan.history?.stop()
    await running?.socket.stop()
  }

  const { name, history, rests } = plan
  return { name, history, trades: history?.trades, restsUntil: () => rests.until, start, follow, stop }
}
