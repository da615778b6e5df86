/**
 * `ids`: trades have numbers without holes and a public history by number. `computed`: any moment can be computed again. `none`: no numbers,
 * or no history.
 */
export type SourceClass = 'ids' | 'computed' | 'none'
