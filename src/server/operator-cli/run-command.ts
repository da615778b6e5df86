import type { AdminParts } from '#server/operator-cli/command.ts'
import { type ReadCommand, readCommand } from '#server/operator-cli/read-command.ts'
import { plain } from '#server/operator-cli/table.ts'
import { recordAction } from '#server/audit/record-action.ts'

/** 0 done, 1 refused, 2 not understood, 3 could not run. */
export type ExitCode = 0 | 1 | 2 | 3

/** What a terminal shows, and how the command ends. */
export interface Printed {
  readonly exitCode: ExitCode
  readonly lines: readonly string[]
}

/** Runs a command as `who` typed it, and records it whatever comes of it. */
export async function runCommand(parts: AdminParts, args: readonly string[], who: string): Promise<Printed> {
  const read = readCommand(args)
  return read.kind === 'run' ? act(parts, read, who) : printed(read)
}

/** What is printed when there is nothing to run. */
export function printed(read: Exclude<ReadCommand, { kind: 'run' }>): Printed {
  return read.kind === 'help' ? { exitCode: 0, lines: read.lines } : { exitCode: 2, lines: [plain(read.why)] }
}

async function act(
  parts: AdminParts,
  { command, target, run }: Extract<ReadCommand, { kind: 'run' }>,
  who: string,
): Promise<Printed> {
  const { ctx } = parts
  const actor = { who, what: command.name }
  const record = (outcome: 'looked' | 'refused' | 'failed') => recordAction(ctx.db, ctx, actor, { target, outcome })
  try {
    const answer = await run(parts, actor)
    if (!answer.ok) {
      await record('refused')
      return { exitCode: 1, lines: [plain(answer.why)] }
    }
    // A change has recorded itself, beside what it changed.
    if (command.effect === 'looks') await record('looked')
    return { exitCode: 0, lines: answer.lines }
  } catch (error) {
    ctx.log.error({ err: error, command: command.name }, 'a command of the operator failed')
    await record('failed').catch(() => {
      // The database that failed the command fails the record too; the log line above has it.
    })
    return {
      exitCode: 3,
      lines: [`The command failed: ${error instanceof Error ? plain(error.message) : 'no reason given'}`],
    }
  }
}
