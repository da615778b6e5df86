import { createStore, useStore } from '#ui/state/store.ts'

/** A message that one screen leaves for the next, such as "verified, log in to continue". */
export interface Notice {
  tone: 'success' | 'info'
  /** The first part of the message, in bold. */
  title?: string | undefined
  text: string
  /** The account that the message concerns. The log-in fills in this username. */
  username?: string | undefined
  /** The session ended without an action of the user. The notice then appears on any next page. */
  isEndOfSession?: true | undefined
}

const store = createStore<Notice | null>(null)

export function showNotice(notice: Notice): void {
  store.set(notice)
}

export function useNotice(): Notice | null {
  return useStore(store)
}

/** Removes the notice after it was shown. */
export function dismissNotice(): void {
  store.set(null)
}
