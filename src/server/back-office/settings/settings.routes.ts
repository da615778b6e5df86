import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { SettingOut } from '#contract/back-office/settings.ts'
import { ok } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { recordAction } from '#server/audit/record-action.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import { toPendingReply } from '#server/back-office/api/pending-reply.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { changeSettings } from '#server/settings/change-settings.ts'
import { countriesIn } from '#server/settings/countries.ts'
import { listSettings } from '#server/settings/list-settings.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import type { SitePictures } from '#server/platform/uploads/site-pictures.ts'

interface StaffSettingsParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly sitePictures: SitePictures
  readonly mode: 'demo' | 'live'
}

/** Registers the calls that list and change the site's settings. */
export function staffSettingsRoutes(
  register: RegisterStaff,
  { ctx, settings, sitePictures, mode }: StaffSettingsParts,
): void {
  register(staffCalls.staffSettings, async () => {
    const listed = await listSettings(ctx.db, ctx.now())
    return ok({
      settings: listed.map(({ key, value, version, changedAt }) => ({
        key,
        value: value as SettingOut['value'],
        version,
        changed_at: changedAt === null ? null : toIso(instant(changedAt)),
      })),
      countries: countriesIn('en').map(({ countryCode, country }) => ({ code: countryCode, name: country })),
    })
  })
  register(staffCalls.staffSaveSettings, async ({ body: { changes }, actor }) => {
    const wanted = changes.map(({ key, value, version }) => ({ key, value, seenVersion: version }))
    const done = await changeSettings(ctx, settings, { changes: wanted, actor, mode })
    if (!done.ok) return done
    return ok({ saved: done.value.changed.length, pending: toPendingReply(done.value.requested[0]) })
  })
  register(staffCalls.staffSitePicture, async ({ body, actor }) => {
    const stored = await sitePictures.store(body.picture)
    if (!stored.ok) return { ...stored, field: 'picture' }
    await recordAction(ctx.db, ctx, actor, { target: stored.value, outcome: 'done' })
    return ok({ address: `/images/site/${stored.value}` })
  })
}
