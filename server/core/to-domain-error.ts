import { isDatabaseUnavailable } from '#server/core/database/database-failures.ts'
import { DomainError } from '#server/core/errors.ts'

/** Maps any thrown value to an error for the caller: our own errors unchanged, a database that is unavailable, or a bug on our side. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  const failure = isDatabaseUnavailable(error) ? 'UNAVAILABLE' : 'UNEXPECTED'
  return new DomainError(failure, undefined, { cause: error })
}
