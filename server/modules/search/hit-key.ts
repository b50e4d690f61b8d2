import { z } from 'zod'
import type { ListKey, PageRequest } from '#server/core/database/keyset.ts'
import { DomainError } from '#server/core/errors.ts'
import type { Hit, Slice } from '#server/modules/search/search.ts'

/** A hit's position in its list, stable when other hits come and go. */
export function hitKey({ rank, at, tie }: Hit): ListKey {
  return [`${rank} ${at.toISOString()}`, tie]
}

const HitKey = z.tuple([
  z.templateLiteral([z.enum(['0', '1']), ' ', z.iso.datetime({ precision: 3 })]),
  z.string().regex(/^[\w-]{1,100}$/),
])

/** Reads where a page begins. Fails with INVALID_REQUEST for a position that `hitKey` did not make. */
export function readHitKey({ before, after, isInclusive = false }: PageRequest): Slice['from'] {
  const key = before ?? after
  if (key === undefined) return undefined
  const parsed = HitKey.safeParse(key)
  if (!parsed.success) throw new DomainError('INVALID_REQUEST', { detail: ['options.token: not valid'] })
  const [rankAndTime, tie] = parsed.data
  return { rank: Number(rankAndTime[0]), key: [rankAndTime.slice(2), tie], isInclusive }
}
