import { parseArgs } from 'node:util'
import { CannotCheck } from './check-verdict.ts'

/**
 * Parses the file name and the options of a command. Throws `CannotCheck` on unknown arguments and repeated options.
 */
export function readOptions<Name extends string>(
  args: readonly string[],
  names: readonly Name[],
  usage: string,
): { readonly file: string; readonly options: Readonly<Partial<Record<Name, string>>> } {
  const known = Object.fromEntries(names.map((name) => [name, { type: 'string', multiple: true } as const]))
  const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: known })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new CannotCheck(usage)
  const options: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const [value, ...again] = [values[name] ?? []].flat()
    if (again.length > 0) throw new CannotCheck(`--${name} is given twice. ${usage}`)
    if (typeof value === 'string') options[name] = value
  }
  return { file, options }
}
