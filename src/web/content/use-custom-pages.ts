import { useEffect, useState } from 'react'
import { call, type Reply } from '#web/api/call.ts'

type CustomPages = Reply<'GET /user/pages'>

const NONE: CustomPages = { custom_pages: [], image_path: '' }
let known: CustomPages | null = null

/**
 * Loads the pages and links of the help centre. Null until the first reply. Failures are silent, as specified: the last
 * loaded pages stay, or none.
 */
export function useCustomPages(): CustomPages | null {
  const [pages, setPages] = useState(known)
  useEffect(() => {
    const controller = new AbortController()
    const ask = async () => {
      try {
        known = (await call('GET /user/pages', { signal: controller.signal })).data
        setPages(known)
      } catch {
        // The other rows of the help centre work without the pages.
        if (!controller.signal.aborted) setPages((before) => before ?? NONE)
      }
    }
    void ask()
    return () => controller.abort()
  }, [])
  return pages
}
