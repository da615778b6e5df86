import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { moneyText, money } from '#core/money/money.ts'
import { toIso, instant } from '#core/time/instant.ts'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { afterRestore } from '#server/operator-cli/after-restore.ts'
import { recordAction } from '#server/audit/record-action.ts'

/** Beside the database in the data folder. */
const FILES = ['uploads', 'pictures']

export const backupCommands: readonly Command[] = [
  defineCommand({
    name: 'backup take',
    summary:
      'Copies the embedded database, while the server runs, and the uploaded files to a new folder. Keys are left out: keep them apart. PostgreSQL has its own ways, which docs/guides/operate.md names.',
    takes: ['folder'],
    options: {},
    input: z.object({ folder: z.string().min(1) }),
    effect: 'changes',
    run: async ({ ctx, dataDir, copyDatabase }, { folder }, actor) => {
      if (copyDatabase === undefined) return refused('The database is a PostgreSQL: back it up with pg_basebackup.')
      const to = resolve(folder)
      if (existsSync(to)) return refused(`${to} is there already: name a folder that is not.`)
      // First, so that the copy knows of itself; and no folder is left behind when it fails.
      await recordAction(ctx.db, ctx, actor, { target: to, outcome: 'done' })
      mkdirSync(to, { recursive: true, mode: 0o700 })
      await copyDatabase(join(to, 'database'))
      // Files never change once they are there, and those that the copy names are.
      for (const name of FILES) {
        if (existsSync(join(dataDir, name))) cpSync(join(dataDir, name), join(to, name), { recursive: true })
      }
      return said(`The copy is in ${to}. To use it, name it as FAIRWICK_DATA_DIR and run: backup restored`)
    },
  }),
  defineCommand({
    name: 'backup restored',
    summary:
      'Run once on a database that was brought back, before its server starts: all sessions end, no code or first approval counts any more, and what may have been paid since the backup is listed.',
    takes: [],
    options: {},
    input: z.object({}),
    effect: 'changes',
    run: async ({ ctx }, _, actor) => {
      const { ended, withdrawals, newest } = await afterRestore(ctx, actor)
      return said(
        `${ended} sessions have ended. The newest line of the log of actions is of ${toIso(instant(newest))}.`,
        `${withdrawals.length} withdrawals are pending. Each may have been paid since: look it up where it was paid before you approve it.`,
        ...withdrawals.map(({ trx, amount }) => `  ${trx}  ${moneyText(money(amount))}`),
      )
    },
  }),
]
