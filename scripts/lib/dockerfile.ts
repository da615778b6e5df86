/** A step of a Dockerfile. Only the kinds of steps that our Dockerfile contains exist here. */
export type DockerStep =
  | { readonly kind: 'from'; readonly image: string; readonly name: string | null }
  | {
      readonly kind: 'copy'
      readonly from: string | null
      readonly sources: readonly string[]
      readonly target: string
    }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'env'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'other'; readonly name: string; readonly text: string }

/** Reads the steps in order. A line that ends with a backslash continues on the next line. */
export function readDockerfile(text: string): DockerStep[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(readStep)
}

function readStep(line: string): DockerStep {
  const [, name = '', text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? []
  const words = text.split(/\s+/)
  switch (name) {
    case 'FROM':
      return { kind: 'from', image: words[0] ?? '', name: words[1] === 'AS' ? (words[2] ?? null) : null }
    case 'COPY': {
      const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length) ?? null
      const paths = words.filter((word) => !word.startsWith('--'))
      return { kind: 'copy', from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' }
    }
    case 'RUN':
      return { kind: 'run', command: text }
    case 'ENV':
      return { kind: 'env', values: Object.fromEntries(words.map((word) => splitAt(word))) }
    default:
      return { kind: 'other', name, text }
  }
}

function splitAt(word: string): [string, string] {
  const at = word.indexOf('=')
  return [word.slice(0, at), word.slice(at + 1)]
}

/** The command of a `CMD` in JSON form, including a `CMD` within a `HEALTHCHECK`. */
export function commandOf(text: string): string[] {
  return JSON.parse(/\[.*\]/.exec(text)?.[0] ?? '[]') as string[]
}
