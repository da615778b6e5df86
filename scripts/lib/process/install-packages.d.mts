interface RunOptions {
  stdio?: string[]
  onError?: (text: string) => void
}

export function installPackages(parts: {
  runNpm: (args: string[], options: RunOptions) => Promise<number>
  say: (line: string) => void
  registry?: string
  askAfterMs?: number
}): Promise<string | null>
