import type { Command } from '#server/operator-cli/command.ts'

/** Lists all commands with their summaries. */
export function overview(commands: readonly Command[]): string[] {
  return [
    'Usage: npm run admin -- <command>',
    '',
    ...commands.flatMap((command) => [`  ${usage(command)}`, `      ${command.summary}`]),
    '',
    'Exit codes: 0 done, 1 refused, 2 not understood, 3 failed. Every command is recorded. See: actions list',
  ]
}

export function helpOn(command: Command): string[] {
  return [`Usage: npm run admin -- ${usage(command)}`, '', `  ${command.summary}`]
}

function usage({ name, takes, options, input }: Command): string {
  const isNeeded = (option: string) => {
    const read = input.safeParse({})
    return !read.success && read.error.issues.some(({ path }) => path[0] === option)
  }
  const written = Object.entries(options).map(([option, kind]) => {
    const text = kind === 'flag' ? `--${option}` : `--${option} "…"`
    return isNeeded(option) ? text : `[${text}]`
  })
  return [name, ...takes.map((what) => `<${what}>`), ...written].join(' ')
}
