import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { hasUser } from '#server/users/accounts/users.queries.ts'
import { endUserKey } from '#server/users/keys/end-user-key.ts'
import { listKeys, usedToTheMinute } from '#server/users/keys/keys.queries.ts'

/** Registers the calls for users' API keys. Staff can revoke a key, but can neither create nor read one. */
export function staffUserKeysRoutes(register: RegisterStaff, { ctx }: { readonly ctx: Ctx }): void {
  register(staffCalls.staffUserKeys, async ({ params: { id: userId } }) => {
    if (!(await hasUser(ctx.db, userId))) return refuse('not_found')
    const keys = await listKeys(ctx.db, userId, ctx.now())
    return ok({
      keys: keys.map((key) => ({
        id: key.id,
        name: key.name,
        scope: key.scope,
        created_at: toIso(key.createdAt),
        expires_at: toIso(key.expiresAt),
        used_at: usedToTheMinute(key),
      })),
    })
  })

  register(staffCalls.staffEndUserKey, async ({ params: { id: userId, key: keyId }, body: { reason }, actor }) => {
    if (reason === '') return refuse('reason_needed', { field: 'reason' })
    return endUserKey(ctx, { userId, keyId, reason, actor })
  })
}
