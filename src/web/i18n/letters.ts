import arabic from '@fontsource-variable/vazirmatn/files/vazirmatn-arabic-wght-normal.woff2?url'
import { type LanguageCode, LANGUAGES } from '#messages/languages.ts'
import { withTimeout } from '#ui/retry.ts'

/** 1 s: as long as the first texts, which load at the same time, need on a slow connection. */
const LETTERS_WITHIN_MS = 1_000

/**
 * Loads a web font for letters that the app's font lacks, where most systems have a worse font. A font that arrives too
 * late is not used on this page, because its other widths would move what the user reads. The browser has it for the
 * next page.
 */
export async function loadLetters(code: LanguageCode): Promise<void> {
  if (LANGUAGES[code].dir !== 'rtl') return
  try {
    const face = new FontFace('Vazirmatn Variable', `url(${arabic})`, {
      weight: '100 900',
      unicodeRange: 'U+0600-06FF, U+0750-077F, U+0870-08FF, U+FB50-FDFF, U+FE70-FEFC',
    })
    document.fonts.add(await withTimeout(LETTERS_WITHIN_MS, face.load()))
  } catch {
    // If the font does not load in time, the system's font shows the letters.
  }
}
