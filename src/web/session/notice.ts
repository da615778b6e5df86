import { createStore, useStore } from '#ui/state/store.ts'

/** Something one screen has the next one say, such as "verified, log in to continue". */
export interface Notice {
  tone: 'success' | 'info'
  /** Said first, in bold. */
  title?: string | undefined
  text: string
  /** Whose account it is about: the log-in has the name filled in. */
  username?: string | undefined
  /** The session ended without the user's doing: said on whatever page that leads to. */
  isEndOfSession?: true | undefined
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
