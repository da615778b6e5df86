import { play } from './run-life.ts'
for (const [mutant, minutes] of [
  ['cap-raced', 1],
  ['cap-not-rebuilt', 1],
  ['cap-not-lowered', 3],
] as const) {
  for (let seed = 1; seed <= 60; seed += 1) {
    const { violations } = await play({ seed, minutes, mutant })
    if (violations.length > 0) {
      console.log(mutant, seed, violations[0])
      break
    }
  }
}
console.log('end')
