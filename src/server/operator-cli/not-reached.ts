import type { Command } from '#server/operator-cli/command.ts'
import type { Printed } from '#server/operator-cli/run-command.ts'

const NOT_REACHED =
  'A server of this database runs, but not with this data folder. It reads changed settings, markets and texts within 15 seconds. Set FAIRWICK_DATA_DIR as the server has it to reach the server at once.'

/**
 * Adds to the output of a command that changed something that a server with another data folder runs, which the command
 * did not reach.
 */
export function withNotReached(
  done: Printed,
  { effect, servers }: { readonly effect: Command['effect']; readonly servers: number },
): Printed {
  const isNotReached = done.exitCode === 0 && effect === 'changes' && servers > 0
  return isNotReached ? { ...done, lines: [...done.lines, NOT_REACHED] } : done
}
