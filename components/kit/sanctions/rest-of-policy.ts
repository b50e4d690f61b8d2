import type { PolicyKind } from '#server/modules/spaces/author-policies/schema.ts'

interface Terms {
  kind: PolicyKind
  endsAt?: string
  reason?: string
}

/** Sets again what was replaced or ended: until the same time, for the same reason. */
export function restOfPolicy({ kind, endsAt, reason }: Terms) {
  return { kind, minutes: null, ...(endsAt && { endsAt }), ...(reason && { reason }) }
}
