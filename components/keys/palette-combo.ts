/** Opens the palette everywhere, from fields too: no single key, so it needs no switch. */
export const PALETTE_COMBO = 'mod+k'
