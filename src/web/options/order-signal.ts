import { buzz } from '#web/options/haptics.ts'
import { sound } from '#web/options/options.ts'
import type { OrderMoment } from '#web/options/tone.ts'

/**
 * Signals a moment of an order as the user chose: with a tone, a vibration, both or neither. A hidden tab stays silent,
 * and so does a page that the user has not touched yet, because browsers refuse sound and vibration there.
 */
export function signalOrder(moment: OrderMoment): void {
  if (document.hidden || ('userActivation' in navigator && !navigator.userActivation.hasBeenActive)) return
  buzz()
  if (sound.get() !== 'on') return
  const playing = import('#web/options/tone.ts').then((tone) => tone.playTone(moment))
  playing.catch(() => {
    // Without a connection the code cannot be loaded. The order does not need the tone.
  })
}
