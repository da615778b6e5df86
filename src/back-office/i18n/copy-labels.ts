import type { CopyLabels } from '#ui/copy-button.tsx'
import { t } from '#back-office/i18n/t.ts'

/** Returns the labels that all copy buttons in the back office share. */
export function copyLabels(): CopyLabels {
  return { copy: t('common.copy'), copied: t('common.copied'), failed: t('common.copy_failed') }
}
