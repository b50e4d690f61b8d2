/** A request as raw bytes, and the expected status. */
export interface HostileRequest {
  name: string
  status: number
  bytes: Buffer
}

/** The desk accepts mutations only from its own pages; the host has no port here. */
const ORIGIN = 'http://127.0.0.1'
const HEADERS_250_KB = 250_000
/** Just below the server's limit for all header fields together. */
const HEADERS_ALLOWED = 15_000

/** Requests that are cheap to send, and expensive for a server that spends more time on them than on others of their size. */
export function hostileRequests(token: string): HostileRequest[] {
  const ask = (name: string, status: number, target: string, headers: string[] = []): HostileRequest =>
    request({ name, status, line: `GET ${target}`, headers })
  const send = (
    name: string,
    status: number,
    target: string,
    sent: string | { body: string | Buffer; headers: string[] },
  ) => {
    const { body, headers } = typeof sent === 'string' ? { body: sent, headers: [] } : sent
    return request({
      name,
      status,
      line: `POST ${target}`,
      headers: [`origin: ${ORIGIN}`, 'content-type: application/json', ...headers],
      body: Buffer.from(body),
    })
  }
  const bearer = `authorization: Bearer ${token}`
  const signIn = '/api/auth/sign-in/email'
  const calls = (count: number) => Array.from({ length: count }, () => 'staff.link').join(',')
  const inputs = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [index, { token: 'x' }])))

  return [
    ask('60,000 times a&', 400, `/healthz?${'a&'.repeat(60_000)}`),
    ask('40,000 times a[]&', 400, `/healthz?${'a[]&'.repeat(40_000)}`),
    ask('60,000 times &', 200, `/healthz?${'&'.repeat(60_000)}`),
    ask('30,000 times a[b]&', 400, `/healthz?${'a[b]&'.repeat(30_000)}`),
    ask('60,000 pairs at a route nobody may call', 401, `/api/v3/users?${'a&'.repeat(60_000)}`),
    ask('60,000 pairs with a token', 422, `/api/v3/users?${'a&'.repeat(60_000)}`, [bearer]),
    ask('60,000 pairs at endpoint 5', 422, `/api/v4/search/messages?${'a&'.repeat(60_000)}`, [bearer]),
    ask('60,000 pairs at no route', 422, `/api/v3/nothing?${'a&'.repeat(60_000)}`),
    ask('60,000 pairs at the desk', 422, `/api/trpc/access.me?${'a&'.repeat(60_000)}`),
    ask('250 kB in the address', 431, `/healthz?${'a'.repeat(250_000)}`),
    ask('a path of 170 kB', 404, `/api/v3/${'a'.repeat(170_000)}`),
    ask('a path of 55,000 encoded percent signs', 404, `/api/v3/${'%25'.repeat(55_000)}`),
    ask('a path of 80,000 slashes', 404, `/api${'/a'.repeat(80_000)}`),
    ask('a path that cannot be decoded', 400, `/api/v3/${'%'.repeat(170_000)}`),

    ask('one header of 250 kB', 431, '/healthz', [`x-long: ${'x'.repeat(HEADERS_250_KB)}`]),
    ask('cookies of 250 kB', 431, '/healthz', [`cookie: ${'a=b; '.repeat(HEADERS_250_KB / 5)}`]),
    ask('headers of 170 kB', 431, '/healthz', many('x-many', 170_000)),
    ask('cookies of 100 kB', 431, '/healthz', [`cookie: ${'a=b; '.repeat(20_000)}`]),
    ask(
      '2,500 headers',
      431,
      '/healthz',
      Array.from({ length: 2_500 }, () => 'a:b'),
    ),
    ask('3,700 cookies', 401, '/api/trpc/access.me', [`cookie: ${'a=b;'.repeat(HEADERS_ALLOWED / 4)}`]),
    ask('a bearer of spaces', 401, '/api/v3/sessions', [`authorization: Bearer${' '.repeat(HEADERS_ALLOWED)}!`]),
    ask('a bearer that ends wrong', 401, '/api/v3/sessions', [
      `authorization: Bearer ${'a'.repeat(HEADERS_ALLOWED)} !`,
    ]),
    ask('7,000 encodings', 401, '/api/v3/sessions', [`accept-encoding: ${'a,'.repeat(HEADERS_ALLOWED / 2)}`]),
    ask('5,000 languages', 401, '/api/v3/sessions', [`accept-language: ${'aa,'.repeat(HEADERS_ALLOWED / 3)}`]),
    ask('7,000 addresses', 401, '/api/v3/sessions', [`x-forwarded-for: ${'1,'.repeat(HEADERS_ALLOWED / 2)}`]),
    ask('7,000 parts of a type', 401, '/api/v3/sessions', [
      `content-type: application/json${';a=b'.repeat(HEADERS_ALLOWED / 4)}`,
    ]),

    send('250 kB of numbers', 400, signIn, `[${'1,'.repeat(125_000)}1]`),
    send('250 kB of keys', 400, signIn, `{${Array.from({ length: 20_000 }, (_, index) => `"a${index}":1`).join(',')}}`),
    send('JSON of 10,000 levels', 400, signIn, '['.repeat(10_000) + ']'.repeat(10_000)),
    send('JSON of 900,000 levels', 400, signIn, '['.repeat(900_000)),
    send('250 kB in one string', 422, signIn, JSON.stringify({ email: 'x'.repeat(250_000), password: 'x' })),
    send('900 kB of escapes', 422, signIn, JSON.stringify({ email: '\\"'.repeat(220_000), password: 'x' })),
    send('JSON of 10,000 levels at the interface', 400, '/api/v3/channels', {
      body: `{"metadata":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_001)}`,
      headers: [bearer],
    }),
    send(
      'JSON of 10,000 levels at the desk',
      400,
      '/api/trpc/staff.acceptInvite',
      '['.repeat(10_000) + ']'.repeat(10_000),
    ),
    send('10,000 wrong ids', 422, '/api/v3/channels', {
      body: `{"userIds":[${'1,'.repeat(9_990)}1]}`,
      headers: [bearer],
    }),
    send('a body over 1 MB', 413, signIn, `"${'x'.repeat(1_000_001)}"`),
    send('a gzip body', 400, signIn, {
      body: Buffer.from('1f8b0800000000000003', 'hex'),
      headers: ['content-encoding: gzip'],
    }),
    send('a form of 900 kB', 400, signIn, {
      body: 'x'.repeat(900_000),
      headers: ['content-type: multipart/form-data; boundary=x'],
    }),

    ask('a batch of 1,100 calls', 400, `/api/trpc/${calls(1_100)}?batch=1&input=${encodeURIComponent(inputs(1_100))}`),
    ask('a batch of 1,100 calls, encoded', 400, `/api/trpc/${encodeURIComponent(calls(1_100))}?batch=1&input=%7B%7D`),
    ask('a batch of 21 calls', 400, `/api/trpc/${calls(21)}?batch=1&input=%7B%7D`),
    ask('an input of 10,000 levels', 400, `/api/trpc/staff.link?input=${'['.repeat(10_000)}`),
    send('a sent batch of 1,100 calls', 400, `/api/trpc/${calls(1_100)}?batch=1`, inputs(1_100)),
  ]
}

function many(name: string, bytes: number): string[] {
  return Array.from({ length: Math.floor(bytes / 1_000) }, (_, index) => `${name}-${index}: ${'x'.repeat(980)}`)
}

interface Written {
  name: string
  status: number
  line: string
  headers: string[]
  body?: Buffer
}

function request({ name, status, line, headers, body }: Written): HostileRequest {
  const fields = [
    'host: 127.0.0.1',
    'connection: close',
    ...(body === undefined ? [] : [`content-length: ${body.length}`]),
    ...headers,
  ]
  const head = `${line} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`
  return { name, status, bytes: Buffer.concat([Buffer.from(head), body ?? Buffer.alloc(0)]) }
}
