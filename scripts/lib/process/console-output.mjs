/** One line to whoever started the command. */
export function say(line) {
  process.stdout.write(`${line}\n`)
}

/** Ends the command with a reason in plain words. */
export class Stop extends Error {}

/** Runs the command's body; a `Stop` is told without a stack and ends it with code 1. */
export async function main(body) {
  try {
    process.exitCode = await body()
  } catch (error) {
    process.exitCode = 1
    process.stderr.write(`${error instanceof Stop ? error.message : error?.stack}\n`)
  }
}

/** Says what is being done, does it, and says how long it took. */
export async function step(what, work) {
  say(`${what} …`)
  const started = performance.now()
  const result = await work()
  say(`${what}: ${duration(started)}`)
  return result
}

export function duration(started) {
  const seconds = (performance.now() - started) / 1000
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}
