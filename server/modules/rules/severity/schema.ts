/** What the severity of a rule is worth where the most urgent items come first, in minutes (docs/desk.md#most-urgent-first). */
export const SEVERITY_MINUTES = { low: 120, medium: 240, high: 480 } as const

/** How urgent what a rule holds is. */
export type Severity = keyof typeof SEVERITY_MINUTES
