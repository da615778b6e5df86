import type { ProcessorTime } from '../processor-time.ts'
import type { RunFigures } from './protocol.ts'

/** Returns the processor time in µs per accepted order, of the server, the database sessions and the driver. */
export function costPerOrder({ server, database }: ProcessorTime, run: RunFigures): [number, number, number] {
  return [
    (server * 1_000) / run.acknowledged,
    (database * 1_000) / run.acknowledged,
    (run.processor * 1e6) / run.perSecond,
  ]
}
