import { deskPathOf } from '#server/core/desk-path/schema.ts'

/** Where to go after signing in: a path of this desk, whatever the link says. */
export function safeThen(then: string | undefined): string {
  return deskPathOf(then) ?? '/queue'
}
