import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { ROOT } from './root.mjs'
import { Stop } from './console-output.mjs'

/** The programs that run right now: a signal to this process is passed on to them. */
const running = new Set()
/** The signal that told us to end: from then on nothing else is started. */
let toldBy = null

// Not SIGHUP: nohup ignores it, and a handler of ours would undo that.
for (const signal of ['SIGINT', 'SIGTERM']) {
  // At a terminal Ctrl+C reaches the programs by itself; sending it again would look like a second, impatient one.
  process.on(signal, () => passOn(signal, { onlyEnd: signal === 'SIGINT' && process.stdin.isTTY }))
}

// npm that is killed cannot pass anything on, and what it started must not be left behind holding the port.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && passOn('SIGTERM'), 500).unref()
}

function passOn(signal, { onlyEnd = false } = {}) {
  toldBy = signal
  if (running.size === 0) process.exit(128 + constants.signals[signal])
  if (onlyEnd) return
  for (const child of running) child.kill(signal)
}

/**
 * Runs a program in the project's folder and answers with its exit code, 128 and more when a signal ended it. With
 * `onError` its errors are handed over instead of shown.
 */
export function run(
  program,
  args,
  { env = process.env, stdio = ['ignore', 'inherit', 'inherit'], onError, ...options } = {},
) {
  if (toldBy !== null) return Promise.reject(new Stop(`Ended by ${toldBy}.`))
  return new Promise((resolve, reject) => {
    const [input, output] = stdio
    const pipes = onError === undefined ? stdio : [input, output, 'pipe']
    const child = spawn(program, args, { cwd: ROOT, env, stdio: pipes, ...options })
    if (onError !== undefined) child.stderr.setEncoding('utf8').on('data', onError)
    running.add(child)
    child.once('error', (error) => {
      running.delete(child)
      reject(new Stop(`${program} could not be started: ${error.message}`))
    })
    child.once('exit', (code, signal) => {
      running.delete(child)
      resolve(signal ? 128 + constants.signals[signal] : code)
    })
  })
}

/** npm itself, the one that started us if there is one. */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath
  return npm?.endsWith('.js') ? run(process.execPath, [npm, ...args], options) : run('npm', args, options)
}
