import type { ProcessorTime } from '../processor-time.ts'
import type { RunFigures } from './protocol.ts'

/** Of the server, of the sessions of the database and of the driver: µs of a processor for each order that was taken. */
export function costPerOrder({ server, database }: ProcessorTime, run: RunFigures): [number, number, number] {
  return [
    (server * 1_000) / run.acknowledged,
    (database * 1_000) / run.acknowledged,
    (run.processor * 1e6) / run.perSecond,
  ]
}
