import type { FastifyRequest } from 'fastify'
import { authRoutes } from '#server/auth/auth.routes.ts'
import type { Passwords } from '#server/auth/passwords.ts'
import { backOfficeRoutes } from '#server/back-office/back-office.routes.ts'
import { candlePagesRoutes } from '#server/candle-pages/candle-pages.routes.ts'
import type { CandlePages } from '#server/candle-pages/candle-pages.ts'
import { contentRoutes } from '#server/content/content.routes.ts'
import type { SiteAnnouncements } from '#server/content/site-announcements.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { depositsRoutes } from '#server/deposits/deposits.routes.ts'
import type { RunningEngine } from '#server/engine/create-engine.ts'
import type { ErrorBook } from '#server/error-book.ts'
import type { FaultBook } from '#server/faults/fault-book.ts'
import { fairnessRoutes } from '#server/fairness/fairness.routes.ts'
import type { HttpOptions } from '#server/http/build-app.ts'
import { incidentsRoutes } from '#server/incidents/incidents.routes.ts'
import type { Liabilities } from '#server/liabilities/create-liabilities.ts'
import { liabilitiesRoutes } from '#server/liabilities/liabilities.routes.ts'
import type { Messenger } from '#server/mail/messenger.ts'
import { coinbaseRoutes } from '#server/markets/coinbase.routes.ts'
import { binanceRoutes } from '#server/markets/binance.routes.ts'
import type { MarketCatalogue } from '#server/markets/market-catalogue.ts'
import { marketsRoutes } from '#server/markets/markets.routes.ts'
import { symbolPicturesRoutes } from '#server/markets/symbol-pictures.routes.ts'
import type { TakeStrangerCall } from '#server/limits/stranger-gate.ts'
import type { Language } from '#server/messages.ts'
import { passwordResetRoutes } from '#server/password-reset/password-reset.routes.ts'
import type { ResetCodes } from '#server/password-reset/send-reset-code.ts'
import { profileRoutes } from '#server/profile/profile.routes.ts'
import type { ReceiptMaker } from '#server/receipts/make-receipts.ts'
import { proofRoutes } from '#server/receipts/proof.routes.ts'
import { securityRoutes } from '#server/security/security.routes.ts'
import { signInRoutes } from '#server/security/sign-in.routes.ts'
import type { SignIns } from '#server/security/sign-ins.ts'
import { displayRatesRoutes } from '#server/settings/display-rates.routes.ts'
import { settingsRoutes } from '#server/settings/settings.routes.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { createAuthenticateStaff } from '#server/staff/authenticate-staff.ts'
import { tasksRoutes } from '#server/tasks/tasks.routes.ts'
import type { OwnTextsService } from '#server/texts/own-texts.ts'
import { textsRoutes } from '#server/texts/texts.routes.ts'
import type { TickService } from '#server/ticks/create-ticks.ts'
import { ticksRoutes } from '#server/ticks/ticks.routes.ts'
import { tradesRoutes } from '#server/trades/trades.routes.ts'
import { transactionsRoutes } from '#server/transactions/transactions.routes.ts'
import { type SitePictures, sitePicturesRoutes } from '#server/uploads/site-pictures.ts'
import { uploadsRoutes } from '#server/uploads/uploads.routes.ts'
import type { Uploads } from '#server/uploads/uploads.ts'
import { verificationRoutes } from '#server/verification/verification.routes.ts'
import { withdrawalsRoutes } from '#server/withdrawals/withdrawals.routes.ts'

/** All that answering calls needs. */
export interface Services {
  readonly ctx: Ctx
  /** For single statements that read little. */
  readonly readsDb: Db
  readonly mode: 'demo' | 'live'
  readonly publicUrl: string | null
  readonly settings: Settings
  readonly announcements: SiteAnnouncements
  readonly ownTexts: OwnTextsService
  readonly catalogue: MarketCatalogue
  readonly ticks: TickService
  readonly candlePages: CandlePages
  readonly liabilities: Liabilities
  readonly engine: RunningEngine
  readonly receipts: ReceiptMaker
  readonly uploads: Uploads
  readonly sitePictures: SitePictures
  readonly passwords: Passwords
  readonly messenger: Messenger
  readonly signIns: SignIns
  readonly resetCodes: ResetCodes
  readonly signUpsPerHour: number
  readonly takeStrangerCall: TakeStrangerCall
  readonly errors: ErrorBook
  readonly faults: FaultBook
  readonly languageOf: (request: FastifyRequest) => Language
  readonly checksReplies: boolean
}

/** Puts the calls of every topic on the air: those of the trading app, then the back office. */
export function allRoutes(services: Services): HttpOptions['routes'] {
  const { ctx, mode, publicUrl, settings, announcements, ownTexts, catalogue, ticks, candlePages, liabilities } =
    services
  const { engine, receipts, uploads, sitePictures, passwords, messenger, signIns, resetCodes, signUpsPerHour } =
    services
  const { errors, faults, languageOf, checksReplies, readsDb } = services
  const words = { announcements, ownTexts }
  return (register, app, takeByAddress) => {
    uploadsRoutes(app, uploads)
    symbolPicturesRoutes(app, ctx)
    sitePicturesRoutes(app, sitePictures)
    const account = { ctx, passwords, messenger, settings, signIns }
    const markets = { ctx, catalogue, ticks }
    settingsRoutes(register, { ctx, mode, settings, messenger, ...words })
    textsRoutes(register, words)
    displayRatesRoutes(register, { settings, catalogue, ticks })
    authRoutes(register, { ...account, signUpsPerHour })
    passwordResetRoutes(register, { ctx, passwords, resetCodes, signIns })
    signInRoutes(register, { ...account, publicUrl })
    securityRoutes(register, { ...account, publicUrl })
    verificationRoutes(register, account)
    profileRoutes(register, { ...account, uploads })
    marketsRoutes(register, markets)
    candlePagesRoutes(register, { catalogue, candlePages })
    tradesRoutes(register, markets)
    proofRoutes(register, { ...markets, receipts })
    binanceRoutes(app, { ...markets, takeByAddress })
    coinbaseRoutes(app, { ...markets, takeByAddress })
    ticksRoutes(app, { ctx, catalogue, language: languageOf })
    transactionsRoutes(register, { ctx, readsDb, catalogue })
    depositsRoutes(register, { ...markets, settings, uploads })
    withdrawalsRoutes(register, { ctx, passwords, settings, signIns })
    contentRoutes(register, { ctx, mode, settings, catalogue, liabilities, ...words })
    tasksRoutes(register, { ctx, settings })
    fairnessRoutes(register, app, ctx)
    incidentsRoutes(register, ctx, catalogue)
    liabilitiesRoutes(register, { ctx, settings, liabilities })
    backOfficeRoutes(app, {
      ...markets,
      ...account,
      ...words,
      uploads,
      liabilities,
      checkLedgerNow: () => engine.checkLedgerNow(),
      engine,
      errors,
      faults,
      sitePictures,
      mode,
      takeByAddress,
      takeStrangerCall: services.takeStrangerCall,
      authenticate: createAuthenticateStaff(ctx),
      site: { publicUrl, mode },
      checksReplies,
    })
  }
}
