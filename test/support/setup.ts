import { fixRandomPlans } from '#test/support/random-plans.ts'
import { waitPatiently } from '#test/support/wait-patiently.ts'

// Runs before each test file, also where many files share a process.
fixRandomPlans()
waitPatiently()
