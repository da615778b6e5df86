// P12: new prices of 20 symbols at a time, as in one flush, to 2,000 clients, compared with a loop of `ws.send` with
// one price each. The rates are prices per second, not messages per second. Gate 4, goal 7. BENCH_CLIENTS and
// BENCH_SECONDS change its size.
import { race } from './lib/fan-out/race.ts'
import { WATCHED_SYMBOLS } from './lib/fan-out/tick-text.ts'

const title = `P12: ${WATCHED_SYMBOLS} prices per write, our sockets : a loop of ws.send`
process.exitCode = (await race({ title, perWrite: WATCHED_SYMBOLS, other: 'ws', gate: 4, goal: 7 })) ? 0 : 1
