import type { ZoneWords } from '#web/chart/chart-order.ts'
import { t } from '#web/i18n/t.ts'

/** Returns the texts in an order's zones, in the language of the page. */
export function zoneWords(): ZoneWords {
  return {
    aboveWins: t('chart.above_wins'),
    belowLoses: t('chart.below_loses'),
    aboveLoses: t('chart.above_loses'),
    belowWins: t('chart.below_wins'),
  }
}
