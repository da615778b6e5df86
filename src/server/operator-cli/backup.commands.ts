import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { moneyText, money } from '#core/money/money.ts'
import { toIso, instant } from '#core/time/instant.ts'
import { type Command, defineCommand, refused, said } from '#server/operator-cli/command.ts'
import { afterRestore } from '#server/operator-cli/after-restore.ts'
import { recordAction } from '#server/audit/record-action.ts'

/** Folders of the data folder that a backup copies in addition to the database. */
const FILES = ['uploads', 'pictures']

export const backupCommands: readonly Command[] = [
  defineCommand({
    name: 'backup take',
    summary:
      'Copies the embedded database and the uploaded files to a new folder, also while the server runs. Keys are not copied: store them separately. For PostgreSQL see docs/guides/operate.md.',
    takes: ['folder'],
    options: {},
    input: z.object({ folder: z.string().min(1) }),
    effect: 'changes',
    run: async ({ ctx, dataDir, copyDatabase }, { folder }, actor) => {
      if (copyDatabase === undefined)
        return refused('This installation uses PostgreSQL. Back it up with pg_basebackup.')
      const to = resolve(folder)
      if (existsSync(to)) return refused(`${to} already exists. Name a folder that does not exist.`)
      // The backup is recorded first, so that the copy contains the entry.
      await recordAction(ctx.db, ctx, actor, { target: to, outcome: 'done' })
      // The folder gets its name when it is complete, because an unfinished copy looks like a backup.
      const unfinished = `${to}.unfinished`
      rmSync(unfinished, { recursive: true, force: true })
      mkdirSync(unfinished, { recursive: true, mode: 0o700 })
      try {
        await copyDatabase(join(unfinished, 'database'))
        // The files may be copied after the database: stored files never change, and every file that the copied
        // database refers to exists already.
        for (const name of FILES) {
          if (existsSync(join(dataDir, name))) cpSync(join(dataDir, name), join(unfinished, name), { recursive: true })
        }
      } catch (error) {
        rmSync(unfinished, { recursive: true, force: true })
        throw error
      }
      renameSync(unfinished, to)
      return said(`The copy is in ${to}. To use it, set FAIRWICK_DATA_DIR to it and run: backup restored`)
    },
  }),
  defineCommand({
    name: 'backup restored',
    summary:
      'Run once on a restored database before its server starts. Ends all sessions, cancels all codes and first approvals, halts the register, and lists the withdrawals that may have been paid since the backup.',
    takes: [],
    options: {},
    input: z.object({}),
    effect: 'changes',
    run: async ({ ctx }, _, actor) => {
      const { endedSessions, withdrawals, newest } = await afterRestore(ctx, actor)
      return said(
        `${endedSessions} sessions have ended. The newest entry of the audit log is from ${toIso(instant(newest))}.`,
        `${withdrawals.length} withdrawals are pending. Each may have been paid since the backup. Check this with the payment provider before you approve or pay it.`,
        'The register is halted and no orders are taken. Bring its lost entries back with register recover, or run register begin-again.',
        ...withdrawals.map(({ trx, amount, state }) => `  ${trx}  ${moneyText(money(amount))}  ${state}`),
      )
    },
  }),
]
