/** 18 years: the lowest minimum age that any country can have. */
export const YOUNGEST = 18
const OLDEST = 25

/** Parses a line such as "TH 20": a country and its minimum age. Returns null for other text. */
export function readAgeLine(line: string): { readonly country: string; readonly age: number } | null {
  const [, country, digits] = /^([A-Z]{2}) (\d{2})$/.exec(line.trim()) ?? []
  const age = Number(digits)
  return country !== undefined && age >= YOUNGEST && age <= OLDEST ? { country, age } : null
}

/** Returns the minimum age for an account in a country. */
export function minimumAge(ages: Readonly<Record<string, number>>, country: string): number {
  return ages[country.toUpperCase()] ?? YOUNGEST
}
