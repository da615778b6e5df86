import { useRef } from 'react'
import { newId } from '#ui/new-id.ts'

/**
 * An id for the server to know a request by when it is sent again, after an answer was lost on its way: it then answers with what it
 * made the first time. Other content is another request, so it gets another id.
 */
export function useRequestId(): (content: string) => string {
  const last = useRef<{ content: string; id: string } | null>(null)
  return (content) => {
    if (last.current?.content !== content) last.current = { content, id: newId() }
    return last.current.id
  }
}
