import { readFileSync } from 'node:fs'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

/**
 * Replaces an argument such as `@terms.md` in `--text @terms.md` by the text of the file. The file is read here, as the
 * server that runs the command may have another working directory.
 */
export function readTextFiles(args: readonly string[]): string[] {
  return args.map((arg, place) => {
    const isFile = args[place - 1] === '--text' && arg.startsWith('@')
    return isFile ? read(arg.slice(1)) : arg
  })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartUpError(`${file} cannot be read: ${error instanceof Error ? error.message : 'no reason given'}`)
  }
}
