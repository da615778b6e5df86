import { t } from '#web/i18n/t.ts'
import { showNotice } from '#web/session/notice.ts'
import { getSession, onSessionEndInOtherTab, signOut } from '#web/session/session.ts'

/** Ends the session in this browser because the server no longer accepts it. The next screen shows why. */
export function endSession(): void {
  leaveEnd(t('shell.session_ended'), getSession()?.user.username)
  signOut()
}

onSessionEndInOtherTab(({ user }) => leaveEnd(t('shell.logged_out_elsewhere'), user.username))

function leaveEnd(text: string, username: string | undefined): void {
  showNotice({ tone: 'info', text, username, isEndOfSession: true })
}
