import type { RanTest } from '#test/specification/prove.ts'

export function readVitestResults(file: string): { passed: number; failed: number } | undefined
export function readPlaywrightResults(file: string): { passed: number; failed: number; flaky: string[] } | undefined
export function vitestTests(file: string): RanTest[]
export function playwrightTests(file: string): RanTest[]
