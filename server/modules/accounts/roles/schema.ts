import { z } from 'zod'
import type { Permission } from '#server/core/permission-names.ts'
import { text, visibleText } from '#server/core/text.ts'
import { ListOptions, Paging, Time } from '#server/core/wire/schema.ts'

/** A role (docs/interface/permissions.md#roles-and-ranks). Fields without a value are left out, never null. */
export const Role = z
  .object({
    roleId: z.string(),
    displayName: z.string().optional(),
    permissions: z.array(z.string()),
    isDeleted: z.boolean(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'Role' })
export type Role = z.output<typeof Role>

/** Pages of 10 by default. */
export const RolesQuery = z.object({ options: ListOptions })
export type RolesQuery = z.output<typeof RolesQuery>

export const RolesAnswer = z.object({ roles: z.array(Role), paging: Paging }).meta({ id: 'Roles' })
export type RolesAnswer = z.output<typeof RolesAnswer>

/** A role as the matrix shows it. */
export interface RoleRow {
  roleId: string
  displayName: string
  rank: number
  scope: 'network' | 'community' | 'channel'
  permissions: string[]
  /** Sent with a change, so that two people do not overwrite each other's. */
  updatedAt: string
  changedBy?: { userId: string; name: string }
  /** How many hold it, in the network or any space. */
  holders: number
  /** Built-in: it keeps its id and can't be deleted. */
  isSeeded: boolean
  mayChange: boolean
  mayDelete: boolean
}

export interface RoleMatrix {
  roles: RoleRow[]
  /** Every permission there is, grouped by what it applies to. */
  permissions: Record<'network' | 'community' | 'channel', Permission[]>
  /** Those that the caller has, and so may give. */
  own: string[]
  /** Roles that the caller may change rank below this. */
  ownRank: number
  mayMake: boolean
}

const RoleFields = {
  displayName: visibleText({ max: 100 }),
  rank: z.int().min(0).max(1_000_000),
  permissions: z.array(text({ min: 1, max: 100 })).max(100),
}

/** An id has 1 to 100 characters (docs/interface/users.md#roles). */
export const NewRole = z.object({
  roleId: text({ min: 1, max: 100 }).regex(
    /^[\w.-]+$/,
    'can contain only letters, digits, dots, hyphens and underscores',
  ),
  scope: z.enum(['network', 'community', 'channel']),
  ...RoleFields,
})
export type NewRole = z.output<typeof NewRole>

export const RoleChange = z.object({ roleId: text({ min: 1, max: 100 }), updatedAt: Time, ...RoleFields })
export type RoleChange = z.output<typeof RoleChange>

export const RoleInput = z.object({ roleId: text({ min: 1, max: 100 }) })
export type RoleInput = z.output<typeof RoleInput>
