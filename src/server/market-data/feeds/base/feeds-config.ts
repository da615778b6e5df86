/** Where the feeds file comes from: shipped with the program, a path given by the operator, or inline text. */
export type FeedsPlace =
  | { readonly kind: 'shipped' }
  /** An absolute path. */
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'text'; readonly text: string }

/** Where prices come from. */
export type FeedsConfig =
  | { readonly kind: 'synthetic'; readonly seed: string }
  /** `speed`: recorded seconds per second. `offsetMs`: where in each recording to begin. */
  | { readonly kind: 'replay'; readonly speed: number; readonly offsetMs: number }
  /** A file that names the sources, with the keys that the environment holds. */
  | {
      readonly kind: 'file'
      readonly place: FeedsPlace
      readonly keyOf: (variable: string) => string | undefined
      /** Seed of the simulated market, for symbols without a key in a demo. */
      readonly seed: string
    }

export interface FeedsChoice {
  readonly mode: 'demo' | 'live'
  readonly feeds: FeedsConfig
}
