import english from '#messages/en.json' with { type: 'json' }
import type { Texts } from '#messages/find-text.ts'

/**
 * The English texts beyond those of the log in. In development all of them; the build's `splitEnglish` puts only what
 * `en.json` has lost by it in this file's place.
 */
export const MORE_TEXTS: Texts = english
