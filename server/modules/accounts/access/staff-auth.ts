import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { createKnownDevices } from '#server/modules/accounts/access/known-devices.ts'
import type { Cipher, StaffAuthOptions } from '#server/modules/accounts/access/staff-auth-options.ts'

export type StaffAuth = ReturnType<typeof createStaffAuth>

/**
 * Signing in and out: by e-mail and password with or without a code, by passkey, or through the organisation. Accounts are created by the
 * command line, the set-up link or an admin, or by the organisation's sign-in; there is no sign-up. The library is loaded when it is first
 * needed, or by `load`; sessions are looked up without it.
 */
export function createStaffAuth(options: StaffAuthOptions) {
  const { key, origins, openId, ctx } = options
  const useSecureCookies = origins[0]?.startsWith('https://') ?? false
  const readSigned = signedReader({ key, useSecureCookies })
  let opening: ReturnType<typeof openLibrary> | undefined
  const library = () => (opening ??= openLibrary(options))
  const cipher: Cipher = {
    seal: async (text) => (await library()).cipher.seal(text),
    open: async (sealed) => (await library()).cipher.open(sealed),
  }
  return {
    /** Loads the library before the first sign-in waits for it. */
    load: async (): Promise<void> => {
      await library()
    },
    handler: async (request: Request) => (await library()).handler(request),
    cipher,
    openIdName: openId?.name,
    devices: createKnownDevices({ key, isSecure: useSecureCookies }),
    /** The account that the cookie of the first step names. */
    readFirstStep: async (cookies: Cookies) => {
      const challenge = readSigned(cookies, 'two_factor')
      if (challenge === undefined) return undefined
      const { internalAdapter } = await library()
      const staffId = (await internalAdapter.findVerificationValue(challenge))?.value
      return staffId === undefined ? undefined : findEmail(ctx, staffId)
    },
    readCookie: (cookies: Cookies) => readSigned(cookies, 'session_token'),
  }
}

async function openLibrary(options: StaffAuthOptions) {
  const { openSignInLibrary } = await import('#server/modules/accounts/access/sign-in-library.ts')
  return openSignInLibrary(options)
}

async function findEmail(ctx: Ctx, staffId: string): Promise<string | undefined> {
  const account = await queryOne<{ email: string }>(ctx, sql`select email from staff_account where id = ${staffId}`)
  return account?.email
}

/** Beyond this many, all are checked again. */
const CHECKED_AT_MOST = 10_000

type Cookies = Record<string, string | undefined>

/**
 * Reads the value of a signed cookie of the library; undefined without the cookie or where its signature is wrong. Each is checked once, as a
 * session sends the same one with every request.
 */
function signedReader({ key, useSecureCookies }: { key: Buffer; useSecureCookies: boolean }) {
  const checked = new Map<string, string>()
  return (cookies: Cookies, name: string): string | undefined => {
    const value = cookies[`${useSecureCookies ? '__Secure-' : ''}docket.${name}`]
    if (value === undefined) return undefined
    const known = checked.get(value)
    if (known !== undefined) return known

    const text = valueIfSigned(value, key)
    if (checked.size === CHECKED_AT_MOST) checked.clear()
    if (text !== undefined) checked.set(value, text)
    return text
  }
}

function valueIfSigned(value: string, key: Buffer): string | undefined {
  const cut = value.lastIndexOf('.')
  if (cut < 1) return undefined
  const text = value.slice(0, cut)
  const given = Buffer.from(value.slice(cut + 1), 'base64')
  const right = createHmac('sha256', key.toString('base64url')).update(text).digest()
  return given.length === right.length && timingSafeEqual(given, right) ? text : undefined
}
