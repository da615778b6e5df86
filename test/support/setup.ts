import { fixRandomPlans } from '#test/support/random-plans.ts'
import { waitPatiently } from '#test/support/wait-patiently.ts'

// Runs before each test file, even when several files share a process.
fixRandomPlans()
waitPatiently()
