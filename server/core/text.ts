import { z } from 'zod'

/** Text that can be stored and sent: no U+0000, no lone surrogate. Lengths count UTF-16 units. */
export function text(limits: { min?: number; max: number }) {
  return z
    .string()
    .min(limits.min ?? 0)
    .max(limits.max)
    .refine(isStorable, 'holds a character that cannot be stored')
}

function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed()
}

/** The id of a community, post or comment (INTERFACE.md, Limits). */
export const ResourceId = text({ min: 1, max: 900 })
