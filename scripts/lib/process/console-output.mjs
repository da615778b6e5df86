/** Prints one line. */
export function say(line) {
  process.stdout.write(`${line}\n`)
}

/** Ends the command with a message instead of a stack trace. */
export class Stop extends Error {}

/** Runs the body of a command. A `Stop` is printed without a stack trace and gives exit code 1. */
export async function main(body) {
  try {
    process.exitCode = await body()
  } catch (error) {
    process.exitCode = 1
    process.stderr.write(`${error instanceof Stop ? error.message : error?.stack}\n`)
  }
}

/** Prints the name of a step, runs it, and prints its duration. */
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
