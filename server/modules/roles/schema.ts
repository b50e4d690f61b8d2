import { z } from 'zod'
import { ListOptions, Paging, Time } from '#server/core/wire/schema.ts'

/** INTERFACE.md, Role. Fields without a value are left out, never null. */
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

/** Pages of 10 unless told. */
export const RolesQuery = z.object({ options: ListOptions })
export type RolesQuery = z.output<typeof RolesQuery>

export const RolesAnswer = z.object({ roles: z.array(Role), paging: Paging }).meta({ id: 'Roles' })
export type RolesAnswer = z.output<typeof RolesAnswer>
