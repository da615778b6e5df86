import Share2 from 'lucide-react/icons/share-2'
import { IconButton } from '#ui/icon-button.tsx'
import { shareLink } from '#ui/share-link.ts'
import { useToast } from '#ui/toast.tsx'
import { t } from '#web/i18n/t.ts'

/** Shares the address of the page, or copies it where the browser cannot share, and shows the outcome. */
export function ShareButton() {
  const toast = useToast()
  const share = async () => {
    const link = location.href
    const outcome = await shareLink(link)
    if (outcome === 'failed') toast({ tone: 'danger', text: t('common.share_failed', { link }) })
    else if (outcome === 'dismissed') toast({ tone: 'info', text: t('common.not_shared') })
    else toast({ tone: 'success', text: t(outcome === 'shared' ? 'common.shared' : 'common.link_copied') })
  }
  return (
    <IconButton
      label={t('check.share')}
      onClick={() => void share()}
      icon={<Share2 size={20} strokeWidth={1.75} aria-hidden="true" />}
    />
  )
}
