import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { PATIENCE_MS } from '#test/support/wait-patiently.ts'

configure({ asyncUtilTimeout: PATIENCE_MS })
// What one test drew must not be found by the next.
afterEach(cleanup)
