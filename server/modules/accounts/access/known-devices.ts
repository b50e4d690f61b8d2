import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const REMEMBERED_SECONDS = 90 * 24 * 3600

export interface KnownDevices {
  /** The id of the device that this cookie was given to; undefined without a cookie, or where its signature is wrong. */
  read(cookies: Record<string, string | undefined>): string | undefined
  newDevice(): string
  /** The header that gives a device its cookie, or extends it. */
  cookieOf(device: string): string
}

/**
 * Marks a browser that somebody signed in on, so that strangers can't use up its attempts. The cookie grants no access: the database stores
 * which accounts a device is known to.
 */
export function createKnownDevices({ key, isSecure }: { key: Buffer; isSecure: boolean }): KnownDevices {
  const name = `${isSecure ? '__Secure-' : ''}docket.device`
  const signatureOf = (device: string) => createHmac('sha256', key).update(`device:${device}`).digest()
  return {
    read: (cookies) => {
      const [device = '', signature = ''] = (cookies[name] ?? '').split('.', 2)
      const given = Buffer.from(signature, 'base64url')
      const right = signatureOf(device)
      return given.length === right.length && timingSafeEqual(given, right) ? device : undefined
    },
    newDevice: () => randomBytes(16).toString('base64url'),
    cookieOf: (device) =>
      [
        `${name}=${device}.${signatureOf(device).toString('base64url')}`,
        `Max-Age=${REMEMBERED_SECONDS}`,
        'Path=/api/auth',
        'HttpOnly',
        'SameSite=Lax',
        ...(isSecure ? ['Secure'] : []),
      ].join('; '),
  }
}
