// Runs the server of `main.ts` with a clock shift that it reads continuously from the file CLOCK_SHIFT_FILE.
// A drill thereby changes the server's clock while its database keeps the right one.
import { readFileSync } from 'node:fs'
import { instant } from '#core/time/instant.ts'
import { createApp } from '#server/app/create-app.ts'
import { readConfig } from '#server/app/config/config.ts'
import type { MachineClock } from '#server/platform/runtime/ports.ts'
import { createLog } from '#server/platform/runtime/log.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'

const READ_EVERY_MS = 50

const { CLOCK_SHIFT_FILE: file } = process.env
let shiftMs = 0
function readShift(path: string): void {
  shiftMs = Number(readFileSync(path, 'utf8'))
  systemClock.after(READ_EVERY_MS, () => readShift(path))
}
if (file !== undefined) readShift(file)
const clock: MachineClock = { ...systemClock, now: () => instant(systemClock.now() + Math.round(shiftMs)) }

const config = readConfig(process.env)
const app = await createApp(config, createLog(config.logLevel), { clock, onDead: () => process.exit(1) })
process.once('SIGTERM', () => {
  void app.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  )
})
const address = await app.start()
process.stdout.write(`Fairwick is running at ${app.demoKey?.at(address) ?? address}\n`)
