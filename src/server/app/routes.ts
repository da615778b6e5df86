import type { FastifyRequest } from 'fastify'
import { type AppInstallParts, appInstallRoutes } from '#server/site/app-install/app-install.routes.ts'
import { alertsRoutes } from '#server/price-alerts/alerts.routes.ts'
import { authRoutes } from '#server/users/log-in/auth.routes.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import { backOfficeRoutes } from '#server/back-office/back-office.routes.ts'
import { candlePagesRoutes } from '#server/market-data/candles/candle-pages.routes.ts'
import type { CandlePages } from '#server/market-data/candles/candle-pages.ts'
import { contentRoutes } from '#server/site/content/content.routes.ts'
import type { SiteAnnouncements } from '#server/site/content/site-announcements.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { depositsRoutes } from '#server/payments/deposits/deposits.routes.ts'
import type { RunningEngine } from '#server/trading/engine/create-engine.ts'
import type { RecentErrors } from '#server/platform/runtime/recent-errors.ts'
import type { FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import { fairnessRoutes } from '#server/proof/fairness/fairness.routes.ts'
import type { HttpOptions } from '#server/platform/http/build-app.ts'
import { adjustmentsRoutes } from '#server/payments/adjustments/adjustments.routes.ts'
import { peopleRoutes } from '#server/site/people/people.routes.ts'
import { recordAuditRoutes } from '#server/proof/audit/record-audit.routes.ts'
import { voidsRoutes } from '#server/proof/voids/voids.routes.ts'
import { keysRoutes } from '#server/users/keys/keys.routes.ts'
import { closingRoutes } from '#server/users/closing/closing.routes.ts'
import { practiceRoutes } from '#server/users/practice/practice.routes.ts'
import { limitsRoutes } from '#server/users/limits/limits.routes.ts'
import { deskRoutes } from '#server/users/desk/desk.routes.ts'
import { termsOfUseRoutes } from '#server/users/terms-of-use/terms-of-use.routes.ts'
import { ownDataRoutes } from '#server/site/own-data/own-data.routes.ts'
import { noticesRoutes } from '#server/users/notices/notices.routes.ts'
import type { CountrySources } from '#server/platform/countries/client-country.ts'
import { pushRoutes } from '#server/users/push/push.routes.ts'
import { capsRoutes } from '#server/proof/caps/caps.routes.ts'
import { termsRoutes } from '#server/proof/terms/terms.routes.ts'
import { incidentsRoutes } from '#server/proof/incidents/incidents.routes.ts'
import type { Liabilities } from '#server/proof/liabilities/create-liabilities.ts'
import { liabilitiesRoutes } from '#server/proof/liabilities/liabilities.routes.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import { coinbaseRoutes } from '#server/market-data/wire/coinbase.routes.ts'
import { binanceRoutes } from '#server/market-data/wire/binance.routes.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { marketsRoutes } from '#server/trading/market-list/markets.routes.ts'
import { symbolPicturesRoutes } from '#server/market-data/catalogue/symbol-pictures.routes.ts'
import type { TakeStrangerCall } from '#server/platform/http/stranger-gate.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import { passwordResetRoutes } from '#server/users/password-reset/password-reset.routes.ts'
import type { ResetCodes } from '#server/users/password-reset/send-reset-code.ts'
import { profileRoutes } from '#server/users/profile/profile.routes.ts'
import type { ReceiptWorker } from '#server/proof/receipts/receipt-worker.ts'
import { goodwillRoutes } from '#server/proof/goodwill/goodwill.routes.ts'
import { proofMeasuresRoutes } from '#server/proof/measures/measures.routes.ts'
import { serviceLevelsRoutes } from '#server/proof/service-levels/service-levels.routes.ts'
import { userMeasuresRoutes } from '#server/users/measures/measures.routes.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'
import { proofRoutes } from '#server/proof/receipts/proof.routes.ts'
import { factorsRoutes } from '#server/users/security/factors.routes.ts'
import { securityRoutes } from '#server/users/security/security.routes.ts'
import { ticketsRoutes } from '#server/users/tickets/tickets.routes.ts'
import { userSessionsRoutes } from '#server/users/sessions/user-sessions.routes.ts'
import { signInRoutes } from '#server/users/log-in/second-step.routes.ts'
import type { LogInRecorder } from '#server/users/sessions/record-log-in.ts'
import { displayRatesRoutes } from '#server/site/public-settings/display-rates.routes.ts'
import { settingsRoutes } from '#server/site/public-settings/settings.routes.ts'
import { registerFiles } from '#server/register/register-files.ts'
import { registerRoutes } from '#server/register/register.routes.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { createAuthenticateStaff } from '#server/back-office/staff-sessions/authenticate-staff.ts'
import { tasksRoutes } from '#server/payments/rewards/tasks.routes.ts'
import type { TextOverridesService } from '#server/site/text-overrides/text-overrides.ts'
import { textsRoutes } from '#server/site/text-overrides/texts.routes.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import { sourcesRoutes } from '#server/market-data/source-versions/sources.routes.ts'
import { recentTicksRoutes } from '#server/market-data/tick-archive/recent-ticks.routes.ts'
import { ticksRoutes } from '#server/market-data/tick-archive/ticks.routes.ts'
import { salesRoutes } from '#server/trading/sales/sales.routes.ts'
import { tradesRoutes } from '#server/trading/orders/trades.routes.ts'
import { transactionsRoutes } from '#server/trading/orders/transactions.routes.ts'
import { type SitePictures, sitePicturesRoutes } from '#server/platform/uploads/site-pictures.ts'
import { uploadsRoutes } from '#server/platform/uploads/uploads.routes.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import { recoveryRoutes } from '#server/users/recovery/recovery.routes.ts'
import { verificationRoutes } from '#server/users/verification/verification.routes.ts'
import { figuresRoutes } from '#server/proof/figures/figures.routes.ts'
import { statementRoutes } from '#server/proof/statement/statement.routes.ts'
import { leaveRoutes } from '#server/payments/withdrawals/leave.routes.ts'
import { type SiteCare, siteCare } from '#server/settings/site-care.ts'
import { withdrawalsRoutes } from '#server/payments/withdrawals/withdrawals.routes.ts'

/** The dependencies of all routes. */
export interface Services {
  readonly ctx: Ctx
  /** A database connection for single, small reads. */
  readonly readsDb: Db
  readonly mode: 'demo' | 'live'
  readonly publicUrl: string | null
  readonly settings: Settings
  readonly announcements: SiteAnnouncements
  readonly textOverrides: TextOverridesService
  readonly catalogue: MarketCatalogue
  readonly ticks: TickService
  readonly candlePages: CandlePages
  readonly liabilities: Liabilities
  readonly engine: RunningEngine
  readonly receipts: ReceiptWorker
  readonly signingKey: SigningKeyPair
  readonly uploads: Uploads
  /** Encrypts the kept records of erased accounts. */
  readonly records: Vault
  readonly sitePictures: SitePictures
  readonly passwords: Passwords
  readonly messenger: Messenger
  readonly outgoing: Outgoing
  readonly pushHosts: readonly string[]
  readonly signIns: LogInRecorder
  readonly resetCodes: ResetCodes
  readonly signUpsPerHour: number
  readonly takeStrangerCall: TakeStrangerCall
  readonly countries: CountrySources
  readonly errors: RecentErrors
  readonly faults: FaultRegistry
  readonly install: Pick<AppInstallParts, 'folder' | 'offlineStart'>
  readonly languageOf: (request: FastifyRequest) => Language
  readonly checksReplies: boolean
}

type Routes = HttpOptions['routes']

/** Registers the routes of the public statistics, e.g. fairness, voids, incidents and caps. */
function publicCountsRoutes(
  register: Parameters<Routes>[0],
  app: Parameters<Routes>[1],
  { ctx, catalogue }: Pick<Services, 'ctx' | 'catalogue'>,
): void {
  fairnessRoutes(register, app, ctx)
  proofMeasuresRoutes(register, ctx)
  goodwillRoutes(register, ctx)
  serviceLevelsRoutes(register, ctx)
  voidsRoutes(register, { ctx, catalogue })
  recordAuditRoutes(register, ctx)
  incidentsRoutes(register, ctx, catalogue)
  capsRoutes(register, ctx, catalogue)
}

/**
 * Registers the routes with which users manage their account: API keys, limits, notices, push, consent, closing, the
 * chart and a copy of their data.
 */
function ownChoicesRoutes(
  register: Parameters<Routes>[0],
  {
    ctx,
    mode,
    settings,
    catalogue,
    outgoing,
    pushHosts,
    publicUrl,
    care,
  }: Pick<Services, 'ctx' | 'mode' | 'settings' | 'catalogue' | 'outgoing' | 'pushHosts' | 'publicUrl'> & {
    readonly care: () => SiteCare
  },
): void {
  keysRoutes(register, { ctx, mode })
  limitsRoutes(register, { ctx, care })
  noticesRoutes(register, { ctx, settings })
  pushRoutes(register, { ctx, settings, outgoing, pushHosts, publicUrl })
  termsOfUseRoutes(register, ctx)
  practiceRoutes(register, { ctx, mode })
  closingRoutes(register, { ctx, recordYears: () => care().recordYears })
  deskRoutes(register, ctx, catalogue)
  ownDataRoutes(register, ctx)
}

/** Registers the routes of every topic: first those of the trading app, then those of the back office. */
export function allRoutes(services: Services): Routes {
  const { ctx, mode, publicUrl, settings, announcements, textOverrides, catalogue, ticks, candlePages, liabilities } =
    services
  const { engine, receipts, uploads, sitePictures, passwords, messenger, signIns, resetCodes, signUpsPerHour } =
    services
  const { errors, faults, languageOf, checksReplies, readsDb } = services
  const words = { announcements, textOverrides }
  const forStaff = { records: services.records, outgoing: services.outgoing, countries: services.countries }
  return (register, app, takeByAddress) => {
    uploadsRoutes(app, uploads)
    symbolPicturesRoutes(app, ctx)
    sitePicturesRoutes(app, sitePictures)
    appInstallRoutes(app, { mode, settings, sitePictures, ...services.install })
    const account = { ctx, passwords, messenger, settings, signIns }
    const markets = { ctx, catalogue, ticks }
    settingsRoutes(register, { ctx, mode, publicUrl, settings, messenger, catalogue, ...words })
    textsRoutes(register, { ctx, textOverrides })
    displayRatesRoutes(register, { settings, catalogue, ticks })
    authRoutes(register, { ...account, signUpsPerHour, mode })
    passwordResetRoutes(register, { ctx, passwords, resetCodes, signIns })
    signInRoutes(register, { ...account, publicUrl })
    recoveryRoutes(register, { ctx, passwords })
    securityRoutes(register, { ...account, publicUrl })
    factorsRoutes(register, { ...account, publicUrl })
    userSessionsRoutes(register, ctx)
    const care = () => siteCare(settings, mode)
    ownChoicesRoutes(register, { ...services, care })
    verificationRoutes(register, account)
    profileRoutes(register, { ...account, uploads })
    ticketsRoutes(register, { ctx, uploads })
    marketsRoutes(register, markets)
    candlePagesRoutes(register, { catalogue, candlePages })
    recentTicksRoutes(register, markets)
    alertsRoutes(register, markets)
    tradesRoutes(register, markets)
    salesRoutes(register, markets)
    proofRoutes(register, { ...markets, receipts })
    registerRoutes(register, ctx)
    sourcesRoutes(register, ctx)
    registerFiles(app, ctx)
    binanceRoutes(app, { ...markets, takeByAddress })
    coinbaseRoutes(app, { ...markets, takeByAddress })
    ticksRoutes(app, { ctx, catalogue, language: languageOf })
    transactionsRoutes(register, { ctx, readsDb, catalogue })
    depositsRoutes(register, { ...markets, settings, uploads, care })
    withdrawalsRoutes(register, { ctx, passwords, settings, care })
    leaveRoutes(register, { ctx, passwords, settings, care, messenger })
    adjustmentsRoutes(register, ctx)
    figuresRoutes(register, { ctx, catalogue })
    statementRoutes(register, { ctx, catalogue, faults, signingKey: services.signingKey })
    contentRoutes(register, { ctx, mode, settings, catalogue, liabilities, ...words })
    tasksRoutes(register, { ctx, settings })
    userMeasuresRoutes(register, { ctx, sign: (statement) => services.signingKey.signMeasures(statement) })
    publicCountsRoutes(register, app, { ctx, catalogue })
    termsRoutes(register, ctx)
    peopleRoutes(register, ctx)
    liabilitiesRoutes(register, { ctx, settings, liabilities })
    backOfficeRoutes(app, {
      ...markets,
      ...account,
      ...words,
      uploads,
      ...forStaff,
      liabilities,
      checkLedgerNow: () => engine.checkLedgerNow(),
      engine,
      receipts,
      errors,
      faults,
      sitePictures,
      mode,
      care,
      takeByAddress,
      takeStrangerCall: services.takeStrangerCall,
      authenticate: createAuthenticateStaff(ctx),
      site: { publicUrl, mode },
      checksReplies,
    })
  }
}
