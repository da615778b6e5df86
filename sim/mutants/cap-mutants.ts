import { type ExposedOrder, Exposure } from '#core/markets/caps/exposure.ts'
import { exposedOrder } from '#server/trading/engine/cap-gate.ts'
import type { Mutant } from './mutant.ts'

/** Bugs in the handling of caps, which the simulations must find. */
export const CAP_MUTANTS: Readonly<Record<string, Mutant>> = {
  'cap-raced': {
    bug: 'room under a cap is looked at before the statement and taken after it: two orders at once take the same room',
    isCapped: true,
    parts: () => ({
      patch: () => {
        // oxlint-disable-next-line typescript/unbound-method -- called with the right `this` below
        const { claim, open, release } = Exposure.prototype
        const looked = new Map<string, ExposedOrder>()
        Exposure.prototype.claim = function looking(order, caps) {
          const room = claim.call(this, order, caps)
          if (room !== 'fits') return room
          release.call(this, order.orderId)
          looked.set(order.orderId, order)
          return room
        }
        Exposure.prototype.open = function taking(orderId) {
          const order = looked.get(orderId)
          if (order !== undefined) claim.call(this, order, new Map())
          open.call(this, orderId)
        }
        return () => {
          Object.assign(Exposure.prototype, { claim, open })
        }
      },
    }),
  },
  'cap-not-lowered': {
    bug: 'an order that has ended keeps its room under the caps',
    isCapped: true,
    parts: () => {
      const accepted: ExposedOrder[] = []
      return {
        engineStore: (store) => ({
          ...store,
          async acceptWholeUsers(orders, ...how) {
            const cash = await store.acceptWholeUsers(orders, ...how)
            accepted.push(...orders.filter((_, at) => cash[at] !== null).map(exposedOrder))
            return cash
          },
          readExposure: () => Promise.resolve([...accepted]),
        }),
        patch: () => {
          // oxlint-disable-next-line typescript/unbound-method -- called with the right `this` below
          const { open, release } = Exposure.prototype
          const openIds = new Set<string>()
          Exposure.prototype.open = function noting(orderId) {
            openIds.add(orderId)
            open.call(this, orderId)
          }
          Exposure.prototype.release = function keeping(orderId) {
            if (!openIds.has(orderId)) release.call(this, orderId)
          }
          return () => {
            Object.assign(Exposure.prototype, { open, release })
          }
        },
      }
    },
  },
  'cap-not-rebuilt': {
    bug: 'a server that starts counts no orders that are already open',
    isCapped: true,
    parts: () => ({ engineStore: (store) => ({ ...store, readExposure: () => Promise.resolve([]) }) }),
  },
}
