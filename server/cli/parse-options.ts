import type { z } from 'zod'
import { DomainError } from '#server/core/errors.ts'

/** Parses a command's options against their schema; errors name the option as it is typed. */
export function parseOptions<Options>(schema: z.ZodType<Options>, options: unknown): Options {
  const parsed = schema.safeParse(options)
  if (parsed.success) return parsed.data
  const detail = parsed.error.issues.map(
    (issue) => `--${issue.path.join('.').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${issue.message}`,
  )
  throw new DomainError('INVALID_PARAMETERS', { detail })
}
