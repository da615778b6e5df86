import { useEffect, useState } from 'react'
import { CODE_PAUSE_MS } from '#core/accounts/one-time-code.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'

/** The server refuses an earlier request. */
const WAIT_SECONDS = CODE_PAUSE_MS / SECOND_MS

/** Sends the code again, and counts down to the next possible time. */
export function useResend() {
  const [busy, setBusy] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [sentTimes, setSentTimes] = useState(0)
  const [failure, setFailure] = useState<readonly string[]>([])
  const [waitSeconds, setWaitSeconds] = useState(0)

  useEffect(() => {
    if (waitSeconds === 0) return undefined
    const timer = setTimeout(() => setWaitSeconds(waitSeconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [waitSeconds])

  async function send(): Promise<void> {
    setBusy(true)
    setFailure([])
    try {
      const { data } = await call('POST /user/email-verify')
      setSentTo(data.sent_to)
      setSentTimes((before) => before + 1)
      setWaitSeconds(WAIT_SECONDS)
    } catch (error) {
      setFailure([failureText(error)])
    } finally {
      setBusy(false)
    }
  }

  return { busy, sentTo, sentTimes, failure, waitSeconds, send }
}
