/** Mutes as before a mute was replaced or ended: until the same time, for the same reason. */
export function restOfMute({ endsAt, reason }: { endsAt?: string; reason?: string } = {}) {
  return { minutes: null, ...(endsAt && { endsAt }), ...(reason && { reason }) }
}
