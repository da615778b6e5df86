// Locks the given data folder until this process is killed, for tests of the lock from another process.
import { lockDataFolder } from '#server/platform/database/data-folder-lock.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { quiet } from '#test/support/quiet-log.ts'

const [, , folder = ''] = process.argv
try {
  await lockDataFolder(folder, { clock: systemClock, log: quiet, onLost: () => process.exit(1) })
  process.stdout.write('held\n')
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : 'refused'}\n`)
}
