import { useEffect } from 'react'
import { useIsOwnDevice } from '#web/options/own-device.ts'
import { useSession } from '#web/session/session.ts'

/**
 * Shares settings and drawings of the chart between the devices of the user, unless this device does not share them.
 */
export function useAccountDesk(symbol: string): void {
  const user = useSession()?.user
  const isOwn = useIsOwnDevice()
  const userId = user?.ev && !isOwn ? user.id : undefined
  useEffect(() => {
    if (userId === undefined) return
    let stop = () => {}
    let isGone = false
    const begin = async () => {
      const { followDesk } = await import('#web/account-desk/follow-desk.ts')
      if (!isGone) stop = followDesk(userId, symbol)
    }
    begin().catch(() => {
      // Without a network the chart shows the settings and drawings of this device.
    })
    return () => {
      isGone = true
      stop()
    }
  }, [userId, symbol])
}
