import { expect, test } from 'vitest'
import { asksForWrites, hostAddresses } from '#server/core/database/database-address.ts'

test.each([
  ['postgres://docket:p@db/docket', ['postgres://docket:p@db/docket']],
  ['postgres://a:b@one,two/docket', ['postgres://a:b@one/docket', 'postgres://a:b@two/docket']],
  [
    'postgresql://a:b@one:1,[::1]:2,three/d?sslmode=verify-full&target_session_attrs=primary',
    ['one:1', '[::1]:2', 'three'].map(
      (host) => `postgresql://a:b@${host}/d?sslmode=verify-full&target_session_attrs=primary`,
    ),
  ],
  // A comma in a user name, a password or behind the hosts separates nothing.
  ['postgres://a,b:c,d@one/d?options=e,f', ['postgres://a,b:c,d@one/d?options=e,f']],
  ['postgres://one,two', ['postgres://one', 'postgres://two']],
])('reads the hosts of %s', (address, expected) => {
  expect(hostAddresses(address)).toEqual(expected)
})

test('looks for the host that accepts writes if there are several, or if the address asks for it', () => {
  expect(asksForWrites('postgres://docket@one/docket')).toBe(false)
  expect(asksForWrites('postgres://docket@one,two/docket')).toBe(true)
  expect(asksForWrites('postgres://docket@one/docket?target_session_attrs=read-write')).toBe(true)
})
