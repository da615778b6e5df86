import { useEffect, useState } from 'react'
import { call } from '#web/api/call.ts'

/** Whether one person decides on this site. False until the server has answered. */
export function useSingleOperator(): boolean {
  const [isSingle, setIsSingle] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    const load = async () => {
      try {
        const { data } = await call('GET /proof/people', { signal: controller.signal })
        setIsSingle(data.single_operator)
      } catch {
        // The page of changes says it too.
      }
    }
    void load()
    return () => controller.abort()
  }, [])
  return isSingle
}
