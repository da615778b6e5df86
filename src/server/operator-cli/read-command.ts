import { parseArgs } from 'node:util'
import type { Command, Prepared } from '#server/operator-cli/command.ts'
import { COMMANDS } from '#server/operator-cli/commands.ts'
import { helpOn, overview } from '#server/operator-cli/help.ts'

export type ReadCommand =
  | {
      readonly kind: 'run'
      readonly command: Command
      /** The subject for the audit log: all positional arguments after the command's name. */
      readonly target: string
      readonly run: Extract<Prepared, { ok: true }>['run']
    }
  | { readonly kind: 'help'; readonly lines: readonly string[] }
  | { readonly kind: 'wrong'; readonly why: string }

/** Commands with a one-word alias. */
const SHORT: Readonly<Record<string, readonly string[]>> = { 'create-owner': ['staff', 'create-owner'] }

/** Parses the arguments after `npm run admin --`. Runs nothing and needs no database. */
export function readCommand(args: readonly string[]): ReadCommand {
  const wantsHelp = args.includes('--help') || args.includes('-h')
  const words = args.filter((arg) => arg !== '--help' && arg !== '-h')
  const [topic, verb, ...rest] = words.flatMap((word, place) => (place === 0 ? (SHORT[word] ?? word) : word))
  if (topic === undefined || topic === 'help') return { kind: 'help', lines: overview(COMMANDS) }
  const ofTopic = COMMANDS.filter(({ name }) => name.startsWith(`${topic} `))
  if (ofTopic.length === 0) return wrong(`There is no command ${topic}. See: npm run admin -- --help`)
  if (verb === undefined && wantsHelp) return { kind: 'help', lines: overview(ofTopic) }
  const command = ofTopic.find(({ name }) => name === `${topic} ${verb ?? ''}`)
  if (!command) {
    const known = ofTopic.map(({ name }) => name.slice(topic.length + 1)).join(', ')
    return wrong(
      verb === undefined
        ? `${topic} needs a second word. One of: ${known}`
        : `There is no command ${topic} ${verb}. One of: ${known}`,
    )
  }
  if (wantsHelp) return { kind: 'help', lines: helpOn(command) }
  return readInput(command, rest)
}

function readInput(command: Command, rest: readonly string[]): ReadCommand {
  const seeHelp = `See: npm run admin -- ${command.name} --help`
  const types = Object.entries(command.options).map(([name, kind]) => [
    name,
    { type: kind === 'flag' ? ('boolean' as const) : ('string' as const) },
  ])
  let read: { values: Record<string, unknown>; positionals: string[] }
  try {
    read = parseArgs({ args: [...rest], options: Object.fromEntries(types), allowPositionals: true, strict: true })
  } catch (error) {
    // `parseArgs` throws on unknown options and missing values, with a clear message.
    const problem = error instanceof Error ? error.message.split('. ')[0] : 'The command cannot be read'
    return wrong(`${problem}. ${seeHelp}`)
  }
  const { values, positionals } = read
  if (positionals.length > command.takes.length) {
    return wrong(
      `"${positionals[command.takes.length] ?? ''}" is one argument too many. Put texts with spaces in quotes. ${seeHelp}`,
    )
  }
  const given = Object.fromEntries([
    ...command.takes.map((name, place) => [name, positionals[place]]),
    ...Object.entries(values),
  ])
  const prepared = command.prepare(given)
  if (prepared.ok) return { kind: 'run', command, target: positionals.join(' '), run: prepared.run }
  const problems = prepared.problems.map(
    ({ name, text }) => `${command.takes.includes(name) ? `<${name}>` : `--${name}`} ${text}.`,
  )
  return wrong([...problems, seeHelp].join(' '))
}

function wrong(why: string): ReadCommand {
  return { kind: 'wrong', why }
}
