import type { TreatmentKind } from '#server/modules/spaces/author-treatments/schema.ts'

interface Terms {
  kind: TreatmentKind
  endsAt?: string
  reason?: string
}

/** Sets again what was replaced or ended: until the same time, for the same reason. */
export function restOfTreatment({ kind, endsAt, reason }: Terms) {
  return { kind, minutes: null, ...(endsAt && { endsAt }), ...(reason && { reason }) }
}
