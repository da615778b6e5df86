import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { PATIENCE_MS } from '#test/support/wait-patiently.ts'

configure({ asyncUtilTimeout: PATIENCE_MS })
// Removes the rendered page of one test before the next.
afterEach(cleanup)
