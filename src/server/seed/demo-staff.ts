import { SERVER_ASKER } from '#server/platform/limits/fair-queue.ts'
import { ROLES } from '#core/staff/permissions.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { staffSecretPlace } from '#server/platform/encryption/sealed-details.ts'
import { makeSecret } from '#server/platform/credentials/totp.ts'
import { countStaff, insertStaff } from '#server/back-office/staff/staff.queries.ts'

/**
 * The staff of a demo: one per role, and a second approver.
 * Every start prints the password, so these accounts can log in only from this machine.
 */
export const DEMO_STAFF = { owner: 'owner', password: 'demo-back-office', secondPerson: 'finance2' }

/** Creates the demo staff in an installation without any staff. */
export async function seedDemoStaff(ctx: Ctx, passwords: Passwords): Promise<void> {
  if ((await countStaff(ctx.db)) > 0) return
  const passwordHash = await passwords.hash(DEMO_STAFF.password, SERVER_ASKER)
  const people = [
    ...ROLES.map((role) => ({ name: role, role })),
    { name: DEMO_STAFF.secondPerson, role: 'finance' },
  ] as const
  for (const { name, role } of people) {
    const id = ctx.newId()
    const secret = makeSecret((count) => ctx.randomBytes(count))
    await insertStaff(ctx.db, {
      id,
      name,
      role,
      passwordHash,
      totpSecret: ctx.vault.encrypt(secret, staffSecretPlace(id)),
      isDemo: true,
      createdAt: ctx.now(),
      approverAt: ctx.now(),
      mail: `${name}@demo.invalid`,
    })
  }
}
