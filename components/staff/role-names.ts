import type { StaffRole } from '#server/modules/staff/schema.ts'

/** The highest first, each once. */
export const roleNames = (roles: StaffRole[]) => roles.map(({ displayName }) => displayName).join(', ')
