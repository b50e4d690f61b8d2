import { randomUUID } from 'node:crypto'

/** Twelve letters, of 16 to the 12th, that no other test's names hold: a name to look somebody up by, or a handle. */
export const uniqueWord = (): string =>
  randomUUID()
    .replaceAll('-', '')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
    .slice(0, 12)
