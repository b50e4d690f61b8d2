import { z } from 'zod'
import { optionalName, text, visibleText } from '#server/core/text.ts'
import {
  AnyObject,
  EitherFlag,
  ListOptions,
  listOf,
  Paging,
  QueryFlag,
  RecordPath,
  StoredObject,
  Time,
  UserId,
} from '#server/core/wire/schema.ts'
import { File } from '#server/modules/media/files/schema.ts'

/** Present while something is flagged (docs/interface/reports-and-flags.md#flag-something). */
export const HashFlag = z.object({ bits: z.int(), hashes: z.int(), hash: z.array(z.string()) }).meta({ id: 'HashFlag' })

/** A user (docs/interface/users.md#user). Fields without a value are left out, never null; `roles` is there even when empty. */
export const User = z
  .object({
    userId: z.string(),
    _id: z.string(),
    path: RecordPath,
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
    metadata: StoredObject.optional(),
    isGlobalBan: z.boolean(),
    isBrand: z.boolean(),
    isDeleted: z.boolean(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'User' })
export type User = z.output<typeof User>

export const UsersAnswer = z.object({ users: z.array(User), files: z.array(File) }).meta({ id: 'Users' })
export type UsersAnswer = z.output<typeof UsersAnswer>

export const UsersPage = UsersAnswer.extend({ paging: Paging }).meta({ id: 'UsersPage' })
export type UsersPage = z.output<typeof UsersPage>

/** The fields that a keyword is searched in. */
export const SearchedIn = listOf(z.enum(['displayName', 'profileHandle', 'userId']), { min: 1, max: 3 })
export type SearchedIn = z.output<typeof SearchedIn>

export const PeopleOrder = z.enum(['lastCreated', 'firstCreated', 'displayName']).default('lastCreated')
export type PeopleOrder = z.output<typeof PeopleOrder>

/** A page of users: by default 10, newest first (docs/interface/users.md#list-users). */
export const UsersQuery = z.object({
  keyword: text({ max: 1_024 }).optional(),
  searchBy: SearchedIn.default(['displayName']),
  exactMatchKeyword: QueryFlag.default(false),
  filter: z.enum(['all', 'flagged']).default('all'),
  sortBy: PeopleOrder,
  isDeleted: EitherFlag,
  isBrand: EitherFlag,
  options: ListOptions,
})
export type UsersQuery = z.output<typeof UsersQuery>

export const UsersById = z.object({ userIds: listOf(UserId, { min: 1, max: 100 }) })

/** The writable fields of a user: absent stays as it is, null clears it. */
export const UserChange = z
  .object({
    displayName: optionalName({ max: 100 }).nullish(),
    profileHandle: visibleText({ max: 100 }).nullish(),
    description: text({ max: 20_000 }).nullish(),
    avatarFileId: text({ min: 1, max: 900 }).nullish(),
    avatarCustomUrl: text({ max: 2_048 }).nullish(),
    metadata: AnyObject.nullish(),
    isBrand: z.boolean().optional(),
    /** All network roles. */
    roles: z
      .array(text({ min: 1, max: 900 }))
      .max(20)
      .optional(),
  })
  .meta({ id: 'UserChange' })
export type UserChange = z.output<typeof UserChange>

export const NamedUserChange = UserChange.extend({
  userId: UserId,
  createNewUserWhenNotFound: z.boolean().default(false),
}).meta({ id: 'NamedUserChange' })
