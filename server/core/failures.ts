import { isDatabaseAway } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'

/** What any thrown value means to a caller: our own failures as they are, a database that is away, or a fault of ours. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  return new DomainError(isDatabaseAway(error) ? 'UNAVAILABLE' : 'UNEXPECTED', undefined, { cause: error })
}
