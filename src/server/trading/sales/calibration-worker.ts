// Calibrates in a separate thread, because the days of one symbol take minutes. `calibrate-symbols.ts` starts the
// thread and defines the types of its messages.
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { calibrate } from '#core/orders/sale/calibration/calibrate.ts'
import { PriceCourse } from '#core/orders/sale/price-course.ts'
import type { CalibrationTask } from '#server/trading/sales/calibrate-symbols.ts'

// Linux has a priority per thread. Elsewhere this would lower the whole server's priority.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

// `calibrate-symbols.ts` sends exactly this type.
const { course, lengths, ...terms } = workerData as CalibrationTask
const prices = new PriceCourse(course)
parentPort?.postMessage(lengths.map(({ seconds, payout }) => calibrate(prices, { ...terms, payout }, seconds * 1_000)))
