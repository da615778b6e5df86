import { SECOND_MS } from '#core/time/instant.ts'
import type { Opening } from '#server/app/opening.ts'
import type { Platform } from '#server/app/open-platform.ts'
import { auditHead, gatherAudit } from '#server/audit/gather-audit.ts'
import { gatherStaff } from '#server/audit/gather-staff.ts'
import { gatherClock } from '#server/market-data/clock/gather-clock.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { gatherMoney } from '#server/proof/service-levels/gather-money.ts'
import { createGenesis, gatherOwed, gatherReceiptKeys, gatherTicks } from '#server/proof/register/gather-published.ts'
import { gatherReceipts } from '#server/proof/receipts/gather-receipts.ts'
import type { RegisterParts } from '#server/register/close-minute.ts'
import { gatherRuns } from '#server/register/gather-runs.ts'
import { currentHalt } from '#server/register/halts.queries.ts'
import { knownKeys, openIdentity, takeKeysIntoUse } from '#server/register/identity.queries.ts'
import { openRegisterKeys } from '#server/register/register-keys.ts'
import { findDamage } from '#server/register/verify-register.ts'

const LOOK_AGAIN_MS = 5 * SECOND_MS

/**
 * Opens the register. Only servers that settle orders add entries, so only these servers need the register's keys. They
 * verify the register before they take orders.
 */
export async function openRegister(opening: Opening, { ctx, faults }: Platform) {
  const own = opening.config.roles.has('settle') ? await openOwn(opening, ctx) : null
  const lookAtHalts = async (): Promise<void> => {
    faults.set('register_behind', (await currentHalt(ctx.db)) === null ? null : {})
  }
  /** Verifies the stored register. Throws when an entry was changed. */
  const start = async (): Promise<void> => {
    if (own !== null) await verify(ctx, own)
    await lookAtHalts()
    const stop = runPeriodically(ctx, {
      pauseMs: () => LOOK_AGAIN_MS,
      run: lookAtHalts,
      failure: 'cannot read whether the register is halted; the next attempt follows',
    })
    opening.lifecycle.opened('register', stop)
  }
  return { parts: own, start }
}

async function openOwn({ config, overrides }: Opening, ctx: Ctx): Promise<RegisterParts> {
  const keys = overrides.registerKeys ?? openRegisterKeys(config.dataDir, config.registerKey)
  const host = config.publicUrl === undefined ? `${config.host}:${config.port}` : new URL(config.publicUrl).host
  await openIdentity(ctx, { origin: `${host}/register`, mode: config.mode }, keys)
  return {
    ctx,
    keys,
    genesis: createGenesis(auditHead),
    gather: [
      gatherTicks,
      gatherReceipts,
      gatherOwed,
      gatherAudit,
      gatherStaff,
      gatherReceiptKeys,
      gatherRuns,
      gatherClock,
      gatherMoney,
    ],
  }
}

async function verify(ctx: Ctx, { keys }: RegisterParts): Promise<void> {
  const damage = await findDamage(ctx.db, await knownKeys(ctx.db))
  if (damage === null) return await takeKeysIntoUse(ctx, keys)
  const what = damage === 'checkpoint' ? 'its entries and its signed state differ' : `entry ${damage} was changed`
  throw new StartUpError(
    `The register does not verify: ${what}. Restore the database from a backup, then run: backup restored`,
  )
}
