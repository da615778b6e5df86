import { actionsCommands } from '#server/operator-cli/actions.commands.ts'
import type { Command } from '#server/operator-cli/command.ts'
import { backupCommands } from '#server/operator-cli/backup.commands.ts'
import { contentCommands } from '#server/operator-cli/content.commands.ts'
import { candlesCommands } from '#server/operator-cli/candles.commands.ts'
import { depositsCommands } from '#server/operator-cli/deposits.commands.ts'
import { marketsCommands } from '#server/operator-cli/markets.commands.ts'
import { registerCommands } from '#server/operator-cli/register.commands.ts'
import { settingsCommands } from '#server/operator-cli/settings.commands.ts'
import { secretsCommands } from '#server/operator-cli/secrets.commands.ts'
import { staffCommands } from '#server/operator-cli/staff.commands.ts'
import { logCommands } from '#server/operator-cli/log.commands.ts'
import { usersCommands } from '#server/operator-cli/users.commands.ts'
import { paymentsCommands } from '#server/operator-cli/payments.commands.ts'
import { withdrawalsCommands } from '#server/operator-cli/withdrawals.commands.ts'

/** All operator commands, one file per topic. None may ever set a price, a result or a single user's payout. */
export const COMMANDS: readonly Command[] = [
  ...depositsCommands,
  ...withdrawalsCommands,
  ...paymentsCommands,
  ...settingsCommands,
  ...staffCommands,
  ...secretsCommands,
  ...usersCommands,
  ...marketsCommands,
  ...logCommands,
  ...candlesCommands,
  ...registerCommands,
  ...backupCommands,
  ...contentCommands,
  ...actionsCommands,
]
