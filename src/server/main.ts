import { networkInterfaces } from 'node:os'
import { createApp } from '#server/app/create-app.ts'
import { examineConfig } from '#server/app/config/config.ts'
import { checkPort } from '#server/platform/http/check-port.ts'
import type { DemoKey } from '#server/platform/http/demo-key.ts'
import { type ReachableAddresses, reachableAddresses } from '#server/platform/http/reachable-addresses.ts'
import { createLog } from '#server/platform/runtime/log.ts'
import { DEMO_USER } from '#server/seed/demo-user.ts'
import { DEMO_STAFF } from '#server/seed/demo-staff.ts'
import { unsetInDatabase } from '#server/app/config/check-stored-settings.ts'
import { cannotStart, StartUpError } from '#server/platform/runtime/startup-error.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'

/** 10 s: longer than any call may take. A supervisor that waits less kills the process, which loses no data. */
const STOP_WITHIN_MS = 10_000

/** Reads the environment, starts the server, and stops it when asked to. */
async function main(): Promise<void> {
  const { config, problems } = examineConfig(process.env)
  const log = createLog(config?.logLevel ?? 'info')
  // One error names all that is missing, in the environment and in the database.
  if (!config || problems.length > 0) throw cannotStart([...problems, ...(await unsetInDatabase(config, log))])
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      // The state of this process is unknown: the supervisor starts a new one, which recovers from the database.
      log.error({ err: error }, event)
      process.exit(1)
    })
  }
  // Only the operating-system user of this process can use the files that it creates: databases, uploads, keys,
  // sockets.
  process.umask(0o077)
  if (config.roles.has('api')) await checkPort(config)
  const app = await createApp(config, log, { onDead: () => process.exit(1) })

  let isStopping = false
  const stop = (signal: string): void => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    systemClock.after(STOP_WITHIN_MS, () => {
      log.error({ part: app.closing() }, 'stopping took too long')
      process.exit(1)
    })
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // When scripts/start.mjs, the parent, is gone, no signal can stop this process.
  process.on('disconnect', () => stop('disconnect'))

  const address = await app.start().catch((error: unknown) => {
    // When a stop interrupts the start, the stop ends the process.
    if (isStopping) return new Promise<never>(() => {})
    throw error
  })
  if (address === '') process.stdout.write(`Fairwick is running as ${[...config.roles].join(', ')}\n`)
  else if (config.publicUrl !== undefined) tell({ own: config.publicUrl, network: [] }, app.demoKey)
  else tell(reachableAddresses({ address, host: config.host }, networkInterfaces()), app.demoKey)
  const ops = app.opsAddress()
  if (ops !== null) process.stdout.write(`Metrics are at ${ops}/metrics\n`)
}

/** The first lines of output that a new developer or operator reads. */
function tell({ own: address, network }: ReachableAddresses, key: DemoKey | null): void {
  const lines = [`Fairwick is running at ${key?.at(address) ?? address}`]
  if (network.length > 0) lines.push(`  From other devices in your network: ${network.join(' or ')}`)
  if (key !== null) {
    const { username, password, pin } = DEMO_USER
    lines.push(`  Demo with virtual funds. Log in as ${username} / ${password} (withdrawal PIN ${pin}), or sign up.`)
    lines.push(
      `  Back office: ${key.at(`${address}/admin`)}, ${DEMO_STAFF.owner} / ${DEMO_STAFF.password}, from this computer only.`,
    )
    lines.push(`  Messages that would go by email or SMS: ${key.at(`${address}/outbox`)}`)
    lines.push('  The key in these addresses changes at every start. Opening one of them stores it in this browser.')
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof StartUpError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
