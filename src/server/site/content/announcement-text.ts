import type { SiteAnnouncement } from '#server/site/content/site-announcements.queries.ts'
import type { Language } from '#server/platform/i18n/messages.ts'

/** An announcement in the reader's language, else in the site's, else in English, else in whatever there is. */
export function announcementText({ texts }: SiteAnnouncement, language: Language, siteLanguage: Language): string {
  return texts[language] ?? texts[siteLanguage] ?? texts['en'] ?? Object.values(texts)[0] ?? ''
}
