import type { ExposedOrder } from '#core/markets/caps/exposure.ts'
import { Exposure } from '#core/markets/caps/exposure.ts'
import { CapGate } from '#server/trading/caps/cap-gate.ts'
import type { Mutant } from './mutant.ts'

/** Bugs of the caps. */
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
    parts: () => ({
      patch: () => {
        // oxlint-disable-next-line typescript/unbound-method -- the returned function restores it
        const { release, distrust } = CapGate.prototype
        CapGate.prototype.release = () => undefined
        CapGate.prototype.distrust = () => undefined
        return () => {
          Object.assign(CapGate.prototype, { release, distrust })
        }
      },
    }),
  },
  'cap-not-rebuilt': {
    bug: 'a server that starts counts no orders that are already open',
    isCapped: true,
    parts: () => ({ engineStore: (store) => ({ ...store, readExposure: () => Promise.resolve([]) }) }),
  },
}
