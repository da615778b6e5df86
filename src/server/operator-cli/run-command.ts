import type { AdminParts } from '#server/operator-cli/command.ts'
import { type ReadCommand, readCommand } from '#server/operator-cli/read-command.ts'
import { plain } from '#server/operator-cli/table.ts'
import { recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { findUserId } from '#server/users/accounts/users.queries.ts'

/** 0: the command is done. 1: the command was refused. 2: the input is not a valid command. 3: the command failed. */
export type ExitCode = 0 | 1 | 2 | 3

/** The lines for the terminal and the exit code. */
export interface Printed {
  readonly exitCode: ExitCode
  readonly lines: readonly string[]
}

/** Runs the command of the user `who`, and records the command in every case. */
export async function runCommand(parts: AdminParts, args: readonly string[], who: string): Promise<Printed> {
  const read = readCommand(args)
  return read.kind === 'run' ? act(parts, read, who) : printed(read)
}

/** Returns the lines for input without a command to run. */
export function printed(read: Exclude<ReadCommand, { kind: 'run' }>): Printed {
  return read.kind === 'help' ? { exitCode: 0, lines: read.lines } : { exitCode: 2, lines: [plain(read.why)] }
}

/**
 * Returns the subject for the audit log. Audit entries stay for ever, so they contain the id of a user, never a name.
 */
async function recordedTarget(ctx: Ctx, command: string, target: string): Promise<string> {
  if (!command.startsWith('users ')) return target
  const [name = '', ...others] = target.split(' ')
  return [(await findUserId(ctx.db, name)) ?? '?', ...others].join(' ')
}

async function act(
  parts: AdminParts,
  { command, target, run }: Extract<ReadCommand, { kind: 'run' }>,
  who: string,
): Promise<Printed> {
  const { ctx } = parts
  const actor = { who, what: command.name }
  const record = async (outcome: 'looked' | 'refused' | 'failed') =>
    recordAction(ctx.db, ctx, actor, { target: await recordedTarget(ctx, command.name, target), outcome })
  try {
    const answer = await run(parts, actor)
    if (!answer.ok) {
      await record('refused')
      return { exitCode: 1, lines: [plain(answer.why)] }
    }
    // A command that changes something is recorded by its use case, together with the change.
    if (command.effect === 'looks') await record('looked')
    return { exitCode: 0, lines: answer.lines }
  } catch (error) {
    ctx.log.error({ err: error, command: command.name }, 'an operator command failed')
    await record('failed').catch(() => {
      // Recording can fail for the same reason as the command. The log line above remains.
    })
    return {
      exitCode: 3,
      lines: [`The command failed: ${error instanceof Error ? plain(error.message) : 'no reason given'}`],
    }
  }
}
