import { z } from 'zod'

interface LengthLimits {
  min?: number
  max?: number
}

/**
 * Bounds the length of a string in UTF-16 units, as docs/interface/conventions.md counts it everywhere. zod's own `min` and `max` count
 * code points, so a character outside the basic plane would count once instead of twice.
 */
export function utf16Length({ min, max }: LengthLimits): z.core.$ZodCheck<string> {
  const check = z.check<string>(({ value, issues }) => {
    const found = { origin: 'string', inclusive: true, input: value } as const
    if (min !== undefined && value.length < min) issues.push({ ...found, code: 'too_small', minimum: min })
    if (max !== undefined && value.length > max) issues.push({ ...found, code: 'too_big', maximum: max })
  })
  // JSON Schema is generated from the bag, so the OpenAPI document states the limits.
  check._zod.onattach.push(({ _zod: { bag } }) => {
    if (min !== undefined) bag.minimum = min
    if (max !== undefined) bag.maximum = max
  })
  return check
}

/** Any string within these lengths, in UTF-16 units. */
export function boundedString(limits: LengthLimits) {
  return z.string().check(utf16Length(limits))
}

/** Text that can be stored and sent: no U+0000, no lone surrogate. Lengths count UTF-16 units. */
export function text(limits: { min?: number; max: number }) {
  return boundedString({ min: 0, ...limits }).refine(isStorable, 'contains a character that cannot be stored')
}

/** An `http` or `https` address as it can be stored; `URL` leaves out spaces and control characters around one. */
export function webAddress({ max }: { max: number }) {
  return z
    .url({ protocol: /^https?$/ })
    .check(utf16Length({ max }))
    .refine((url) => url.isWellFormed() && !/[\s\p{Cc}]/u.test(url), 'must be an address without spaces')
}

function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed()
}

/** Text with something to read in it: not only spaces and characters without a shape. */
export function visibleText(limits: { min?: number; max: number }) {
  return text({ min: 1, ...limits }).refine(isVisible, 'must not be blank')
}

/** The name of a person or a channel, who need none. One that nobody could read counts as none, so that the id is shown. */
export function optionalName(limits: { max: number }) {
  return text(limits).transform(nameOrNone)
}

export function nameOrNone(name: string): string {
  return isVisible(name) ? name : ''
}

/** Spaces, control and format characters, and what Unicode calls ignorable; the fillers of Korean and the empty pattern of Braille have no shape either. */
const SHAPELESS = /^[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

function isVisible(value: string): boolean {
  return !SHAPELESS.test(value)
}

/** The id of a community, post or comment (docs/interface/conventions.md#lengths-and-characters). */
export const ResourceId = text({ min: 1, max: 900 })
