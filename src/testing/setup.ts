import { fixRandomPlans } from '#testing/random-plans.ts'
import { waitPatiently } from '#testing/wait-patiently.ts'

// Runs before each test file, also where many files share a process.
fixRandomPlans()
waitPatiently()
