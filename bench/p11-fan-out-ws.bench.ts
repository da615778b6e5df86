// P11: one new price at a time to 2,000 clients, compared with a loop of `ws.send`. Gate 0.95, goal 1.1. BENCH_CLIENTS
// and BENCH_SECONDS change its size.
import { race } from './lib/fan-out/race.ts'

const title = 'P11: one price per write, our sockets : a loop of ws.send'
process.exitCode = (await race({ title, perWrite: 1, other: 'ws', gate: 0.95, goal: 1.1 })) ? 0 : 1
