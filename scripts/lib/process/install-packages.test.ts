import { expect, it } from 'vitest'
import { installPackages } from './install-packages.mjs'

const REGISTRY = 'https://packages.example/'

interface FakeNpm {
  readonly runNpm: (args: string[], options: { onError?: (text: string) => void }) => Promise<number>
}

/** A fake npm with the given outcome of `ci` and reply to `ping`. */
function npm({ errors, code, answers }: { errors: string; code: number; answers: boolean }): FakeNpm {
  let end = (): void => undefined
  const whenPinged = new Promise<void>((resolve) => (end = resolve))
  return {
    runNpm: async ([command]: string[], { onError }: { onError?: (text: string) => void }): Promise<number> => {
      if (command === 'ping') {
        setImmediate(end)
        return answers ? 0 : 1
      }
      await whenPinged
      onError?.(errors)
      return code
    },
  }
}

it('F85: an unreachable registry is reported while npm still retries, with remedies', async () => {
  const said: string[] = []
  const errors = 'npm error code ENOTFOUND\nnpm error request to https://packages.example/zod failed\n    at stack'
  const { runNpm }: FakeNpm = npm({ errors, code: 1, answers: false })
  const problem = await installPackages({ runNpm, say: (line) => said.push(line), registry: REGISTRY, askAfterMs: 1 })
  expect(said).toHaveLength(1)
  for (const text of [said[0], problem]) {
    expect(text).toContain(`The package registry ${REGISTRY} cannot be reached from this computer.`)
    expect(text).toContain('npm config set proxy')
    expect(text).toContain('npm config set registry')
  }
  expect(problem).not.toMatch(/npm error|stack|npm ci ended/)
})

it('F85: a slow connection is not reported as unreachable', async () => {
  const said: string[] = []
  const { runNpm }: FakeNpm = npm({ errors: '', code: 0, answers: true })
  expect(await installPackages({ runNpm, say: (line) => said.push(line), askAfterMs: 1 })).toBeNull()
  expect(said).toEqual([])
})

it('F85: other errors are reported with npm’s message', async () => {
  const { runNpm }: FakeNpm = npm({ errors: 'npm error code ENOSPC\n', code: 228, answers: true })
  const problem = await installPackages({ runNpm, say: () => undefined, askAfterMs: 1 })
  expect(problem).toBe('npm error code ENOSPC\nThe packages could not be installed: npm ci ended with 228.')
})
