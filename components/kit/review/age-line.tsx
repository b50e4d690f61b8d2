import { AGE_GROUND, AGE_WIDTH, type AgeLevel } from './age.ts'

/** The age line in the margin: continuous down the list. */
export function AgeLine({ level }: { level: AgeLevel }) {
  return (
    <span
      aria-hidden
      className={`absolute start-0 top-0 -bottom-px z-1 row-auto! forced-color-adjust-none ${AGE_WIDTH[level]} ${AGE_GROUND[level]}`}
    />
  )
}
