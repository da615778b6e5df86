import { type Refusal, refuse } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { AuthenticatedUser } from '#server/platform/http/signed-in.ts'
import { needsConfirmation } from '#server/users/security/confirm-identity.ts'

/**
 * Returns a function that wraps handlers which change the second step. Wrapped handlers refuse a session in which the
 * user has not confirmed the identity, even if the account has no second step.
 */
export function requireConfirmation(ctx: Ctx) {
  return <R extends { readonly user: AuthenticatedUser }, A>(handler: (request: R) => Promise<A>) =>
    async (request: R): Promise<A | Refusal<'confirmation_needed'>> =>
      (await needsConfirmation(ctx, request.user, { always: true })) ? refuse('confirmation_needed') : handler(request)
}
