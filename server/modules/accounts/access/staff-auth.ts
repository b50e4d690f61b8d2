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
    const cookie = cookies[`${useSecureCookies ? '__Secure-' : ''}docket.${name}`]
    if (cookie === undefined) return undefined
    const known = checked.get(cookie)
    if (known !== undefined) return known

    const value = valueIfSigned(cookie, key)
    if (value === undefined) return undefined
    if (checked.size === CHECKED_AT_MOST) checked.clear()
    checked.set(cookie, value)
    return value
  }
}

/** A signature in any other spelling is wrong: nobody makes several cookies of one. */
function valueIfSigned(cookie: string, key: Buffer): string | undefined {
  const cut = cookie.lastIndexOf('.')
  if (cut < 1) return undefined
  const value = cookie.slice(0, cut)
  const given = Buffer.from(cookie.slice(cut + 1))
  const right = Buffer.from(createHmac('sha256', key.toString('base64url')).update(value).digest('base64'))
  return given.length === right.length && timingSafeEqual(given, right) ? value : undefined
}
