import { z } from 'zod'

const Time = z.iso.datetime()
const AnyObject = z.record(z.string(), z.unknown())

/** Internal report flag (INTERFACE.md, Comment and User). */
export const HashFlag = z.object({ bits: z.int(), hashes: z.int(), hash: z.array(z.string()) }).meta({ id: 'HashFlag' })

/** INTERFACE.md, User. Fields without a value are left out, never null; `roles` is there even when empty. */
export const User = z
  .object({
    userId: z.string(),
    _id: z.string(),
    path: z.string(),
    userInternalId: z.string(),
    userPublicId: z.string(),
    roles: z.array(z.string()),
    permissions: z.array(z.string()),
    displayName: z.string().optional(),
    profileHandle: z.string().optional(),
    description: z.string().optional(),
    avatarFileId: z.string().optional(),
    avatarCustomUrl: z.string().optional(),
    flagCount: z.int(),
    hashFlag: HashFlag.optional(),
    metadata: AnyObject.optional(),
    isGlobalBan: z.boolean(),
    isBrand: z.boolean(),
    isDeleted: z.boolean(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'User' })
export type User = z.output<typeof User>
