import type { Text } from '#server/modules/rules/conditions/facts.ts'

/** The texts of content that rules judge. */
export function textsOf(data: unknown): Text[] {
  const parts = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
  return (['title', 'text'] as const).flatMap((field) => {
    const text = parts[field]
    return typeof text === 'string' && text !== '' ? [{ field, text }] : []
  })
}
