import Share2 from 'lucide-react/icons/share-2'
import { IconButton } from '#ui/icon-button.tsx'
import { useToast } from '#ui/toast.tsx'
import { t } from '#web/i18n/t.ts'

/** Hands the address of the page on, or copies it where a browser cannot. */
export function ShareButton() {
  const toast = useToast()
  const share = async () => {
    const url = location.href
    try {
      if (typeof navigator.share === 'function') await navigator.share({ url })
      else {
        await navigator.clipboard.writeText(url)
        toast({ tone: 'success', text: t('common.copied') })
      }
    } catch {
      // Thought better of it, or not allowed: the address bar has it too.
    }
  }
  return (
    <IconButton
      label={t('check.share')}
      onClick={() => void share()}
      icon={<Share2 size={20} strokeWidth={1.75} aria-hidden="true" />}
    />
  )
}
