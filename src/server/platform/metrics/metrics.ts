import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LATE_SECONDS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 2, 5, 7, 15, 60]
const SIZES = [1, 2, 5, 10, 25, 50, 100, 250, 500]

/** A value read on demand, or several of them by label. */
export type Figure = () => number | Iterable<readonly [label: string, value: number]>

export type Metrics = ReturnType<typeof createMetrics>

/**
 * The Prometheus metrics of a server. Names and meaning: docs/reference/faults-and-metrics.md. Values that can be
 * looked up are not stored: `figure` reads them when Prometheus scrapes.
 */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `fairwick_${name}`, help, buckets, registers })
  const counter = <const L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name: `fairwick_${name}`, help, labelNames, registers })

  return {
    orderSeconds: histogram('order_seconds', 'Time from an order to its reply', SECONDS),
    orders: counter('orders_total', 'Orders by reply: accepted, or the refusal', 'answer'),
    acceptSeconds: histogram(
      'accept_batch_seconds',
      'Duration of the statement that accepts a batch of orders',
      SECONDS,
    ),
    acceptSize: histogram('accept_batch_orders', 'Orders accepted by one statement', SIZES),
    settleSeconds: histogram(
      'settle_batch_seconds',
      'Duration of the statement that settles a batch of orders',
      SECONDS,
    ),
    settleSize: histogram('settle_batch_orders', 'Orders settled by one statement', SIZES),
    lateSeconds: histogram(
      'settle_late_seconds',
      'Time from the expiry of an order to its result in the database',
      LATE_SECONDS,
    ),
    voids: counter('expiries_void_total', 'Expiries without a price, by the reason', 'reason'),
    ledgerChecks: counter('ledger_checks_total', 'Reconciliations, by result', 'found'),
    tickSeconds: histogram('tick_seconds', 'Time from the arrival of a price until it is in the log', SECONDS),
    ticks: counter('ticks_total', 'Ticks written to the log'),
    httpSeconds: new Histogram({
      name: 'fairwick_http_seconds',
      help: 'Calls by route and class of status',
      labelNames: ['route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    logLines: counter('log_lines_total', 'Log lines about problems', 'level'),
    figure(name: string, help: string, look: Figure, label?: string): void {
      void new Gauge({
        name: `fairwick_${name}`,
        help,
        labelNames: label === undefined ? [] : [label],
        registers,
        collect() {
          const found = look()
          if (typeof found === 'number') return this.set(found)
          this.reset()
          for (const [value, figure] of found) this.set({ [label ?? '']: value }, figure)
        },
      })
    },
    /** Like `figure`, for values that only grow while the server runs, by several labels. */
    totals<const L extends string>(
      name: string,
      help: string,
      labelNames: readonly L[],
      look: () => Iterable<readonly [labels: Readonly<Record<L, string>>, total: number]>,
    ): void {
      void new Counter({
        name: `fairwick_${name}`,
        help,
        labelNames: [...labelNames],
        registers,
        collect() {
          this.reset()
          for (const [labels, total] of look()) this.inc(labels, total)
        },
      })
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
