/** The default service target, in ms, for communities without their own. */
export const SERVICE_TARGET_MS = 4 * 3_600_000

/** 0 to 4: under 25 %, 50 % and 100 % of the target, past it, past six times it. */
export type AgeLevel = 0 | 1 | 2 | 3 | 4

export function ageLevel(heldForMs: number, targetMs = SERVICE_TARGET_MS): AgeLevel {
  const share = heldForMs / targetMs
  if (share < 0.25) return 0
  if (share < 0.5) return 1
  if (share < 1) return 2
  return share < 6 ? 3 : 4
}

/** The text style of the age: coloured and heavier from level 2 on. */
export const AGE_TEXT: Record<AgeLevel, string> = {
  0: 'text-ink-3',
  1: 'text-ink-3',
  2: 'text-age-text-2 font-firm',
  3: 'text-age-text-3 font-bold',
  4: 'text-age-text-4 font-bold',
}

/** The age line: wider and redder the longer an item is pending. */
export const AGE_WIDTH: Record<AgeLevel, string> = {
  0: 'w-[2px]',
  1: 'w-[3px]',
  2: 'w-[4px]',
  3: 'w-[6px]',
  4: 'w-[8px]',
}

export const AGE_GROUND: Record<AgeLevel, string> = {
  0: 'bg-age-0',
  1: 'bg-age-1',
  2: 'bg-age-2',
  3: 'bg-age-3',
  4: 'bg-age-4',
}
