import type { CountrySources } from '#server/platform/countries/client-country.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import type { FastifyInstance } from 'fastify'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { staffAuditRoutes } from '#server/back-office/audit/audit.routes.ts'
import { createRegisterStaff, type StaffCallParts } from '#server/back-office/api/register-staff-call.ts'
import { createRegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import { staffChangesRoutes } from '#server/back-office/changes/changes.routes.ts'
import { alertChannelsRoutes } from '#server/back-office/alerts/alert-channels.routes.ts'
import { alertsRoutes } from '#server/back-office/alerts/alerts.routes.ts'
import { findRoutes } from '#server/back-office/find/find.routes.ts'
import { countsRoutes } from '#server/back-office/counts.routes.ts'
import type { SiteAnnouncements } from '#server/site/content/site-announcements.ts'
import { staffAnnouncementsRoutes } from '#server/back-office/content/announcements.routes.ts'
import { staffContentRoutes, staffTermsOfUseRoutes } from '#server/back-office/content/content.routes.ts'
import { staffCorrectionsRoutes } from '#server/back-office/adjustments/adjustments.routes.ts'
import { staffArrivalsRoutes } from '#server/back-office/arrivals/arrivals.routes.ts'
import { staffDepositsRoutes } from '#server/back-office/deposits/deposits.routes.ts'
import { staffLedgerRoutes } from '#server/back-office/ledger/ledger.routes.ts'
import { staffMarketHoursRoutes } from '#server/back-office/markets/market-hours.routes.ts'
import { accessCodesRoutes } from '#server/back-office/access-codes/access-codes.routes.ts'
import { countriesRoutes } from '#server/back-office/countries/countries.routes.ts'
import { exposureRoutes } from '#server/back-office/exposure/exposure.routes.ts'
import { reportsRoutes } from '#server/back-office/reports/reports.routes.ts'
import { maintenanceRoutes } from '#server/back-office/maintenance/maintenance.routes.ts'
import { staffSymbolsRoutes } from '#server/back-office/markets/symbols.routes.ts'
import { staffSplitsRoutes } from '#server/back-office/markets/splits.routes.ts'
import { staffQuickAmountsRoutes } from '#server/back-office/markets/quick-amounts.routes.ts'
import { staffTradeTermsRoutes } from '#server/back-office/markets/trade-terms.routes.ts'
import { dashboardRoutes } from '#server/back-office/dashboard/dashboard.routes.ts'
import type { RunningEngine } from '#server/trading/engine/create-engine.ts'
import type { ReceiptWorker } from '#server/proof/receipts/receipt-worker.ts'
import type { RecentErrors } from '#server/platform/runtime/recent-errors.ts'
import type { FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import { staffGatewaysRoutes } from '#server/back-office/gateways/gateways.routes.ts'
import type { Liabilities } from '#server/proof/liabilities/create-liabilities.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { SiteCare } from '#server/settings/site-care.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { staffSettingsRoutes } from '#server/back-office/settings/settings.routes.ts'
import { staffRoutes } from '#server/back-office/staff/staff.routes.ts'
import { staffSessionRoutes } from '#server/back-office/staff/session.routes.ts'
import type { TextOverridesService } from '#server/site/text-overrides/text-overrides.ts'
import { staffTextsRoutes } from '#server/back-office/texts/texts.routes.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import type { SitePictures } from '#server/platform/uploads/site-pictures.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'
import { staffOrdersRoutes } from '#server/back-office/orders/orders.routes.ts'
import { staffUploadsRoutes } from '#server/back-office/uploads/uploads.routes.ts'
import { staffPaymentFilesRoutes } from '#server/back-office/payment-files/payment-files.routes.ts'
import { staffWithdrawalsRoutes } from '#server/back-office/withdrawals/withdrawals.routes.ts'
import { staffRecoveriesRoutes } from '#server/back-office/recoveries/recoveries.routes.ts'
import { staffTicketsRoutes } from '#server/back-office/tickets/tickets.routes.ts'
import { staffUserHistoryRoutes } from '#server/back-office/users/user-history.routes.ts'
import { staffUserKeysRoutes } from '#server/back-office/users/user-keys.routes.ts'
import { staffUserLimitsRoutes } from '#server/back-office/users/user-limits.routes.ts'
import { staffUsersRoutes } from '#server/back-office/users/users.routes.ts'

export interface BackOfficeParts extends StaffCallParts {
  readonly mode: 'demo' | 'live'
  readonly care: () => SiteCare
  readonly passwords: Passwords
  readonly messenger: Messenger
  readonly outgoing: Outgoing
  readonly settings: Settings
  readonly catalogue: MarketCatalogue
  readonly ticks: TickService
  readonly uploads: Uploads
  readonly liabilities: Pick<Liabilities, 'since'>
  readonly checkLedgerNow: () => Promise<unknown>
  readonly announcements: SiteAnnouncements
  readonly textOverrides: TextOverridesService
  readonly engine: RunningEngine
  readonly receipts: ReceiptWorker
  readonly errors: RecentErrors
  readonly faults: FaultRegistry
  readonly sitePictures: SitePictures
  readonly records: Vault
  readonly countries: CountrySources
}

/** Registers every call of the back office. Each topic's calls are in the topic's folder. */
export function backOfficeRoutes(app: FastifyInstance, parts: BackOfficeParts): void {
  const register = createRegisterStaff(app, parts)
  const registerList = createRegisterStaffList(app, register, parts)
  staffSessionRoutes(register, parts)
  staffRoutes(register, registerList, parts)
  staffChangesRoutes(register, registerList, parts)
  countsRoutes(register, parts)
  findRoutes(register, parts)
  dashboardRoutes(register, parts)
  alertsRoutes(register, registerList, parts)
  alertChannelsRoutes(register, { ...parts, publicUrl: parts.site.publicUrl })
  staffDepositsRoutes(register, registerList, parts)
  staffArrivalsRoutes(register, registerList, parts)
  staffWithdrawalsRoutes(register, registerList, parts)
  staffPaymentFilesRoutes(register, registerList, parts)
  staffOrdersRoutes(register, registerList, parts)
  staffLedgerRoutes(register, registerList, parts)
  reportsRoutes(app, register, parts)
  staffAuditRoutes(register, registerList, parts)
  staffSymbolsRoutes(register, registerList, parts)
  staffTradeTermsRoutes(register, registerList, parts)
  staffQuickAmountsRoutes(register, registerList, parts)
  staffSplitsRoutes(register, registerList, parts)
  staffMarketHoursRoutes(register, registerList, parts)
  maintenanceRoutes(register, parts)
  exposureRoutes(register, parts)
  countriesRoutes(register, parts)
  staffContentRoutes(register, registerList, parts)
  staffTermsOfUseRoutes(register, parts)
  staffAnnouncementsRoutes(register, registerList, parts)
  staffTextsRoutes(register, registerList, parts)
  staffUsersRoutes(register, registerList, parts)
  accessCodesRoutes(register, registerList, parts.ctx)
  staffUserKeysRoutes(register, parts)
  staffUserLimitsRoutes(register, parts)
  staffRecoveriesRoutes(register, registerList, { ...parts, publicUrl: parts.site.publicUrl })
  staffTicketsRoutes(register, registerList, parts)
  staffUserHistoryRoutes(register, registerList, parts)
  staffCorrectionsRoutes(register, registerList, parts)
  staffGatewaysRoutes(register, registerList, parts)
  staffSettingsRoutes(register, parts)
  staffUploadsRoutes(app, parts.uploads, parts)
}
