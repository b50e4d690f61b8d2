import { deskPathOf } from '#server/core/desk-path/schema.ts'

/** Where to go after sign-in: always a path of this desk, whatever the link contains. */
export function safeThen(then: string | undefined): string {
  return deskPathOf(then) ?? '/'
}
