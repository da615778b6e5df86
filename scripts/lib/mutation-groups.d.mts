export declare const MUTATION_GROUPS: Readonly<
  Record<string, { readonly mutate: readonly string[]; readonly tests: readonly string[] }>
>
