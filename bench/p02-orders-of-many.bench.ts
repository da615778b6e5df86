// P2: as P1 with 1,000 clients. Gate 3, goal 5, for the ratio to pgbench. The p99 of acknowledgements must be within
// 100 ms.
import { againstTpcB } from './lib/orders/against-tpcb.ts'

await againstTpcB(1_000, { gate: 3, goal: 5 }, { gate: 1_000, goal: 100, kind: 'most' })
