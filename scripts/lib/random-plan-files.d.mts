export function randomPlanFiles(): string[]
