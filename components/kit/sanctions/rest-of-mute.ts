/** Mutes as before a mute was replaced or ended: until the same time, for the same reason and policy. */
export function restOfMute({ endsAt, reason, policyId }: { endsAt?: string; reason?: string; policyId?: string } = {}) {
  return { minutes: null, ...(endsAt && { endsAt }), ...(reason && { reason }), ...(policyId && { policyId }) }
}
