import type { FastifyInstance } from 'fastify'
import type { Passwords } from '#server/auth/passwords.ts'
import { staffAuditRoutes } from '#server/audit/staff-audit.routes.ts'
import { createRegisterStaff, type StaffCallParts } from '#server/back-office/register-staff-call.ts'
import { createRegisterStaffList } from '#server/back-office/register-staff-list.ts'
import { countsRoutes } from '#server/back-office/counts.routes.ts'
import type { SiteAnnouncements } from '#server/content/site-announcements.ts'
import { staffAnnouncementsRoutes } from '#server/content/staff-announcements.routes.ts'
import { staffContentRoutes } from '#server/content/staff-content.routes.ts'
import { staffCorrectionsRoutes } from '#server/corrections/staff-corrections.routes.ts'
import { staffDepositsRoutes } from '#server/deposits/staff-deposits.routes.ts'
import { staffLedgerRoutes } from '#server/ledger/staff-ledger.routes.ts'
import { staffMarketHoursRoutes } from '#server/markets/staff-market-hours.routes.ts'
import { staffSymbolsRoutes } from '#server/markets/staff-symbols.routes.ts'
import { staffSplitsRoutes } from '#server/markets/staff-splits.routes.ts'
import { staffTradeTermsRoutes } from '#server/markets/staff-trade-terms.routes.ts'
import { dashboardRoutes } from '#server/dashboard/dashboard.routes.ts'
import type { RunningEngine } from '#server/engine/create-engine.ts'
import type { ErrorBook } from '#server/error-book.ts'
import type { FaultBook } from '#server/faults/fault-book.ts'
import { staffGatewaysRoutes } from '#server/gateways/staff-gateways.routes.ts'
import type { Liabilities } from '#server/liabilities/create-liabilities.ts'
import type { Messenger } from '#server/mail/messenger.ts'
import type { MarketCatalogue } from '#server/markets/market-catalogue.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { staffSettingsRoutes } from '#server/settings/staff-settings.routes.ts'
import { staffRoutes } from '#server/staff/staff.routes.ts'
import { staffSessionRoutes } from '#server/staff/session.routes.ts'
import type { OwnTextsService } from '#server/texts/own-texts.ts'
import { staffTextsRoutes } from '#server/texts/staff-texts.routes.ts'
import type { TickService } from '#server/ticks/create-ticks.ts'
import type { SitePictures } from '#server/uploads/site-pictures.ts'
import type { Uploads } from '#server/uploads/uploads.ts'
import { staffOrdersRoutes } from '#server/trades/staff-orders.routes.ts'
import { staffUploadsRoutes } from '#server/uploads/staff-uploads.routes.ts'
import { staffWithdrawalsRoutes } from '#server/withdrawals/staff-withdrawals.routes.ts'
import { staffUserHistoryRoutes } from '#server/users/staff-user-history.routes.ts'
import { staffUsersRoutes } from '#server/users/staff-users.routes.ts'

export interface BackOfficeParts extends StaffCallParts {
  readonly mode: 'demo' | 'live'
  readonly passwords: Passwords
  readonly messenger: Messenger
  readonly settings: Settings
  readonly catalogue: MarketCatalogue
  readonly ticks: TickService
  readonly uploads: Uploads
  readonly liabilities: Pick<Liabilities, 'since'>
  readonly checkLedgerNow: () => Promise<unknown>
  readonly announcements: SiteAnnouncements
  readonly ownTexts: OwnTextsService
  readonly engine: RunningEngine
  readonly errors: ErrorBook
  readonly faults: FaultBook
  readonly sitePictures: SitePictures
}

/** Every call of the back office. Each topic's are in the topic's own folder, beside the use cases they lead to. */
export function backOfficeRoutes(app: FastifyInstance, parts: BackOfficeParts): void {
  const register = createRegisterStaff(app, parts)
  const registerList = createRegisterStaffList(app, register, parts)
  staffSessionRoutes(register, parts)
  staffRoutes(register, registerList, parts)
  countsRoutes(register, parts)
  dashboardRoutes(register, parts)
  staffDepositsRoutes(register, registerList, parts)
  staffWithdrawalsRoutes(register, registerList, parts)
  staffOrdersRoutes(register, registerList, parts)
  staffLedgerRoutes(register, registerList, parts)
  staffAuditRoutes(register, registerList, parts)
  staffSymbolsRoutes(register, registerList, parts)
  staffTradeTermsRoutes(register, registerList, parts)
  staffSplitsRoutes(register, registerList, parts)
  staffMarketHoursRoutes(register, registerList, parts)
  staffContentRoutes(register, registerList, parts)
  staffAnnouncementsRoutes(register, registerList, parts)
  staffTextsRoutes(register, registerList, parts)
  staffUsersRoutes(register, registerList, parts)
  staffUserHistoryRoutes(register, registerList, parts)
  staffCorrectionsRoutes(register, registerList, parts)
  staffGatewaysRoutes(register, registerList, parts)
  staffSettingsRoutes(register, parts)
  staffUploadsRoutes(app, parts.uploads, parts)
}
