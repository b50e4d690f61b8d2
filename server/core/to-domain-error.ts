import { isDatabaseUnavailable } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'

/** What any thrown value means to a caller: our own failures as they are, a database that cannot do it now, or a fault of ours. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  const failure = isDatabaseUnavailable(error) ? 'UNAVAILABLE' : 'UNEXPECTED'
  return new DomainError(failure, undefined, { cause: error })
}
