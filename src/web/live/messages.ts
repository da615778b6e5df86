import type {
  AlertMessage,
  MarketsChanged,
  NewDevice,
  NewTradeAccepted,
  NewTradeRefused,
  Pong,
  RealityCheckMessage,
  SocketError,
  TickMessage,
  TradeResultOut,
} from '#contract/live/app-socket.ts'

/** A message of the app socket, by kind. */
export type ServerMessage =
  | { kind: 'ticks'; ticks: readonly TickMessage[] }
  | { kind: 'pong'; pong: Pong }
  | { kind: 'accepted'; accepted: NewTradeAccepted }
  | { kind: 'refused'; refused: NewTradeRefused }
  | { kind: 'result'; result: TradeResultOut }
  | { kind: 'balance' }
  | { kind: 'limits' }
  | { kind: 'realityCheck'; check: RealityCheckMessage['data'] }
  | { kind: 'notice' }
  | { kind: 'alert'; fired: AlertMessage['data'] }
  | { kind: 'newDevice'; device: string }
  | { kind: 'markets'; changed: MarketsChanged }
  | { kind: 'error'; error: SocketError }

/**
 * Parses a message of the server. Returns null for unknown messages, which newer servers may send. The server builds
 * its messages from the contract, so their fields are not validated here.
 */
export function readServerMessage(text: string): ServerMessage | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (Array.isArray(value)) return { kind: 'ticks', ticks: value.filter(isTick) }
  if (isTick(value)) return { kind: 'ticks', ticks: [value] }
  if (typeof value !== 'object' || value === null || !('type' in value)) return null
  switch (value.type) {
    case 'pong':
      return { kind: 'pong', pong: value as Pong }
    case 'newTrade':
      return 'status' in value && value.status === 'success'
        ? { kind: 'accepted', accepted: value as NewTradeAccepted }
        : { kind: 'refused', refused: value as NewTradeRefused }
    case 'tradeResult':
      return { kind: 'result', result: value as TradeResultOut }
    case 'balanceChanged':
      return { kind: 'balance' }
    case 'limitsChanged':
      return { kind: 'limits' }
    case 'realityCheck':
      return { kind: 'realityCheck', check: (value as RealityCheckMessage).data }
    case 'notice':
      return { kind: 'notice' }
    case 'alert':
      return { kind: 'alert', fired: (value as AlertMessage).data }
    case 'newDevice':
      return { kind: 'newDevice', device: (value as NewDevice).data.device }
    case 'marketsChanged':
      return { kind: 'markets', changed: value as MarketsChanged }
    case 'error':
      return { kind: 'error', error: value as SocketError }
    default:
      return null
  }
}

function isTick(value: unknown): value is TickMessage {
  return (
    typeof value === 'object' &&
    value !== null &&
    's' in value &&
    typeof value.s === 'string' &&
    'c' in value &&
    typeof value.c === 'number'
  )
}

/** Returns `BTC` for `BTCUSDT`, `AAPL` for `AAPL`, `EURUSD` for `OANDA:EURUSD`. Only crypto ticks have `E`. */
export function tickCode({ s, E }: Pick<TickMessage, 's' | 'E'>): string {
  const name = s.replace(/^OANDA:/, '')
  return E === undefined ? name : name.replace(/USDT$/, '')
}
