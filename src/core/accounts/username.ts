/** 3 to 30 letters, digits, `_`, `.` and `-`: no spaces, nothing that could look like another name in a list. */
const USERNAME = /^[A-Za-z0-9_.-]{3,30}$/

export function isUsername(text: string): boolean {
  return USERNAME.test(text)
}

/** Names are unique without regard to case. */
export function usernameKey(username: string): string {
  return username.toLowerCase()
}

/** How others see a name: its first letters, dots, the last one, with more than half of it hidden. `alice9` → `al•••9`. */
export function maskName(username: string): string {
  const letters = Array.from(username)
  const shown = letters.length < 6 ? 1 : 2
  return `${letters.slice(0, shown).join('')}•••${letters.length < 4 ? '' : (letters.at(-1) ?? '')}`
}
