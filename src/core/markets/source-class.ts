/**
 * `ids`: trades have numbers without holes and a public history by number. `computed`: the price at any time can be
 * computed again. `none`: no numbers, or no history.
 */
export type SourceClass = 'ids' | 'computed' | 'none'
