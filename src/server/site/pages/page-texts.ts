import type { ScreenName } from '#core/navigation/screens.ts'
import { type Language, message, type MessageKey } from '#server/platform/i18n/messages.ts'

/**
 * The text that search results and shared links show for a screen, after the headline of the site. For other screens,
 * they show only the headline.
 */
const DESCRIPTIONS: Partial<Record<ScreenName, MessageKey>> = {
  home: 'home.banner_rules_text',
  market: 'home.banner_odds_text',
  trade: 'home.banner_odds_text',
  check: 'check.intro',
  fairness: 'fairness.intro',
  changes: 'changes.intro',
  incidents: 'incidents.intro',
  register: 'register.intro',
  prices: 'prices.intro',
  liabilities: 'liabilities.intro',
  no_control: 'no_control.intro',
}

export interface PageTexts {
  readonly title: string
  readonly description: string
}

/** Returns the title and description of a screen. The app sets the same title when it renders the screen. */
export function pageTexts(screen: ScreenName, language: Language, siteName: string): PageTexts {
  const headline = message('home.headline', language)
  const more = DESCRIPTIONS[screen]
  return {
    title: screen === 'home' ? siteName : `${message(`screen.${screen}`, language)} · ${siteName}`,
    description: more === undefined ? headline : `${headline}. ${message(more, language)}`,
  }
}
