import type { RunningEngine } from '#server/trading/engine/create-engine.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Sockets } from '#server/sockets/create-sockets.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { Nodes } from '#server/app/cluster/join-cluster.ts'
import type { Readiness } from '#server/app/health/readiness.ts'
import type { ReceiptWorker } from '#server/proof/receipts/receipt-worker.ts'

export interface MeteredParts {
  readonly engine: RunningEngine
  readonly live: Sockets
  readonly receipts: ReceiptWorker
  readonly readiness: Readiness
  readonly database: Database | null
  readonly nodes: Nodes | null
}

/** Registers metrics for every queue and for the readiness, leases and peers of this server. */
export function meterServer(
  { engine, live, receipts, readiness, database, nodes }: MeteredParts,
  metrics: Metrics,
): void {
  metrics.figure('ready', 'Whether this server is ready for calls', () => Number(readiness.reason() === null))
  metrics.figure('takes_orders', 'Whether this server accepts orders', () => Number(engine.takesOrders()))
  metrics.figure('orders_waiting', 'Orders that wait to be accepted', () => engine.load().waiting)
  metrics.figure('orders_held', 'Orders that are delayed because prices are late', () => engine.load().held)
  metrics.figure(
    'expiries_expected',
    'Expiries of open orders that this server waits for',
    () => engine.load().expected,
  )
  metrics.figure('ledger_clean', 'Whether the last reconciliation found no mismatch', () =>
    Number(engine.lastCheck()?.clean ?? true),
  )
  metrics.figure(
    'ledger_checked_seconds',
    'Time of the last reconciliation, in seconds since 1970',
    () => (engine.lastCheck()?.at ?? 0) / 1000,
  )
  metrics.figure(
    'ledger_whole_seconds',
    'Time of the last full reconciliation, in seconds since 1970',
    () => (engine.lastCheck()?.wholeAt ?? 0) / 1000,
  )
  metrics.figure('receipts_waiting', 'Orders that wait for their receipt', () => receipts.waiting())
  metrics.figure('sockets', 'Open sockets', () => live.load().sockets)
  metrics.figure('socket_waiting_bytes', 'Bytes written to sockets and not sent yet', () => live.load().waitingBytes)
  if (database !== null)
    metrics.figure('database_waiting', 'Statements that wait for a connection', () => database.waiting())
  if (nodes === null) return
  const { leases, bus } = nodes
  metrics.figure(
    'lease_held',
    'Leases that this server holds',
    () => leases.held().map((lease) => [lease, 1] as const),
    'lease',
  )
  metrics.figure('nodes', 'Live servers, including this one', () => leases.peers().length + 1)
  metrics.figure('bus_connected', 'Whether this server is connected to the message bus', () =>
    Number(bus.isConnected()),
  )
  metrics.figure(
    'bus_messages_total',
    'Messages between servers, by outcome',
    () => Object.entries(bus.counts()),
    'what',
  )
}
