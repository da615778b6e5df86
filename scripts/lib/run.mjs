import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { ROOT } from './root.mjs'
import { Stop } from './say.mjs'

/** The programs that run right now: a signal to this process is passed on to them. */
const running = new Set()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (running.size === 0) process.exit(128 + constants.signals[signal])
    // At a terminal Ctrl+C reaches the programs by itself; sending it again would look like a second, impatient one.
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    for (const child of running) child.kill(signal)
  })
}

/** Runs a program in the project's folder and answers with its exit code, 128 and more when a signal ended it. */
export function run(program, args, { env = process.env, stdio = ['ignore', 'inherit', 'inherit'], ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: ROOT, env, stdio, ...options })
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
