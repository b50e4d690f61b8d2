/** The initials for an avatar: first letters of the first and the last name, as whole characters in any script. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u)
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return chosen.map((word) => Array.from(word ?? '')[0]?.toLocaleUpperCase() ?? '').join('')
}
