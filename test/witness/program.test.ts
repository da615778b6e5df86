import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../tools/witness')
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.mjs'))
const linesOf = (name: string): string[] => readFileSync(join(FOLDER, name), 'utf8').split('\n')

describe('the program of the witness', () => {
  it('the program of the witness has at most 600 lines of code', () => {
    const isCode = (line: string): boolean => line.trim() !== '' && !/^\s*(?:\/\/|\/\*|\*)/.test(line)
    expect(FILES.flatMap(linesOf).filter(isCode).length).toBeLessThanOrEqual(600)
  })

  it('the program imports only its own files and modules of Node.js', () => {
    const imported = FILES.flatMap(linesOf).flatMap((line) => /(?:from |import\()'([^']+)'/.exec(line)?.[1] ?? [])
    expect(imported.length).toBeGreaterThan(20)
    for (const name of imported) expect(name).toMatch(/^(?:node:[a-z/]+|\.\/[a-z-]+\.mjs)$/)
    expect(readFileSync(join(FOLDER, 'package.json'), 'utf8')).not.toMatch(/dependencies/i)
  })

  it('the program starts from the file that its package names', () => {
    const { bin } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as { bin: string }
    expect(FILES).toContain(bin)
    expect(linesOf(bin)[0]).toBe('#!/usr/bin/env node')
  })
})
