import { useEffect, useState } from 'react'
import { call, type Reply } from '#web/api/call.ts'

type CustomPages = Reply<'GET /user/pages'>

const NONE: CustomPages = { custom_pages: [], image_path: '' }
let known = NONE

/** The pages and links of the help centre. Failing is silent, as specified: those of the last answer stay, or none. */
export function useCustomPages(): CustomPages {
  const [pages, setPages] = useState(known)
  useEffect(() => {
    const controller = new AbortController()
    const ask = async () => {
      try {
        known = (await call('GET /user/pages', { signal: controller.signal })).data
        setPages(known)
      } catch {
        // The other rows of the help centre stand for themselves.
      }
    }
    void ask()
    return () => controller.abort()
  }, [])
  return pages
}
