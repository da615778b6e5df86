// P10: one new price at a time to 2,000 clients, compared with a bare TCP server that writes the same bytes in a loop.
// Gate 0.7, goal 0.85. BENCH_CLIENTS and BENCH_SECONDS change its size.
import { race } from './lib/fan-out/race.ts'

const title = 'P10: one price per write, our sockets : bare TCP'
process.exitCode = (await race({ title, perWrite: 1, other: 'tcp', gate: 0.7, goal: 0.85 })) ? 0 : 1
