import { PERIODS, type Period } from '#server/core/periods.ts'

/** The period of a digit, counting from 1. */
export function presetOf(key: string): Period | undefined {
  return /^[1-9]$/.test(key) ? PERIODS[Number(key) - 1] : undefined
}
