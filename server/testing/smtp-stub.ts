import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** By their names in lower case, unfolded. */
  headers: Record<string, string>
  text: string
  raw: string
}

/** What a server answers at one step instead of accepting it: a code, or nothing at all. */
type Rejection = number | 'hangs' | undefined

interface Behaviour {
  connect?: () => Rejection
  signIn?: (username: string, password: string) => boolean
  sender?: (address: string) => Rejection
  recipient?: (address: string) => Rejection
  /** After the whole mail was received; `hangs` leaves the sender without an answer. */
  mail?: (mail: ReceivedMail) => Rejection
}

/** A mail server on loopback that keeps what it receives, and rejects what tests say. */
export async function openSmtpStub(behaviour: Behaviour = {}) {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    authOptional: true,
    allowInsecureAuth: true,
    onConnect: (_session, done) => end(behaviour.connect?.(), done),
    onAuth: ({ username, password }, _session, done) =>
      behaviour.signIn?.(username ?? '', password ?? '') === false
        ? done(Object.assign(new Error('no'), { responseCode: 535 }))
        : done(null, { user: username ?? '' }),
    onMailFrom: ({ address }, _session, done) => end(behaviour.sender?.(address), done),
    onRcptTo: ({ address }, _session, done) => end(behaviour.recipient?.(address), done),
    onData: async (stream, { envelope }, done) => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const mail = { from, to: envelope.rcptTo.map(({ address }) => address), ...(await read(stream)) }
      const rejection = behaviour.mail?.(mail)
      if (typeof rejection !== 'number') mails.push(mail)
      end(rejection, done)
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    mails,
    behaviour,
    /** As SMTP_URL and MAIL_FROM. */
    smtp: { url: `smtp://127.0.0.1:${port}`, from: 'Docket <docket@desk.example>' },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

function end(rejection: Rejection, done: (error?: Error | null) => void): void {
  if (rejection === 'hangs') return
  done(rejection === undefined ? null : Object.assign(new Error('refused'), { responseCode: rejection }))
}

async function read(stream: SMTPServerDataStream): Promise<Pick<ReceivedMail, 'headers' | 'text' | 'raw'>> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  const raw = Buffer.concat(chunks).toString('utf8')
  const [head = '', ...body] = raw.split('\r\n\r\n')
  const headers = Object.fromEntries(
    head
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  return { headers, text: decoded(body.join('\r\n\r\n'), headers['content-transfer-encoding']), raw }
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
