import { z } from 'zod'
import { toIso } from '#core/time/instant.ts'
import { type Command, defineCommand, said } from '#server/admin/command.ts'
import { RowLimit } from '#server/admin/inputs.ts'
import { table } from '#server/admin/table.ts'
import { listActions } from '#server/audit/audit.queries.ts'

export const actionsCommands: readonly Command[] = [
  defineCommand({
    name: 'actions list',
    summary: 'Who did what with these commands, newest first.',
    takes: [],
    options: { limit: 'words' },
    input: z.object({ limit: RowLimit }),
    effect: 'looks',
    run: async ({ ctx }, { limit }) => {
      const actions = await listActions(ctx.db, limit)
      if (actions.length === 0) return said('Nothing yet.')
      const rows = actions.map(({ at, who, what, target, reason, outcome, before, after }) => [
        toIso(at),
        who,
        what,
        target,
        outcome,
        change(before, after),
        reason,
      ])
      return said(...table(['At', 'Who', 'What', 'To', 'Outcome', 'Change', 'Reason'], rows))
    },
  }),
]

function change(before: unknown, after: unknown): string {
  if (after === null) return ''
  return `${before === null ? 'nothing' : JSON.stringify(before)} -> ${JSON.stringify(after)}`
}
