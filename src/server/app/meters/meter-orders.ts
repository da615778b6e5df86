import type { Engine } from '#server/trading/engine/engine.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'

/** Measures the time from each order request to its reply, and counts the replies by kind. */
export function meterOrders(engine: Engine, metrics: Metrics): Engine {
  return {
    takesOrders: () => engine.takesOrders(),
    async place(request) {
      const end = metrics.orderSeconds.startTimer()
      try {
        const answer = await engine.place(request)
        metrics.orders.inc({ answer: answer.ok ? 'accepted' : answer.refusal })
        return answer
      } catch (error) {
        metrics.orders.inc({ answer: 'failed' })
        throw error
      } finally {
        end()
      }
    },
  }
}
