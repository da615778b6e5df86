import { readFileSync } from 'node:fs'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'

/**
 * `--text @terms.md` stands for the text in that file. It is read here, where it was typed: the server that runs the
 * command may have another folder as its own.
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
