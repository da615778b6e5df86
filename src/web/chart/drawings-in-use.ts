import { readItem } from '#ui/state/browser-storage.ts'
import { createStore } from '#ui/state/store.ts'

/** Storage key of the drawings of this device. */
export const DRAWINGS = 'drawings'

/** Whether this device has drawings or a tool was chosen. Until then the chart loads no code for them. */
export const drawingsInUse = createStore(readItem('localStorage', DRAWINGS) !== null)
