import { createStore, useStore } from '#ui/state/store.ts'

/** Something one screen has the next one say, such as "verified, log in to go on". */
export interface Notice {
  tone: 'success' | 'danger'
  text: string
}

const store = createStore<Notice | null>(null)

export function leaveNotice(notice: Notice): void {
  store.set(notice)
}

export function useNotice(): Notice | null {
  return useStore(store)
}

/** It has been read: nobody says it again. */
export function takeNotice(): void {
  store.set(null)
}
