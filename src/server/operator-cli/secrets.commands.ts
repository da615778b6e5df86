import { z } from 'zod'
import { type Command, defineCommand, said } from '#server/operator-cli/command.ts'
import { recordAction } from '#server/audit/record-action.ts'
import { addDataKey, dropOldDataKeys } from '#server/platform/encryption/data-keys.ts'
import { renewPushKey } from '#server/users/push/push-keys.queries.ts'
import { rotateEncryptionKey } from '#server/operator-cli/rotate-encryption-key.ts'

export const secretsCommands: readonly Command[] = [
  defineCommand({
    name: 'secrets rotate',
    summary:
      'Encrypts personal secrets (second steps, payment details) with a new key. A key in the data folder is replaced. With FAIRWICK_DATA_KEY, put the new key before the old one, restart, then run this.',
    takes: [],
    options: {},
    input: z.object({}),
    effect: 'changes',
    run: async ({ ctx, dataDir, hasOwnDataKey }, _, actor) => {
      const { vault } = ctx
      const before = vault.keyName
      if (!hasOwnDataKey) addDataKey(vault, dataDir, (count) => ctx.randomBytes(count))
      const rows = await rotateEncryptionKey(ctx, 'not-newest')
      const old = vault.keyNames.filter((name) => name !== vault.keyName)
      if (!hasOwnDataKey) dropOldDataKeys(vault, dataDir)
      await recordAction(ctx.db, ctx, actor, {
        target: vault.keyName,
        outcome: 'done',
        before: { key: before },
        after: { key: vault.keyName, rows },
      })
      return said(
        `${rows} rows were encrypted again. The key is now ${vault.keyName}.`,
        ...(hasOwnDataKey && old.length > 0
          ? [`Nothing is encrypted with ${old.join(', ')} any more. Remove it from FAIRWICK_DATA_KEY and restart.`]
          : []),
      )
    },
  }),
  defineCommand({
    name: 'secrets push-key',
    summary:
      'Creates a new key for notices on devices, for example after a copy of the database was lost. Each device renews its subscription when its app starts; until then the old key serves it.',
    takes: [],
    options: {},
    input: z.object({}),
    effect: 'changes',
    run: async ({ ctx }, _, actor) => {
      const key = await renewPushKey(ctx)
      await recordAction(ctx.db, ctx, actor, { target: key, outcome: 'done', before: null, after: { key } })
      return said(`New subscriptions use the key ${key}.`)
    },
  }),
]
