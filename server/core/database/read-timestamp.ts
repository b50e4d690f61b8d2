import pg from 'pg'

const readByLibrary: (text: string) => Date | number = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
/** Where the fraction of a second begins in `2026-01-31 09:05:07.123+00`. */
const FRACTION_AT = 19
const ZONE = '+00'

/** How the values of a session in UTC are read: as node-postgres does, but timestamps with a time zone in a third of the time. */
export const READ_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.TIMESTAMPTZ && format !== 'binary'
      ? readTimestamp
      : pg.types.getTypeParser(type, format as 'text'),
}

/**
 * A `timestamptz` as PostgreSQL writes it in UTC. Digits after the milliseconds are cut off. Years before 100 or after 9999, other zones
 * and infinity, which is a number, are left to the library.
 */
export function readTimestamp(text: string): Date | number {
  const end = text.length - ZONE.length
  const isUsual = end >= FRACTION_AT && text.charAt(4) === '-' && text.charAt(0) !== '0' && text.endsWith(ZONE)
  if (!isUsual) return readByLibrary(text)
  const digit = (at: number) => (at < end ? text.charCodeAt(at) - 48 : 0)
  const two = (at: number) => digit(at) * 10 + digit(at + 1)
  const milliseconds = digit(20) * 100 + digit(21) * 10 + digit(22)
  return new Date(Date.UTC(two(0) * 100 + two(2), two(5) - 1, two(8), two(11), two(14), two(17), milliseconds))
}
