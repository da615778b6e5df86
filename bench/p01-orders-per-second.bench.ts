// P1: durable orders per second over sockets, 200 clients, compared with pgbench TPC-B on the same PostgreSQL. Gate 2,
// goal 4. BENCH_PAIRS, BENCH_SECONDS and BENCH_SCALE change its size. BENCH_PROFILE names a file for a profile of the
// server's processor time.
import { againstTpcB } from './lib/orders/against-tpcb.ts'

await againstTpcB(200, { gate: 2, goal: 4 }, null)
