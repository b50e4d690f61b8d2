/** Opens the palette everywhere, also in fields: as it isn't a single key, it needs no switch. */
export const PALETTE_COMBO = 'mod+k'
