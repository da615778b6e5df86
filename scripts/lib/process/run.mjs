import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { ROOT } from './root.mjs'
import { Stop } from './console-output.mjs'

/** The running programs. Signals to this process are passed on to these programs. */
const running = new Set()
/** The signal that ends this process. After it, no program is started. */
let stopSignal = null

// SIGHUP is not handled: nohup makes programs ignore it, and a handler here would undo that.
for (const signal of ['SIGINT', 'SIGTERM']) {
  // At a terminal, Ctrl+C reaches the programs directly. Sending the signal again would count as a second, urgent
  // Ctrl+C.
  process.on(signal, () => passOn(signal, { onlyEnd: signal === 'SIGINT' && process.stdin.isTTY }))
}

// A killed npm cannot pass signals on. The programs that it started must not keep running and hold the port.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && passOn('SIGTERM'), 500).unref()
}

function passOn(signal, { onlyEnd = false } = {}) {
  stopSignal = signal
  if (running.size === 0) process.exit(128 + constants.signals[signal])
  if (onlyEnd) return
  for (const child of running) child.kill(signal)
}

/**
 * Runs a program in the project's folder and resolves with its exit code, which is 128 or more after a signal. With
 * `onError`, its error output is passed on instead of printed.
 */
export function run(
  program,
  args,
  { env = process.env, stdio = ['ignore', 'inherit', 'inherit'], onError, ...options } = {},
) {
  if (stopSignal !== null) return Promise.reject(new Stop(`Ended by ${stopSignal}.`))
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

/** Runs npm, preferably the one that started this process. */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath
  return npm?.endsWith('.js') ? run(process.execPath, [npm, ...args], options) : run('npm', args, options)
}
