import { useEffect } from 'react'
import { useToast } from '#ui/toast.tsx'
import { t } from '#web/i18n/t.ts'
import { isPractice, onAccountChange, orderSheetIsOpen } from '#web/session/account.ts'
import { getSession } from '#web/session/session.ts'
import { loadPractice } from '#web/site/practice-account.ts'

/**
 * Says which account is on after a change, also to screen readers, and that the change closed the order form. Loads the
 * practice account of a tab that was reloaded in practice. Renders nothing itself.
 */
export function AccountToasts() {
  const toast = useToast()
  useEffect(() => {
    if (isPractice()) void loadPractice()
    return onAccountChange(() => {
      // A log-out has its own message.
      if (getSession() === null) return
      const said = [t(isPractice() ? 'shell.practice_on' : 'shell.practice_off')]
      if (orderSheetIsOpen.get()) said.push(t('shell.practice_closed_form'))
      toast({ tone: 'info', text: said.join(' ') })
    })
  }, [toast])
  return null
}
