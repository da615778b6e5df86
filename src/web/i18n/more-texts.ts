import english from '#messages/en.json' with { type: 'json' }
import type { Catalogue } from '#web/i18n/catalogue.ts'

/**
 * The English texts beyond those of the log in. In development all of them; the build's `splitTexts` puts only what
 * `en.json` has lost by it in this file's place.
 */
export const MORE_TEXTS: Catalogue = english
