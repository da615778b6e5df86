import { type DisplayCurrency, readDisplayCurrency } from '#core/wallet/display-rates.ts'
import { readItem, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'

/** Start of a price's change: 24 hours ago, or the last midnight in Hong Kong or UTC. */
export const CHANGE_SINCE = ['hkt', 'utc', '24h'] as const
export type ChangeSince = (typeof CHANGE_SINCE)[number]

/** Unit of volumes: units of the traded product, or the money paid for them. */
export const VOLUME_UNITS = ['mass', 'money'] as const
export type VolumeUnit = (typeof VOLUME_UNITS)[number]

export const UP_COLOURS = ['green', 'red'] as const
export type UpColour = (typeof UP_COLOURS)[number]

/** The clock for displayed times. */
export const CLOCKS = ['local', 'utc'] as const
export type Clock = (typeof CLOCKS)[number]

/** Creates an option of this device, stored in local storage and shared by all tabs. */
function createOption<T extends string>(key: string, read: (text: string | null) => T, apply?: (value: T) => void) {
  const store = createStore<T>(read(readItem('localStorage', key)))
  globalThis.addEventListener?.('storage', (event) => {
    if (event.key !== key && event.key !== null) return
    store.set(read(readItem('localStorage', key)))
    apply?.(store.get())
  })
  return {
    get: store.get,
    use: () => useStore(store),
    choose: (value: T) => {
      writeItem('localStorage', key, value)
      store.set(value)
      apply?.(value)
    },
  }
}

function oneOf<T extends string>(values: readonly T[], otherwise: T) {
  return (text: string | null): T => values.find((value) => value === text) ?? otherwise
}

export const displayCurrency = createOption<DisplayCurrency>(
  'display_currency',
  (text) => readDisplayCurrency(text) ?? 'USD',
)
export const changeSince = createOption<ChangeSince>('change_since', oneOf(CHANGE_SINCE, '24h'))
export const clock = createOption<Clock>('clock', oneOf(CLOCKS, 'local'))
export const volumeUnit = createOption<VolumeUnit>('volume_unit', oneOf(VOLUME_UNITS, 'mass'))
/** Whether a new order form starts with the stake and duration of the last accepted order of its symbol. */
export const keepStake = createOption<'on' | 'off'>('keep_stake', oneOf(['on', 'off'] as const, 'off'))
/** Whether single letters and digits are shortcuts on the trade screen of the desktop. */
export const singleKeys = createOption<'on' | 'off'>('single_keys', oneOf(['on', 'off'] as const, 'on'))
/** Whether a tone marks accepted and ended orders. */
export const sound = createOption<'on' | 'off'>('sound', oneOf(['on', 'off'] as const, 'off'))
/** Whether the order form offers shares of the balance as stakes. */
export const balanceShares = createOption<'on' | 'off'>('balance_shares', oneOf(['on', 'off'] as const, 'off'))
export const haptics = createOption<'on' | 'off'>('haptics', oneOf(['on', 'off'] as const, 'off'))

/** `theme.js` reads the same key before the first paint, so that colours do not change visibly. */
export const upColour = createOption<UpColour>('updown', oneOf(UP_COLOURS, 'green'), (value) => {
  if (value === 'red') document.documentElement.dataset['updown'] = 'reverse'
  else delete document.documentElement.dataset['updown']
})
