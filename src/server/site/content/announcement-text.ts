import type { SiteAnnouncement } from '#server/site/content/site-announcements.queries.ts'
import type { Language } from '#server/platform/i18n/messages.ts'

/** Selects the text of an announcement: in the reader's language, else the site's, else English, else any. */
export function announcementText({ texts }: SiteAnnouncement, language: Language, siteLanguage: Language): string {
  return texts[language] ?? texts[siteLanguage] ?? texts['en'] ?? Object.values(texts)[0] ?? ''
}
