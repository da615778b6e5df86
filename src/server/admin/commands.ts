import { actionsCommands } from '#server/admin/actions.commands.ts'
import type { Command } from '#server/admin/command.ts'
import { backupCommands } from '#server/admin/backup.commands.ts'
import { contentCommands } from '#server/admin/content.commands.ts'
import { candlesCommands } from '#server/admin/candles.commands.ts'
import { depositsCommands } from '#server/admin/deposits.commands.ts'
import { marketsCommands } from '#server/admin/markets.commands.ts'
import { settingsCommands } from '#server/admin/settings.commands.ts'
import { secretsCommands } from '#server/admin/secrets.commands.ts'
import { staffCommands } from '#server/admin/staff.commands.ts'
import { logCommands } from '#server/admin/log.commands.ts'
import { usersCommands } from '#server/admin/users.commands.ts'
import { withdrawalsCommands } from '#server/admin/withdrawals.commands.ts'

/**
 * Everything the operator can do, one file per topic. None of it sets a price, a result or one user's payout, and
 * nothing here may ever.
 */
export const COMMANDS: readonly Command[] = [
  ...depositsCommands,
  ...withdrawalsCommands,
  ...settingsCommands,
  ...staffCommands,
  ...secretsCommands,
  ...usersCommands,
  ...marketsCommands,
  ...logCommands,
  ...candlesCommands,
  ...backupCommands,
  ...contentCommands,
  ...actionsCommands,
]
