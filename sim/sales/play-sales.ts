import { UNMODIFIED, type Parts } from '../simulation/injection-points.ts'
import { SaleLife, type SaleOutcome } from './sale-life.ts'
import type { SalePlan } from './sale-plan.ts'

/**
 * Runs a simulation with sellers. Unless `isAudited`, faults do not end the simulation, so that its gains can be
 * measured.
 */
export async function playSales(
  plan: SalePlan,
  parts: Parts = UNMODIFIED,
  { isAudited = true }: { readonly isAudited?: boolean } = {},
): Promise<SaleOutcome> {
  const putBack = parts.patch()
  try {
    return await new SaleLife(plan, parts, isAudited).play()
  } finally {
    putBack()
  }
}
