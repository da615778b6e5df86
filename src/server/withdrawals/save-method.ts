import { type Result, ok, refuse } from '#core/result.ts'
import { type DetailsRefusal, type MethodDetails, readDetails } from '#core/wallet/method-details.ts'
import type { Ctx } from '#server/context.ts'
import { findGateway, type Gateway } from '#server/gateways/list-gateways.ts'
import { saveDetails } from '#server/withdrawals/methods.queries.ts'

/** Saves where a user wants to be paid by a method. Withdrawals that are under way keep what they were asked with. */
export async function saveMethod(
  ctx: Ctx,
  given: { readonly userId: string; readonly methodId: number; readonly details: MethodDetails },
): Promise<Result<{ method: Gateway; details: MethodDetails }, 'gateway_unknown' | DetailsRefusal>> {
  const method = await findGateway(ctx.db, 'withdraw', given.methodId)
  if (!method) return refuse('gateway_unknown', { field: 'withdraw_method_id' })
  const details = readDetails(method.form, given.details, (label) => `withdrawal_information[${label}]`)
  if (!details.ok) return details
  await saveDetails(ctx.db, { ...given, details: details.value, at: ctx.now() })
  return ok({ method, details: details.value })
}
