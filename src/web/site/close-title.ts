import { t } from '#web/i18n/t.ts'
import { useSession } from '#web/session/session.ts'

/** The name of the screen that closes the account, or shows that it is being closed. */
export function useCloseTitle(): string {
  return t(useSession()?.user.closing ? 'closing.title' : 'screen.close')
}
