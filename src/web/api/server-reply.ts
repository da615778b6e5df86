import { createStore, useStore } from '#ui/state/store.ts'
import { pageArrivedAt } from '#web/api/page-data.ts'

const hasReplied = createStore(pageArrivedAt() !== null && document.getElementById('page-data') !== null)

/** Notes a reply of the server, by HTTP or by a socket. */
export function noteServerReply(): void {
  hasReplied.set(true)
}

/** Whether the server has sent anything to this page. A page from the browser's stored files is no reply. */
export function useHasServerReply(): boolean {
  return useStore(hasReplied)
}
