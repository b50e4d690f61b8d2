/** The text before the hosts, the hosts, and the text after them. */
const PARTS = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/
const ATTRIBUTES = 'target_session_attrs'
/** The values of libpq's `target_session_attrs` that Docket takes: both ask for a server that accepts writes, as it can't work with another one. */
const ATTRIBUTES_KNOWN = ['read-write', 'primary']

/**
 * The address of each host of a database address, in its order; just the address if it has one host. Several look as they do for libpq:
 * `postgres://docket@one:5432,two:5433/docket?target_session_attrs=read-write`. See
 * https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS.
 */
export function hostAddresses(address: string): [string, ...string[]] {
  const [, start = '', hosts = '', rest = ''] = PARTS.exec(address) ?? []
  const [first = '', ...others] = hosts.split(',')
  const addressOf = (host: string) => `${start}${host}${rest}`
  return others.length === 0 ? [address] : [addressOf(first), ...others.map(addressOf)]
}

/** Whether a connection has to look for the host that accepts writes: always where there are several. */
export function asksForWrites(address: string): boolean {
  const [first, ...others] = hostAddresses(address)
  return others.length > 0 || URL.parse(first)?.searchParams.has(ATTRIBUTES) === true
}

export function isDatabaseAddress(address: string): boolean {
  return hostAddresses(address).every((one) => /^postgres(ql)?:$/.test(URL.parse(one)?.protocol ?? ''))
}

export function hasKnownAttributes(address: string): boolean {
  const values = URL.parse(hostAddresses(address)[0])?.searchParams.getAll(ATTRIBUTES) ?? []
  return values.every((value) => ATTRIBUTES_KNOWN.includes(value))
}
