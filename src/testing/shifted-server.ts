// The server as `main.ts` runs it, on a clock that is ahead or behind by CLOCK_SHIFT_MS: a test of the stock market must
// not have to wait for Monday.
import { instant } from '#core/time/instant.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import type { Clock } from '#server/context.ts'
import { createLog } from '#server/log.ts'
import { systemClock } from '#server/system.ts'

const shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? 0)
const clock: Clock = { ...systemClock, now: () => instant(systemClock.now() + shiftMs) }

const config = readConfig(process.env)
const app = await createApp(config, createLog(config.logLevel), { clock })
process.once('SIGTERM', () => {
  void app.stop().then(() => process.exit(0))
})
const address = await app.start()
process.stdout.write(`Fairwick is running at ${app.demoKey?.at(address) ?? address}\n`)
