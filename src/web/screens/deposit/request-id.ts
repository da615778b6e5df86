import { useRef } from 'react'

/**
 * An id for the server to know a request by when it is sent again, after an answer was lost on its way. Other content
 * is another request, so it gets another id.
 */
export function useRequestId(): (content: string) => string {
  const last = useRef({ content: '', id: '' })
  return (content) => {
    if (last.current.id === '' || last.current.content !== content) last.current = { content, id: newId() }
    return last.current.id
  }
}

/** 128 random bits. `crypto.randomUUID` is only there over https. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
