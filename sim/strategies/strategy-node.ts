import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import { BTC, fixedCatalogue, ONE_MINUTE } from '#test/support/market-fixtures.ts'
import { TEST_START } from '#test/support/test-context.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { memoryStore } from '../simulation/memory-store.ts'
import { type Parts, UNMODIFIED } from '../simulation/injection-points.ts'
import { drawPlan, NO_FAULTS } from '../simulation/plan.ts'
import { SimNode } from '../simulation/sim-node.ts'

interface StrategyNode {
  readonly seed: number
  /** A server with a planted bug, instead of the unchanged product. */
  readonly planted?: Partial<Parts>
  readonly terms?: Partial<Pick<MarketCatalogue, 'terms'>>
  readonly onSettled: (order: SettledOrder) => void
}

/** Creates a server without faults that offers orders of one minute on bitcoin, for users who follow a strategy. */
export async function createStrategyNode(
  kernel: Kernel,
  { seed, planted = {}, terms = {}, onSettled }: StrategyNode,
): Promise<SimNode> {
  const catalogue = fixedCatalogue({ symbols: [BTC], settings: [ONE_MINUTE], ...terms })
  const parts = { ...UNMODIFIED, ...planted, catalogue }
  const store = await memoryStore(kernel, parts)
  let ids = 0
  return new SimNode(
    {
      kernel,
      parts,
      plan: { ...drawPlan(seed, 10, 1), engines: 1, faults: NO_FAULTS },
      isRecordAway: () => true,
      tradesOf: () => new Map(),
      onAnswer: () => undefined,
      startAt: TEST_START,
      faults: () => NO_FAULTS,
      isOut: () => false,
      shared: store.shared,
      engineStore: store.engineStore,
      newId: () => `0195a000-0000-7000-8000-${(ids += 1).toString(16).padStart(12, '0')}`,
      clockOffset: () => 0,
      onEvent: (event) => {
        if (event.kind === 'order-settled') onSettled(event.order)
      },
      logged: () => undefined,
    },
    'server',
  )
}
