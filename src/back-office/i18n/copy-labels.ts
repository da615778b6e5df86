import type { CopyLabels } from '#ui/copy-button.tsx'
import { t } from '#back-office/i18n/t.ts'

/** The words of every button of the back office that copies. */
export function copyLabels(): CopyLabels {
  return { copy: t('common.copy'), copied: t('common.copied'), failed: t('common.copy_failed') }
}
