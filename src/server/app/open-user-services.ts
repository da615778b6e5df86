import type { Opening } from '#server/app/opening.ts'
import type { MarketData } from '#server/app/open-market-data.ts'
import type { Platform } from '#server/app/open-platform.ts'
import { limitMessages } from '#server/users/accounts/limit-messages.ts'
import { loadSiteAnnouncements } from '#server/site/content/site-announcements.ts'
import { writeFirstTerms } from '#server/site/content/publish-terms.ts'
import { createMessenger } from '#server/platform/messenger/create-messenger.ts'
import { createOutboxMessenger } from '#server/platform/messenger/messenger.ts'
import { createLiabilities } from '#server/proof/liabilities/create-liabilities.ts'
import { createResetCodes } from '#server/users/password-reset/send-reset-code.ts'
import { createLogInRecorder } from '#server/users/sessions/record-log-in.ts'
import { loadTextOverrides } from '#server/site/text-overrides/text-overrides.ts'
import { openRecordsVault } from '#server/platform/encryption/data-keys.ts'
import { createOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { openCountries } from '#server/platform/countries/client-country.ts'
import { createUploads } from '#server/platform/uploads/uploads.ts'
import { createSitePictures } from '#server/platform/uploads/site-pictures.ts'

/** Opens the services that the calls of users need: texts, files, messages and liabilities. */
export async function openUserServices(
  { config, overrides, lifecycle }: Opening,
  { ctx }: Platform,
  { settings, passwords, catalogue }: MarketData,
) {
  const words = { announcements: await loadSiteAnnouncements(ctx), textOverrides: await loadTextOverrides(ctx) }
  const liabilities = await createLiabilities(ctx)
  await writeFirstTerms({ ctx, mode: config.mode, settings, catalogue, liabilities })
  const countries = await openCountries(config, ctx.log)
  const uploads = createUploads(ctx, config.dataDir)
  const sitePictures = createSitePictures(ctx, config.dataDir)
  const sender = createMessenger(config, { outbox: createOutboxMessenger(ctx), clock: ctx.clock })
  const messenger = limitMessages(ctx, sender, { smsPerDay: config.smsPerDay })
  const outgoing = overrides.outgoing ?? createOutgoing({ clock: ctx.clock, ...config })
  const signIns = createLogInRecorder(ctx)
  const resetCodes = createResetCodes({ ctx, passwords, messenger, settings, publicUrl: config.publicUrl ?? null })
  lifecycle.opened('reset codes', () => resetCodes.idle())
  const records = openRecordsVault(config.dataDir, config.recordsKey, (count) => ctx.randomBytes(count))
  return {
    words,
    records,
    liabilities,
    countries,
    uploads,
    sitePictures,
    messenger,
    outgoing,
    signIns,
    resetCodes,
  }
}
