/** 3 to 30 ASCII letters, digits, `_`, `.` and `-`, so that no two names look the same in a list. */
const USERNAME = /^[A-Za-z0-9_.-]{3,30}$/
/** The beginning of the usernames of erased accounts. No user can choose such a name. */
const CLOSED = /^closed-/i

export function isUsername(text: string): boolean {
  return USERNAME.test(text) && !CLOSED.test(text)
}

/** The key by which names are unique, regardless of case. */
export function usernameKey(username: string): string {
  return username.toLowerCase()
}

/**
 * Masks a username for other users: its first letters, dots and its last letter. More than half stays hidden: `alice9`
 * → `al•••9`.
 */
export function maskName(username: string): string {
  const letters = Array.from(username)
  const shown = letters.length < 6 ? 1 : 2
  return `${letters.slice(0, shown).join('')}•••${letters.length < 4 ? '' : (letters.at(-1) ?? '')}`
}
