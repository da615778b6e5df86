/** Where the file is: the one that comes with the program, one of the operator's, or its text itself. */
export type FeedsPlace =
  | { readonly kind: 'shipped' }
  /** Absolute. */
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'text'; readonly text: string }

/** Where prices come from. */
export type FeedsConfig =
  | { readonly kind: 'synthetic'; readonly seed: string }
  /** `speed`: recorded seconds per second. `offsetMs`: where in each recording to begin. */
  | { readonly kind: 'replay'; readonly speed: number; readonly offsetMs: number }
  /** A file that names the sources, and the keys of theirs that the environment holds. */
  | {
      readonly kind: 'file'
      readonly place: FeedsPlace
      readonly keyOf: (variable: string) => string | undefined
      /** Of the market that is simulated for symbols without a key, in a demo. */
      readonly seed: string
    }

export interface FeedsChoice {
  readonly mode: 'demo' | 'live'
  readonly feeds: FeedsConfig
}
