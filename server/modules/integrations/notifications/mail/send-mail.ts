import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { MailServer } from '#server/modules/integrations/notifications/mail/mail-server.ts'
import type { MailProblem } from '#server/modules/integrations/notifications/schema.ts'
import { isLoopbackAddress, isPublicAddress } from '#server/modules/integrations/webhooks/public-address.ts'

/** For a connection, a greeting and each answer; a mail takes no longer than all of it. */
const STEP_LIMIT_MS = 10_000
const MAIL_LIMIT_MS = 20_000

export interface Mail {
  to: { name: string; address: string }
  subject: string
  text: string
  /** Beside the usual ones. */
  headers?: Record<string, string>
  /** The same for a mail that is sent again. */
  messageId?: string
}

export interface MailOutcome {
  durationMs: number
  /** Absent if the server took the mail. */
  problem?: MailProblem
  /** What the server answered, if it did. */
  code?: number
}

export interface Sending {
  allowsLoopback: boolean
  /** All addresses of a name. */
  resolve?: (name: string) => Promise<{ address: string }[]>
  limitMs?: number
}

/**
 * Sends one mail. The name of the server is resolved once, and every address is checked, as those of endpoints are: a server of the settings must be
 * public, one of the environment may be anywhere. Beyond this machine, nothing is sent without TLS. Never throws: the outcome has the problem.
 */
export async function sendMail(server: MailServer, mail: Mail, sending: Sending): Promise<MailOutcome> {
  const startedAt = performance.now()
  const outcome = await send(server, mail, sending).catch((error: unknown) => outcomeOf(error))
  return { durationMs: Math.round(performance.now() - startedAt), ...outcome }
}

type Result = Omit<MailOutcome, 'durationMs'>

async function send(server: MailServer, mail: Mail, { limitMs = MAIL_LIMIT_MS, ...sending }: Sending): Promise<Result> {
  const { password } = server
  if (typeof password === 'object') return { problem: 'secret' }
  const address = await addressOf(server, sending)
  if (typeof address !== 'string') return address
  const stepMs = Math.min(STEP_LIMIT_MS, limitMs)
  const transport = createTransport({
    host: address,
    port: server.port,
    secure: server.security === 'tls',
    requireTLS: !isLoopbackAddress(address),
    ignoreTLS: server.security === 'starttls' && isLoopbackAddress(address),
    tls: { servername: isIP(server.host) === 0 ? server.host : undefined },
    ...(server.username !== '' && { auth: { user: server.username, pass: password ?? '' } }),
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const tooLate = new AbortController()
  try {
    const sent = transport.sendMail({
      from: { name: inHeader(server.fromName), address: server.fromAddress },
      to: { name: inHeader(mail.to.name), address: mail.to.address },
      subject: inHeader(mail.subject),
      text: mail.text,
      headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
      ...(mail.messageId !== undefined && { messageId: mail.messageId }),
    })
    const limit = sleep(limitMs, { problem: 'timeout' } as const, { signal: tooLate.signal })
    return await Promise.race([sent.then((): Result => ({})), limit])
  } finally {
    tooLate.abort()
    transport.close()
  }
}

async function addressOf(
  { host, isTrusted }: MailServer,
  { allowsLoopback, resolve = resolveAll }: Omit<Sending, 'limitMs'>,
): Promise<string | Result> {
  const literal = host.replace(/^\[|\]$/g, '')
  const addresses = isIP(literal) === 0 ? await resolve(host) : [{ address: literal }]
  const isAllowed = ({ address }: { address: string }) =>
    isTrusted || isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address))
  const [first] = addresses
  if (first === undefined) return { problem: 'name' }
  return addresses.every(isAllowed) ? first.address : { problem: 'address' }
}

function resolveAll(name: string) {
  return lookup(name, { all: true })
}

/** A text that can be in a header: on one line, well formed, and not too long. */
export function inHeader(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, HEADER_LENGTH)
    .toWellFormed()
}
const HEADER_LENGTH = 200

const PROBLEMS: Record<string, MailProblem> = {
  EDNS: 'name',
  ENOTFOUND: 'name',
  EAI_AGAIN: 'name',
  ETIMEDOUT: 'timeout',
  EAUTH: 'signIn',
  ENOAUTH: 'signIn',
  ETLS: 'certificate',
}

function outcomeOf(error: unknown): Result {
  const [code, command, answer, message] = ['code', 'command', 'responseCode', 'message'].map((name) =>
    readProperty(error, name),
  )
  const known = PROBLEMS[String(code)]
  if (typeof answer === 'number') return { code: answer, problem: known ?? replyProblem(answer, String(command)) }
  // What the library throws names the step, and only its message the cause.
  return { problem: known ?? (/certificate|SSL|TLS/i.test(String(message)) ? 'certificate' : 'connection') }
}

function replyProblem(answer: number, command: string): MailProblem {
  if (answer < 500) return 'later'
  if (command === 'MAIL FROM') return 'sender'
  return command === 'RCPT TO' || command === 'DATA' ? 'refused' : 'connection'
}

function readProperty(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined
}
