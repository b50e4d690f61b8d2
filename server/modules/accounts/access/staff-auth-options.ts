import type { Ctx } from '#server/core/ctx.ts'
import type { PrismaClient } from '#server/core/prisma/client.ts'
import type { OpenIdConnect } from '#server/modules/accounts/access/open-id-connect.ts'

export interface StaffAuthOptions {
  /** The secret that signs the sessions. */
  key: Buffer
  /** The URLs at which browsers reach the desk; the first is its main one. */
  origins: string[]
  /** The organisation's own sign-in, if there is one. */
  openId?: OpenIdConnect | undefined
  /** The sign-in library runs its own statements through it. */
  prisma: PrismaClient
  ctx: Ctx
}

/** Encrypts the secrets of the second factor. */
export interface Cipher {
  seal(text: string): Promise<string>
  open(sealed: string): Promise<string>
}

export const DESK_NAME = 'Docket'

/** Set by the server on each request that it passes to the library; a caller's own header of this name is dropped. */
export const ADDRESS_HEADER = 'x-docket-ip'
export const REQUEST_ID_HEADER = 'x-docket-request-id'
