import { createStore, useStore } from '#ui/state/store.ts'

const hasReplied = createStore(false)

/** Records that the server has sent data: with the page, by HTTP or by a socket. */
export function noteServerReply(): void {
  hasReplied.set(true)
}

/** Whether the server has sent anything to this page. A page from the browser's stored files is not a reply. */
export function useHasServerReply(): boolean {
  return useStore(hasReplied)
}
