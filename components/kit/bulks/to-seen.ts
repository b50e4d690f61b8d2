import type { SeenItem } from '#server/modules/review/bulk/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'

export const subjectOf = ({ subjectType, subjectId }: Subject): Subject => ({ subjectType, subjectId })

export const toSeen = ({ subjectType, subjectId, version }: SeenItem): SeenItem => ({ subjectType, subjectId, version })

export const keyOf = ({ subjectType, subjectId }: Subject): string => `${subjectType}:${subjectId}`
