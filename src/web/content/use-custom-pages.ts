import { useEffect, useState } from 'react'
import { call, type Reply } from '#web/api/call.ts'

type CustomPages = Reply<'GET /user/pages'>

const NONE: CustomPages = { custom_pages: [], image_path: '' }
let known = NONE

/** Loads the pages and links of the help centre. Failures are silent, as specified: the last loaded ones stay. */
export function useCustomPages(): CustomPages {
  const [pages, setPages] = useState(known)
  useEffect(() => {
    const controller = new AbortController()
    const ask = async () => {
      try {
        known = (await call('GET /user/pages', { signal: controller.signal })).data
        setPages(known)
      } catch {
        // The other rows of the help centre work without them.
      }
    }
    void ask()
    return () => controller.abort()
  }, [])
  return pages
}
