/** The token of an `Authorization: Bearer …` header; null without one. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer +([A-Za-z0-9_-]{1,200})$/i.exec(header ?? '')?.[1] ?? null
}
