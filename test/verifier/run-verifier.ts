import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('verify.py', import.meta.url))

export interface Question {
  readonly check: 'order' | 'money' | 'register' | 'consistency' | 'cosignatures'
  /** The contents of the files to verify. */
  readonly files: readonly unknown[]
}

export interface Answer {
  /** 0: the files prove what they claim; 1: they do not; 2: they cannot be read. */
  readonly code: 0 | 1 | 2
  readonly verdict: string
}

/** Passes all questions to the independent verifier in one process. */
export function askVerifier(questions: readonly Question[]): Answer[] {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-verifier-'))
  try {
    const lines = questions.map(({ check, files }, id) => {
      const paths = files.map((content, at) => {
        const path = join(folder, `${id}-${at}.json`)
        writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
        return path
      })
      return JSON.stringify({ id, check, paths })
    })
    // The option -B prevents compiled files beside the program.
    const printed = execFileSync('python3', ['-B', PROGRAM, '--batch'], {
      input: `${lines.join('\n')}\n`,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    return printed
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
