import { t } from '#web/i18n/t.ts'

/** Returns the labels of a pager. */
export function pagerLabels() {
  return {
    pager: t('common.pages'),
    previous: t('common.previous_page'),
    next: t('common.next_page'),
    page: (number: number) => t('common.page', { page: number }),
  }
}
