import { SERVER_ASKER } from '#server/platform/limits/fair-queue.ts'
import { startHousekeeping } from '#server/app/jobs/delete-expired.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Config } from '#server/app/config/config.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { mailWaitingPayments, watchChanges, type WatchChangesParts } from '#server/back-office/changes/watch-changes.ts'
import { callHeartbeat } from '#server/back-office/alerts/heartbeat.ts'
import { sendAlertsPeriodically } from '#server/back-office/alerts/send-alerts.ts'
import { watchAlerts } from '#server/back-office/alerts/watch-alerts.ts'
import type { CountrySources } from '#server/platform/countries/client-country.ts'
import type { FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import type { RecentErrors } from '#server/platform/runtime/recent-errors.ts'
import { checkReportsPeriodically } from '#server/back-office/reports/check-reports.ts'
import { countReportsPeriodically } from '#server/back-office/reports/count-reports.ts'
import { countDays } from '#server/back-office/dashboard/roll-up-days.ts'
import { ensureBotAccounts } from '#server/seed/bot-accounts.ts'
import { runBots } from '#server/seed/run-bots.ts'
import type { RunningEngine } from '#server/trading/engine/create-engine.ts'
import { refreshFairness } from '#server/proof/fairness/refresh-fairness.ts'
import type { Liabilities } from '#server/proof/liabilities/create-liabilities.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { noteLogDays } from '#server/proof/receipts/note-log-days.ts'
import type { RegisterParts } from '#server/register/close-minute.ts'
import { runRegister } from '#server/register/run-register.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { postAnnouncedPeriodically } from '#server/payments/adjustments/post-announced.ts'
import { finishLeavesPeriodically } from '#server/payments/withdrawals/finish-leaves.ts'
import { SHOWN_ABOVE } from '#core/orders/rules/made-good-limits.ts'
import { payAmendmentsPeriodically } from '#server/proof/made-good/pay-made-good.ts'
import { signSalesPeriodically } from '#server/proof/receipts/sign-sales.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'
import { watchVoids } from '#server/proof/voids/watch-voids.ts'
import { watchTasks } from '#server/payments/rewards/watch-tasks.ts'
import { makeExportsPeriodically } from '#server/site/own-data/make-exports.ts'
import { keepMarksPeriodically } from '#server/users/limits/keep-marks.ts'
import { watchPeoplePeriodically } from '#server/users/limits/watch-people.ts'
import { sendPushesPeriodically } from '#server/users/push/send-pushes.ts'
import { sendNoticesPeriodically } from '#server/users/notices/send-notices.ts'
import { keepTickLog } from '#server/market-data/tick-log/tick-log-retention.ts'
import { closeSilentPeriodically } from '#server/users/tickets/close-silent.ts'
import { endMeasuresPeriodically } from '#server/users/measures/end-measures.ts'
import { calibratePeriodically } from '#server/trading/sales/calibrate-symbols.ts'
import { noteSaleExpiriesPeriodically } from '#server/trading/sales/note-sale-expiries.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import { type ErasingParts, erasePeriodically } from '#server/site/erasing/erase-accounts.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import { siteCare } from '#server/settings/site-care.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'

export interface JobParts {
  readonly ctx: Ctx
  readonly config: Pick<Config, 'tickRetentionDays' | 'bots' | 'mode' | 'dataDir' | 'heartbeatUrl'>
  readonly settings: Settings
  readonly countries: CountrySources
  readonly uploads: Uploads
  readonly records: Vault
  readonly liabilities: Liabilities
  readonly passwords: Passwords
  readonly engine: RunningEngine
  readonly errors: RecentErrors
  readonly faults: FaultRegistry
  readonly outgoing: Outgoing
  readonly catalogue: MarketCatalogue
  readonly ticks: TickService
  readonly register: RegisterParts | null
  readonly signingKey: SigningKeyPair
  readonly changes: Omit<WatchChangesParts, 'ctx'>
}

/**
 * Collects the parts that erase accounts. The erasing job uses them, and so does the start of the server, because a
 * restored backup may contain erased accounts.
 */
export function erasingParts(
  parts: Pick<JobParts, 'ctx' | 'settings' | 'uploads' | 'records' | 'passwords' | 'catalogue' | 'config'>,
): ErasingParts {
  const { mode, dataDir } = parts.config
  return { ...parts, dataDir, recordYears: () => siteCare(parts.settings, mode).recordYears }
}

/**
 * Starts the periodic jobs. Each job runs on one server at a time. Returns a function that stops all of them. A start
 * that fails leaves no job running, because another server may then start them.
 */
export async function startJobs({ ctx, config, ...parts }: JobParts): Promise<() => Promise<void>> {
  const stops = [
    startHousekeeping(ctx, parts.uploads),
    watchTasks(ctx, parts.settings),
    postAnnouncedPeriodically(ctx),
    endMeasuresPeriodically(ctx),
    closeSilentPeriodically(ctx),
    finishLeavesPeriodically(ctx),
    sendNoticesPeriodically({ ctx, ...parts.changes }),
    sendPushesPeriodically({ ctx, ...parts, ...parts.changes }),
    makeExportsPeriodically({ ctx, ...parts }),
    erasePeriodically(erasingParts({ ctx, config, ...parts })),
    keepMarksPeriodically(ctx),
    watchPeoplePeriodically(ctx),
    noteLogDays(ctx),
    countDays(ctx),
    countReportsPeriodically(ctx),
    checkReportsPeriodically(ctx),
    watchChanges({ ctx, ...parts.changes }),
    watchAlerts({ ctx, ...parts }),
    sendAlertsPeriodically({ ctx, ...parts, ...parts.changes }),
    ...(config.heartbeatUrl === undefined ? [] : [callHeartbeat(ctx, parts.outgoing, config.heartbeatUrl)]),
    refreshFairness(ctx),
    calibratePeriodically({ ctx, ...parts }),
    noteSaleExpiriesPeriodically(ctx),
    watchVoids({ ctx, ...parts, mode: config.mode }),
    payAmendmentsPeriodically({
      ctx,
      ...parts,
      mode: config.mode,
      shownAbove: SHOWN_ABOVE,
      onWaiting: (payments) => mailWaitingPayments({ ctx, ...parts.changes }, payments),
    }),
    signSalesPeriodically({ ctx, ...parts }),
    keepTickLog(ctx, config.tickRetentionDays),
    parts.liabilities.start(),
  ]
  const stopAll = async (): Promise<void> => {
    await Promise.all(stops.map((stop) => stop()))
  }
  try {
    if (parts.register !== null) stops.push(await runRegister(parts.register))
    if (config.bots) stops.push(await startBots(ctx, parts))
  } catch (error) {
    await stopAll()
    throw error
  }
  return stopAll
}

async function startBots(
  ctx: Ctx,
  { engine, catalogue, passwords }: Pick<JobParts, 'engine' | 'catalogue' | 'passwords'>,
): Promise<() => Promise<void>> {
  const unusableHash = await passwords.hash(Buffer.from(ctx.randomBytes(32)).toString('hex'), SERVER_ASKER)
  const botIds = await ensureBotAccounts(ctx, unusableHash)
  return runBots({ ctx, engine, catalogue, botIds })
}
