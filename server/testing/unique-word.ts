import { randomUUID } from 'node:crypto'

/** Twelve letters, of 16 to the 12th, that no other test's names contain: a name to search a person by, or a handle. */
export const uniqueWord = (): string =>
  randomUUID()
    .replaceAll('-', '')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
    .slice(0, 12)
